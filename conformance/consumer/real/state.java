import com.google.gson.Gson;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** What the consumers of Java in this folder share: the checkpoint, and how they say what they know. */
class State {
  static final String ORIGIN = System.getenv("DOCFEED_ORIGIN");
  static final String DATABASE = System.getenv("DOCFEED_DATABASE");
  static final String USERNAME = System.getenv("DOCFEED_USERNAME");
  static final String PASSWORD = System.getenv("DOCFEED_PASSWORD");
  private static final Path FILE = Path.of(System.getenv("DOCFEED_STATE"), "since");
  /** System.out encodes as the platform does. This one flushes after each line. */
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private static final Gson JSON = new Gson();
  /** Since the last row. */
  private static int attempts = 0;

  static String since() throws IOException {
    return Files.exists(FILE) ? Files.readString(FILE) : "0";
  }

  /** Says what a row means, and moves the checkpoint. */
  static void take(String id, String rev, boolean deleted, List<String> leaves, String seq) throws IOException {
    attempts = 0;
    OUT.println(JSON.toJson(Map.of("id", id, "rev", rev, "deleted", deleted, "leaves", leaves)));
    Path next = Files.writeString(Path.of(FILE + ".new"), seq);
    Files.move(next, FILE, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Pauses grow until there is a row, as these libraries leave it to the application to try again. */
  static void pause() throws InterruptedException {
    attempts++;
    Thread.sleep(Math.min(20L << Math.min(attempts, 10), 5000));
  }
}
