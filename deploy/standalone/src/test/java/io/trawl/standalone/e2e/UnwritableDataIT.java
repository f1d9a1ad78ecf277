package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one command cannot write what it keeps: a file is in the way of the broker's folder. */
class UnwritableDataIT {
    private static final Path LOG = Path.of("kafka", "log");
    private static final int DEPTH = 5;
    @TempDir
    private Path folder;

    @Test
    void aBrokerThatCannotWriteAtItsStartNamesTheFolderInOneLine() throws Exception {
        Path log = data().resolve(LOG);
        Files.createDirectories(log.getParent());
        Files.createFile(log);
        try (Processes processes = processes()) {
            assertEndsNaming(log, start(processes, "broker"), processes);
        }
    }

    @Test
    @Tag("nightly")
    void aBrokerThatCanNoLongerWriteNamesTheFolderInOneLine() throws Exception {
        try (Processes processes = processes()) {
            Process broker = start(processes, "broker");
            await().until(() -> processes.printed().contains("Kafka and Redis are running on") || !broker.isAlive());
            assertEndsNaming(putAFileInTheWay(), broker, processes);
        }
    }

    @Test
    @Tag("nightly")
    void aCrawlThatCanNoLongerWriteNamesTheFolderInOneLineAndResumesWhenItCan() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (Processes processes = processes(); FakeWeb web = FakeWeb.start(2)) {
            LinkGraph graph = LinkGraph.serve(web, 40, 4, 3);
            web.host(1).hold(go);
            List<String> crawl = new ArrayList<>(
                    List.of("crawl", graph.url(0), "--id", "docs", "--delay", "0ms", "--depth", Integer.toString(DEPTH),
                            "--out", folder.resolve("pages").toString(), "--allow-network", "127.0.0.0/8"));
            graph.domains().forEach(domain -> crawl.addAll(List.of("--domain", domain)));
            Process first = start(processes, crawl.toArray(String[]::new));
            await().until(() -> web.visits().size() > 2 || !first.isAlive());
            Path log = putAFileInTheWay();
            assertEndsNaming(log, first, processes);
            go.countDown();
            Files.delete(log);
            Files.move(folder.resolve("moved"), log);
            Process second = start(processes, crawl.toArray(String[]::new));
            assertThat(second.waitFor(TestTimeouts.LIMIT)).as("ends by itself").isTrue();
            assertThat(second.exitValue()).as(processes.printed()).isZero();
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(folder.resolve("pages"), "docs-1"));
        }
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Processes processes() throws IOException {
        return new Processes(Files.createDirectories(folder.resolve("logs")));
    }

    private Process start(Processes processes, String... command) {
        return processes.start("deploy/standalone", Map.of(),
                Stream.concat(Arrays.stream(command), Stream.of("--data", data().toString())).toArray(String[]::new));
    }

    /** @return where the folder was */
    private Path putAFileInTheWay() throws IOException {
        Path log = found(LOG);
        Files.move(log, folder.resolve("moved"));
        return Files.createFile(log);
    }

    private Path found(Path end) throws IOException {
        try (Stream<Path> all = Files.walk(data(), 4)) {
            return all.filter(path -> path.endsWith(end)).findFirst().orElseThrow().toRealPath();
        }
    }

    private void assertEndsNaming(Path log, Process command, Processes processes) throws Exception {
        assertThat(command.waitFor(TestTimeouts.LIMIT)).as("ends").isTrue();
        assertThat(command.exitValue()).as(processes.printed()).isOne();
        assertThat(processes.printed().lines().filter(line -> line.contains("nothing can be written"))).singleElement()
                .asString().contains("nothing can be written to " + log + " (Not a directory");
        assertThat(processes.printed()).doesNotContain("\tat ");
        Properties redis = new Properties();
        try (Reader in = Files.newBufferedReader(found(Path.of("redis", "process.properties")))) {
            redis.load(in);
        }
        await().until(() -> ProcessHandle.of(Long.parseLong(redis.getProperty("process").replaceAll(" .*", "")))
                .filter(ProcessHandle::isAlive).isEmpty());
    }
}
