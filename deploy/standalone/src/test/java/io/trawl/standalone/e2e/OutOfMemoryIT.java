package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Output;
import io.trawl.testkit.Repository;
import io.trawl.standalone.Trawl;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.TestJvm;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The one command, whose heap is full in the middle of a crawl. It ends as if it were killed: what the next start does
 * is for {@link KillAndResumeIT}.
 */
class OutOfMemoryIT {
    private static final int STATUS = 3;
    private static final int DEPTH = 5;
    @TempDir
    private Path folder;

    @Test
    void theProcessEndsAtOnceWithOneLine() throws Exception {
        try (FakeWeb web = FakeWeb.start(2)) {
            LinkGraph graph = LinkGraph.serve(web, 100, 4, 5);
            Process full = start("full", graph);
            Awaitility.await().until(() -> web.visits().size() > 10 || !full.isAlive());
            Files.createFile(folder.resolve("fill"));
            assertThat(full.waitFor(TestTimeouts.LIMIT)).as("ends").isTrue();
            assertThat(full.exitValue()).as(log("full")).isEqualTo(STATUS);
            assertThat(log("full").lines().filter(line -> line.contains("OutOfMemoryError"))).singleElement().asString()
                    .isEqualTo("Terminating due to java.lang.OutOfMemoryError: Java heap space");
        }
    }

    private String log(String run) throws IOException {
        return Files.readString(folder.resolve(run + ".log"));
    }

    private Process start(String run, LinkGraph graph) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(folder.resolve("fill").toString(), "crawl", graph.url(0),
                "--depth", Integer.toString(DEPTH), "--delay", "50ms", "--allow-network", "127.0.0.0/8", "--out",
                folder.resolve("pages").toString(), "--data", folder.resolve("data").toString()));
        graph.domains().forEach(domain -> arguments.addAll(List.of("--domain", domain)));
        List<String> flags = new ArrayList<>(List.of("-XX:-ExitOnOutOfMemoryError"));
        flags.addAll(memoryFlags(Repository.file("trawl")));
        return TestJvm.of(Filled.class, flags, arguments).redirectOutput(folder.resolve(run + ".log").toFile()).start();
    }

    @Test
    void theImagesHaveTheOptionOfTheLauncher() throws IOException {
        assertThat(memoryFlags(Repository.file("trawl")))
                .isEqualTo(memoryFlags(Repository.file("deploy/images/Dockerfile")))
                .containsExactly("-XX:+ExitOnOutOfMemoryError");
    }

    /** What a way to start Trawl says about a full heap. */
    private static List<String> memoryFlags(Path file) throws IOException {
        return Pattern.compile("-XX:\\S*OutOfMemory\\w*").matcher(Files.readString(file)).results()
                .map(match -> match.group()).distinct().toList();
    }

    /** Trawl with a thread that fills the heap once the file of the first argument exists. */
    static final class Filled {
        private Filled() {}

        public static void main(String[] args) throws Exception {
            Thread.ofPlatform().daemon().start(() -> fill(Path.of(args[0])));
            Trawl.main(List.of(args).subList(1, args.length).toArray(String[]::new));
        }

        private static void fill(Path sign) {
            Awaitility.await().forever().until(() -> Files.exists(sign));
            List<byte[]> kept = new ArrayList<>();
            try {
                while (kept.size() < Integer.MAX_VALUE) {
                    kept.add(new byte[64 << 10]);
                }
            } catch (OutOfMemoryError e) {
                throw new UncheckedIOException(new IOException("this process was not ended", e));
            }
        }
    }
}
