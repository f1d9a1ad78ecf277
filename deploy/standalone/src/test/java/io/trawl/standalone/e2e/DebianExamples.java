package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.trawl.testkit.Repository;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The crawl files of docs/examples/crawls, and the documentation of Debian that they are for, served on loopback by
 * {@code python3}; with {@code -Dtrawl.examples.folder=DIR} from packages that are unpacked there. Without a package or
 * {@code python3} the test is skipped and says why, or fails with {@code -Dtrawl.examples=required}.
 */
public final class DebianExamples implements AutoCloseable {
    private static final Path EXAMPLES = Repository.file("docs/examples/crawls");
    private static final Path DOCUMENTATION = Path.of(System.getProperty("trawl.examples.folder", "/usr/share/doc"));
    private static final Pattern PORT = Pattern.compile(" port ([0-9]+) ");
    private final Process server;
    private final String port;

    /** Whether there is a file below the documentation. */
    public static boolean has(String file) {
        return Files.exists(DOCUMENTATION.resolve(file));
    }

    /** @param needed files of the packages, below the documentation */
    public DebianExamples(String... needed) throws IOException {
        Stream.of(needed).map(DOCUMENTATION::resolve).filter(Files::notExists)
                .forEach(file -> missing(file + " is missing; its package is named in docs/examples/crawls/README.md"));
        try {
            server = new ProcessBuilder("python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory",
                    DOCUMENTATION.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            missing("python3 is not on the PATH: " + e.getMessage());
            throw e;
        }
        BufferedReader printed = server.inputReader(StandardCharsets.UTF_8);
        Matcher said = PORT.matcher(String.valueOf(printed.readLine()));
        assertThat(said.find()).isTrue();
        port = said.group(1);
    }

    private static void missing(String reason) {
        if (System.getProperty("trawl.examples", "").equals("required")) {
            fail(reason);
        }
        abort(reason);
    }

    /** A copy of a crawl file, with the port in the place of its variable: the environment of this process is fixed. */
    public Path file(String name, Path folder) throws IOException {
        String text = Files.readString(EXAMPLES.resolve(name + ".yaml"));
        assertThat(text).contains("${env:TRAWL_VALUE_PORT}");
        return Files.writeString(folder.resolve(name + ".yaml"), text.replace("${env:TRAWL_VALUE_PORT}", port));
    }

    /**
     * Holds the items below a folder against what the independent program finds in the same pages, and returns what it
     * says.
     */
    String check(String name, Path out) throws IOException, InterruptedException {
        Process check = new ProcessBuilder("python3", EXAMPLES.resolve("check.py").toString(), name,
                "http://127.0.0.1:" + port + "/", out.toString()).redirectErrorStream(true).start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(said).isZero();
        return said;
    }

    @Override
    public void close() {
        server.destroy();
    }
}
