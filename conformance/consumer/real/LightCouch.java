import java.net.URI;
import org.lightcouch.Changes;
import org.lightcouch.ChangesResult;
import org.lightcouch.CouchDbClient;
import org.lightcouch.CouchDbProperties;

/** Follows the database with Changes.continuousChanges() of LightCouch, in a loop, as that ends with its connection. */
class LightCouch {
  public static void main(String[] args) throws InterruptedException {
    for (; ; State.pause()) {
      try {
        follow();
      } catch (Exception error) {
        System.err.println(error);
      }
    }
  }

  static void follow() throws Exception {
    URI origin = URI.create(State.ORIGIN);
    CouchDbProperties properties = new CouchDbProperties()
        .setProtocol(origin.getScheme())
        .setHost(origin.getHost())
        .setPort(origin.getPort())
        .setDbName(State.DATABASE)
        .setCreateDbIfNotExist(false)
        .setUsername(State.USERNAME)
        .setPassword(State.PASSWORD)
        // Three heartbeats.
        .setSocketTimeout(3000);
    CouchDbClient client = new CouchDbClient(properties);
    try {
      Changes changes = client.changes()
          .includeDocs(true)
          .heartBeat(1000)
          .style("all_docs")
          .since(State.since())
          .continuousChanges();
      while (changes.hasNext()) {
        ChangesResult.Row row = changes.next();
        State.take(
            row.getId(),
            row.getDoc().get("_rev").getAsString(),
            row.isDeleted(),
            row.getChanges().stream().map(ChangesResult.Row.Rev::getRev).toList(),
            row.getSeq());
      }
    } finally {
      client.shutdown();
    }
  }
}
