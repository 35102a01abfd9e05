import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A consumer of the changes feed that survives everything that the rules allow, without libraries. It prints what it knows,
 * one line of JSON for each change: replace {@code work} by what your consumer does.
 *
 * <pre>javac Follower.java &amp;&amp; docfeed consumer -- java Follower</pre>
 */
class Follower {
  static final String FEED = System.getenv("DOCFEED_ORIGIN") + "/" + encode(System.getenv("DOCFEED_DATABASE")) + "/_changes";
  static final String LOGIN = System.getenv("DOCFEED_USERNAME") + ":" + System.getenv("DOCFEED_PASSWORD");
  /** With a selector, the consumer follows only documents that match it. */
  static final String SELECTOR = System.getenv().getOrDefault("DOCFEED_SELECTOR", "");
  /** A position in the feed of one selector means nothing in that of another. */
  static final Path CHECKPOINT =
      Path.of(System.getenv("DOCFEED_STATE"), "checkpoint-" + Integer.toHexString(SELECTOR.hashCode()));
  static final int HEARTBEAT_MS = 1000;
  /** System.out encodes as the platform does. This one flushes after each line. */
  static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  static class Refusal extends IOException {
    final int status;
    final long retryAfterMs;

    Refusal(HttpURLConnection feed) throws IOException {
      super("the server answers " + feed.getResponseCode());
      status = feed.getResponseCode();
      retryAfterMs = 1000 * feed.getHeaderFieldLong("Retry-After", 0);
    }
  }

  /** The JSON text of any value, which only the server understands. */
  static String since = "0";
  /** Number of attempts since the last row. */
  static int attempts = 0;

  public static void main(String[] args) throws Exception {
    if (System.getenv("DOCFEED_CA_FILE") != null) trust(Path.of(System.getenv("DOCFEED_CA_FILE")));
    if (Files.exists(CHECKPOINT)) since = Files.readString(CHECKPOINT);
    for (; ; ) {
      attempts++;
      try {
        follow();
      } catch (Refusal refusal) {
        System.err.println(refusal.getMessage());
        // The database was created again, so no earlier position means anything.
        if (refusal.status == 400) since = "0";
        Thread.sleep(refusal.retryAfterMs);
      } catch (IOException error) {
        System.err.println(error.getMessage());
      }
      Thread.sleep(Math.min(10L << Math.min(attempts, 10), 5000));
    }
  }

  /** Trusts the authority whose certificate is in the file, and no other. */
  static void trust(Path file) throws Exception {
    KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
    authorities.load(null, null);
    try (InputStream certificate = Files.newInputStream(file)) {
      authorities.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    }
    TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(authorities);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trusted.getTrustManagers(), null);
    HttpsURLConnection.setDefaultSSLSocketFactory(context.getSocketFactory());
  }

  /** Returns when the feed ends, which may happen at any time, also without a row. */
  static void follow() throws IOException {
    HttpURLConnection feed = open();
    try (InputStream body = new BufferedInputStream(feed.getInputStream())) {
      for (String line; (line = readLine(body)) != null; ) {
        // An empty line is a heartbeat, and the object at the end of a feed has no id.
        Map<String, String> row = Json.members(line);
        if (row.containsKey("id")) take(row);
      }
    } finally {
      feed.disconnect();
    }
  }

  static HttpURLConnection open() throws IOException {
    String query = "?feed=continuous&style=all_docs&include_docs=true&heartbeat=" + HEARTBEAT_MS
        // A string goes without its quotes.
        + "&since=" + encode(since.startsWith("\"") ? Json.text(since) : since)
        + (SELECTOR.isEmpty() ? "" : "&filter=_selector");
    HttpURLConnection feed = (HttpURLConnection) URI.create(FEED + query).toURL().openConnection();
    // A connection that is silent for so long is dead, although nobody has closed it.
    feed.setReadTimeout(3 * HEARTBEAT_MS);
    // A redirect could lead to another host, which must not get the password.
    feed.setInstanceFollowRedirects(false);
    String basic = Base64.getEncoder().encodeToString(LOGIN.getBytes(StandardCharsets.UTF_8));
    feed.setRequestProperty("Authorization", "Basic " + basic);
    if (!SELECTOR.isEmpty()) {
      feed.setRequestProperty("Content-Type", "application/json");
      feed.setDoOutput(true);
      feed.getOutputStream().write(("{\"selector\":" + SELECTOR + "}").getBytes(StandardCharsets.UTF_8));
    }
    if (feed.getResponseCode() == 200) return feed;
    feed.disconnect();
    throw new Refusal(feed);
  }

  /** Returns null at the end, also if that cuts a line. */
  static String readLine(InputStream body) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next; (next = body.read()) != -1; line.write(next)) {
      if (next == '\n') return line.toString(StandardCharsets.UTF_8);
    }
    return null;
  }

  /** Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost. */
  static void take(Map<String, String> row) throws IOException {
    work(row);
    since = row.get("seq");
    attempts = 0;
    Path next = Files.writeString(Path.of(CHECKPOINT + ".new"), since);
    Files.move(next, CHECKPOINT, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The same row may come several times, in any order with others, so this must give the same result each time. */
  static void work(Map<String, String> row) {
    List<String> leaves = new ArrayList<>();
    for (String change : Json.parts(row.get("changes"))) leaves.add(Json.members(change).get("rev"));
    String rev = Json.members(row.get("doc")).get("_rev");
    OUT.println("{\"id\":" + row.get("id") + ",\"rev\":" + rev
        + ",\"deleted\":" + row.getOrDefault("deleted", "false") + ",\"leaves\":" + leaves + "}");
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Takes JSON apart. The values stay texts of JSON, so that no seq changes. A library does this as well. */
  static class Json {
    /** The members of an object; none if the text is blank. */
    static Map<String, String> members(String json) {
      Map<String, String> members = new HashMap<>();
      List<String> parts = parts(json);
      for (int i = 0; i + 1 < parts.size(); i += 2) members.put(text(parts.get(i)), parts.get(i + 1));
      return members;
    }

    /** The elements of an array, or the names and values of an object in turn. */
    static List<String> parts(String json) {
      List<String> parts = new ArrayList<>();
      boolean isString = false;
      int depth = 0, start = 0;
      for (int i = 0; i < json.length(); i++) {
        char c = json.charAt(i);
        if (isString && c == '\\') i++;
        else if (c == '"') isString = !isString;
        else if (isString) continue;
        else if ((c == '{' || c == '[') && depth++ == 0) start = i + 1;
        else if (c == '}' || c == ']' ? --depth == 0 : depth == 1 && (c == ',' || c == ':')) {
          String part = json.substring(start, i).strip();
          if (!part.isEmpty()) parts.add(part);
          start = i + 1;
        }
      }
      return parts;
    }

    /** What a string means. */
    static String text(String json) {
      StringBuilder text = new StringBuilder();
      for (int i = 1; i < json.length() - 1; i++) {
        char c = json.charAt(i);
        if (c == '\\') {
          c = json.charAt(++i);
          int control = "bfnrt".indexOf(c);
          if (control >= 0) c = "\b\f\n\r\t".charAt(control);
          else if (c == 'u') {
            c = (char) Integer.parseInt(json.substring(i + 1, i + 5), 16);
            i += 4;
          }
        }
        text.append(c);
      }
      return text.toString();
    }
  }
}
