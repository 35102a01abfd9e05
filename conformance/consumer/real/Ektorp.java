import org.ektorp.changes.ChangesCommand;
import org.ektorp.changes.ChangesFeed;
import org.ektorp.changes.DocumentChange;
import org.ektorp.http.HttpClient;
import org.ektorp.http.StdHttpClient;
import org.ektorp.impl.StdCouchDbConnector;
import org.ektorp.impl.StdCouchDbInstance;

/** Follows the database with CouchDbConnector.changesFeed() of Ektorp, in a loop, as that ends with its connection. */
class Ektorp {
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
    HttpClient http = new StdHttpClient.Builder()
        .url(State.ORIGIN)
        .username(State.USERNAME)
        .password(State.PASSWORD)
        // Three heartbeats.
        .socketTimeout(3000)
        .build();
    try {
      ChangesCommand command = new ChangesCommand.Builder()
          .includeDocs(true)
          .heartbeat(1000)
          .param("style", "all_docs")
          .since(State.since())
          .build();
      ChangesFeed feed =
          new StdCouchDbConnector(State.DATABASE, new StdCouchDbInstance(http)).changesFeed(command);
      while (feed.isAlive()) {
        DocumentChange row = feed.next();
        // The other getter is for the numbers of CouchDB 1.
        String seq = row.getStringSequence();
        State.take(
            row.getId(),
            row.getDocAsNode().get("_rev").textValue(),
            row.isDeleted(),
            row.getRevisions(),
            seq != null ? seq : String.valueOf(row.getSequence()));
      }
    } finally {
      http.shutdown();
    }
  }
}
