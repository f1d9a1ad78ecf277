package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.trawl.coordinator.NamespaceReset;
import io.trawl.coordinator.NamespaceReset.NamespaceInUseException;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A namespace is cleared while a worker sleeps, and the crawl is defined again with the same output folder. */
class ClearedNamespaceIT {
    private static final CrawlId CRAWL = new CrawlId("again");
    private static final int DEPTH = 10;
    @TempDir
    private Path temp;

    @Test
    void aWorkerThatSleptThroughAClearEndsAndTheCrawlIsCompleteBesideItsFormerFiles() throws Exception {
        Path out = temp.resolve("out");
        KafkaFixture fixture = new KafkaFixture(OneJvmFleet.settings(out, Map.of()));
        try (FakeWeb web = FakeWeb.start(8);
                Processes processes = new Processes(Files.createDirectories(temp.resolve("logs")));
                RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fixture.settings().redis()),
                        fixture.topics().namespace(), Time.system());
                NamespaceReset reset = NamespaceReset.open(fixture.settings(), Time.system())) {
            LinkGraph graph = LinkGraph.serve(web, 240, 3, 41);
            Process sleeper = processes.member("analyzer", environment(fixture));
            MID slept;
            try (OneJvmFleet fleet = new OneJvmFleet(out, fixture)) {
                MID other = fleet.worker(ModuleKind.ANALYZER).mid();
                awaitAnalyzers(fixture, 2);
                // Long enough that each analyzer handles some of it, also on a busy machine.
                fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "300ms"), false);
                slept = await().until(() -> redis.registrar().all(ModuleKind.ANALYZER).stream()
                        .filter(module -> !module.mid().equals(other) && module.counts().completed() > 10)
                        .map(Registration::mid).findFirst(), Optional::isPresent).orElseThrow();
                // So that the next run gets another name.
                await().until(() -> Files.isDirectory(out.resolve("items").resolve(CRAWL + "-1")));
                signal("STOP", sleeper);
            }
            await().untilAsserted(() -> assertThatExceptionOfType(NamespaceInUseException.class)
                    .isThrownBy(() -> reset.clear(Set.of())).withMessageContaining("--gone " + slept.instance()));
            reset.clear(Set.of(slept.instance()));
            List<Path> before = Output.all(out);
            try (OneJvmFleet fleet = new OneJvmFleet(out, fixture)) {
                signal("CONT", sleeper);
                fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "20ms"), false);
                assertThat(sleeper.waitFor(TestTimeouts.LIMIT)).isTrue();
                assertThat(sleeper.exitValue()).isEqualTo(1);
                assertThat(processes.lastLines(sleeper, 50))
                        .as("also if it sees first that another process has its serial number")
                        .contains("ends and writes nothing more").contains("; start it again");
                fleet.awaitFinished(CRAWL);
                assertThat(fleet.ended()).isEmpty();
            }
            GraphChecks.output(graph, List.of(graph.url(0)), DEPTH, new Output(out, again(out)));
            assertThat(Output.all(out)).as("the files of the former deployment").containsAll(before);
        }
    }

    /** Until each has partitions: else one analyses everything before the other has started. */
    private static void awaitAnalyzers(KafkaFixture fixture, int count) {
        String group = fixture.topics().analyzerGroup();
        try (Admin admin = fixture.kafka().admin()) {
            await().ignoreExceptions()
                    .until(() -> requireNonNull(admin.describeConsumerGroups(List.of(group)).all().get().get(group))
                            .members().stream().filter(member -> !member.assignment().topicPartitions().isEmpty())
                            .count() == count);
        }
    }

    private static String again(Path out) throws IOException {
        try (Stream<Path> folders = Files.list(out.resolve("items"))) {
            List<String> found = folders.map(folder -> folder.getFileName().toString())
                    .filter(name -> name.startsWith(CRAWL + "-1@")).toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }

    private static Map<String, String> environment(KafkaFixture fixture) {
        return new HashMap<>(Map.of("TRAWL_KAFKA_BOOTSTRAP_SERVERS", fixture.settings().kafka().bootstrapServers(),
                "TRAWL_REDIS_URL", fixture.settings().redis().url(), "TRAWL_NAMESPACE", fixture.topics().namespace(),
                "TRAWL_LEASE", "3s"));
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor()).isZero();
    }
}
