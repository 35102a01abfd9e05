import java.net.http.HttpRequest;
import java.util.Base64;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AuthenticationApi;
import org.openapitools.client.api.ChangesApi;
import org.openapitools.client.api.DatabasesApi;
import org.openapitools.client.api.DocumentsApi;
import org.openapitools.client.model.BulkDocsRequest;
import org.openapitools.client.model.BulkDocsResult;
import org.openapitools.client.model.ChangesResponse;
import org.openapitools.client.model.Credentials;
import org.openapitools.client.model.Document;
import org.openapitools.client.model.DocumentInput;

/** The call with the client that openapi-generator makes for the HTTP client of the JDK. */
public class Call {
  static void must(String what, boolean holds) {
    if (!holds) throw new IllegalStateException(what);
  }

  public static void main(String[] args) throws Exception {
    String url = args[0];
    String password = args[1];
    String basic = "Basic " + Base64.getEncoder().encodeToString(("admin:" + password).getBytes());
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor((HttpRequest.Builder request) -> request.header("Authorization", basic));
    must("database", new DatabasesApi(client).putDatabase("inventory", null, null, null).getOk());

    DocumentsApi documents = new DocumentsApi(client);
    DocumentInput chair = new DocumentInput().putAdditionalProperty("legs", 4);
    must("write", documents.putDocument("inventory", "chair", chair, null, null, null).getOk());
    BulkDocsRequest request = new BulkDocsRequest();
    request.docs(List.of(new DocumentInput().id("desk"), new DocumentInput().id("chair")));
    List<BulkDocsResult> results = documents.bulkDocs("inventory", request, null, null);
    must("_bulk_docs", "conflict".equals(results.get(1).getError()));
    Document read = documents.getDocument(
        "inventory", "chair", null, null, null, null, null, null, null, null, null, null, null, null);
    must("read", ((Number) read.getAdditionalProperty("legs")).intValue() == 4);

    ChangesResponse changes = new ChangesApi(client).getChanges(
        "inventory", null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null);
    must("_changes", changes.getResults().size() == 2);

    Credentials credentials = new Credentials().name("admin").password(password);
    must("login", new AuthenticationApi(client).postSession(credentials, null, null).getOk());
  }
}
