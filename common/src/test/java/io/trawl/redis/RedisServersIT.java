package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.module.SerialNumbers.SerialRange;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis in the forms that a configuration file of Redisson names. */
class RedisServersIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Fingerprint URL = new Fingerprint(1, 2);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int SLOTS = 16_384;
    @TempDir
    private Path folder;
    private final List<RedisNode> nodes = new ArrayList<>();

    @AfterEach
    void end() {
        nodes.forEach(RedisNode::close);
    }

    private RedisNode node(String... options) {
        RedisNode node = RedisNode.start(folder, options);
        nodes.add(node);
        return node;
    }

    private RedisServers servers(String yaml) throws IOException {
        Path file = Files.writeString(folder.resolve("redis.yaml"), yaml);
        return RedisServers.of(SettingsReader.from(Map.of("trawl.redis.config-file", file.toString())).redis());
    }

    @Test
    void afterAFailoverOfSentinelTheFactsAreThoseOfTheReplicaAndNewOnesAreLearnt() throws Exception {
        RedisNode master = node("save \"\"");
        RedisNode replica = node("save \"\"", "replicaof 127.0.0.1 " + master.port());
        List<RedisNode> sentinels = Stream
                .generate(() -> node("sentinel monitor trawl 127.0.0.1 " + master.port() + " 1",
                        "sentinel down-after-milliseconds trawl 1000", "sentinel failover-timeout trawl 5000"))
                .limit(2).toList();
        RedisServers servers = servers("sentinelServersConfig:\n  masterName: trawl\n  sentinelAddresses: ["
                + sentinels.stream().map(RedisNode::url).collect(Collectors.joining(", ")) + "]\n");
        await().until(() -> sentinels.getFirst().command("SENTINEL replicas trawl"),
                known -> known.contains(Integer.toString(replica.port())));
        await().until(() -> sentinels.getFirst().command("SENTINEL sentinels trawl"),
                known -> known.contains(Integer.toString(sentinels.getLast().port())));

        try (RedisStore store = RedisStore.connect(servers, "t.", "c", "r", Time.system())) {
            Ledger ledger = store.ledger();
            ledger.learn(RUN, List.of(new Fact(URL, UrlFacts.requested(1))));
            PartitionLeaseStore leases = store.leases();
            LeaseClaim held = LeaseClaim.on(new LeasedPartition(1, 1));
            assertThat(leases.take(held, Duration.ofMinutes(5))).contains(InheritedPauses.nothing());
            await().until(() -> replica.command("DBSIZE"), master.command("DBSIZE")::equals);
            assertThat(store.storeGeneration().bytes()).isPositive();
            master.kill();

            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class)
                    .until(() -> ledger.lookUp(RUN, List.of(URL)).getFirst().known() == 1);
            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class).untilAsserted(
                    () -> ledger.learn(RUN, List.of(new Fact(new Fingerprint(3, 4), UrlFacts.requested(2)))));
            assertThat(replica.command("INFO replication")).contains("role:master");

            assertThat(leases.take(held, LEASE)).as("its holder keeps it").isPresent();
            long began = Time.system().nanos();
            LeaseClaim next = LeaseClaim.on(new LeasedPartition(1, 2));
            assertThat(leases.take(next, LEASE)).as("another may hold it by the old master").isEmpty();
            InheritedPauses pauses = await().pollInterval(Duration.ofMillis(20))
                    .until(() -> leases.take(next, LEASE), Optional::isPresent).orElseThrow();
            assertThat(Duration.ofNanos(Time.system().nanos() - began)).isGreaterThan(LEASE.dividedBy(2));
            assertThat(pauses.sinceBreak()).as("its hosts wait once").isPresent();
            assertThat(leases.take(LeaseClaim.on(new LeasedPartition(1, 3)), LEASE)).as("at once from then on")
                    .isPresent();
        }
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> RedisStore
                        .connect(RedisServers.at(sentinels.getFirst().url()), "t.", "c", "r", Time.system()).close())
                .withMessageMatching("TRAWL_REDIS_URL: 'redis://.*' is not valid: of a server with data: this one is a "
                        + "Sentinel, whose masters are named by the file in TRAWL_REDIS_CONFIG_FILE");
    }

    @Test
    void aClusterHasTheFactsOfAllRunsAndMovedSlotsAreFollowed() throws Exception {
        List<RedisNode> masters = Stream.generate(
                () -> node("save \"\"", "cluster-enabled yes", "cluster-config-file nodes-" + nodes.size() + ".conf"))
                .limit(3).toList();
        for (int i = 0; i < masters.size(); i++) {
            masters.get(i).command("CLUSTER ADDSLOTS " + slots(i, masters.size()));
            masters.get(i).command("CLUSTER MEET 127.0.0.1 " + masters.getFirst().port());
        }
        await().until(() -> masters.stream().allMatch(node -> node.command("CLUSTER INFO").contains("cluster_state:ok")
                && node.command("CLUSTER INFO").contains("cluster_known_nodes:3")));
        RedisServers servers = servers("clusterServersConfig:\n  nodeAddresses: ["
                + masters.stream().map(RedisNode::url).collect(Collectors.joining(", ")) + "]\n");

        List<CrawlRun> runs = IntStream.range(0, 20).mapToObj(i -> CrawlRun.parse("docs-" + i + "/1")).toList();
        try (RedisModuleStore modules = RedisModuleStore.connect(servers, "t.", Time.system());
                RedisStore store = modules.store("c", "r")) {
            Ledger ledger = store.ledger();
            for (CrawlRun run : runs) {
                ledger.learn(run, List.of(new Fact(URL, UrlFacts.requested(1))));
            }
            assertThat(store.storeGeneration().bytes()).as("of all masters").isGreaterThan(2_000_000);
            assertThat(store.storeGeneration().increment()).isEqualTo(1);
            assertThat(modules.serialNumbers(Duration.ofSeconds(5), () -> new SerialRange(1, 9))).isNotNull();
            assertThat(modules.check()).as("each warning once").doesNotHaveDuplicates().isNotEmpty();
            moveSlots(masters);
            assertThat(runs)
                    .allSatisfy(run -> assertThat(ledger.lookUp(run, List.of(URL)).getFirst().known()).isEqualTo(1));
            assertThat(masters.getLast().command("DBSIZE")).as("of which this one had some").isEqualTo("0");
            spreadsFactsOfARun(store.ledger(), masters);
            ledger.forget(runs.getFirst());
            assertThat(ledger.lookUp(runs.getFirst(), List.of(URL)).getFirst().known()).isNotEqualTo(1);
            assertThat(modules.clear()).isGreaterThanOrEqualTo(19);
        }
        assertThat(masters).allSatisfy(node -> assertThat(node.command("DBSIZE")).isEqualTo("0"));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> RedisStore
                        .connect(RedisServers.at(masters.getFirst().url()), "t.", "c", "r", Time.system()).close())
                .withMessageContaining("this one is a node of a Redis Cluster, whose nodes are named by the file in "
                        + "TRAWL_REDIS_CONFIG_FILE");
    }

    private static void spreadsFactsOfARun(Ledger ledger, List<RedisNode> masters) {
        List<Fingerprint> urls = IntStream.range(0, 12_000).mapToObj(i -> Fingerprint.of("https://example.org/" + i))
                .toList();
        List<Fact> facts = IntStream.range(0, urls.size() * 2)
                .mapToObj(i -> new Fact(urls.get(i % urls.size()), UrlFacts.requested(1 + i % 250))).toList();
        List<UrlFacts> before = ledger.learn(RUN, facts);
        assertThat(before.subList(0, urls.size())).allMatch(fact -> fact.known() > 250);
        assertThat(before.subList(urls.size(), facts.size())).as("the second fact of a call sees the first")
                .allMatch(fact -> fact.known() <= 250);
        assertThat(ledger.lookUp(RUN, urls)).hasSize(urls.size()).allMatch(fact -> fact.known() <= 250);
        assertThat(masters)
                .allSatisfy(node -> assertThat(node.command("KEYS t.ledger:docs:1:*").lines()).hasSizeGreaterThan(10));

        CrawlRun next = CrawlRun.parse("again/1");
        ledger.continueRun(RUN, next, urls.subList(0, 100));
        List<UrlFacts> copied = ledger.lookUp(next, urls);
        assertThat(copied.subList(0, 100)).allMatch(fact -> fact.known() > 250);
        assertThat(copied.subList(100, urls.size())).isEqualTo(ledger.lookUp(RUN, urls).subList(100, urls.size()));
        ledger.forget(next);
        assertThat(ledger.lookUp(RUN, urls)).as("of another run").allMatch(fact -> fact.known() <= 250);
        ledger.forgetThrough(RUN);
        assertThat(masters)
                .allSatisfy(
                        node -> assertThat(
                                node.command("KEYS *").lines()
                                        .filter(key -> key.startsWith("t.ledger:docs:1:")
                                                || key.startsWith("t.ledger:again:") && !key.endsWith("continues")))
                                .isEmpty());
    }

    @Test
    void aClusterWithoutSlotsIsATemporaryFailure() throws Exception {
        RedisNode node = node("cluster-enabled yes", "cluster-config-file nodes.conf");
        RedisServers servers = servers("clusterServersConfig:\n  nodeAddresses: [" + node.url() + "]\n");
        assertThatExceptionOfType(LedgerUnavailableException.class)
                .isThrownBy(() -> RedisStore.connect(servers, "t.", "c", "r", Time.system()).close());
    }

    private static String slots(int part, int parts) {
        return IntStream.range(SLOTS * part / parts, SLOTS * (part + 1) / parts).mapToObj(Integer::toString)
                .collect(Collectors.joining(" "));
    }

    /** Moves the slots of the last master that hold keys to the first one. */
    private static void moveSlots(List<RedisNode> masters) {
        RedisNode from = masters.getLast();
        RedisNode to = masters.getFirst();
        Map<String, List<String>> keys = from.command("KEYS *").lines().filter(line -> !line.isEmpty())
                .collect(Collectors.groupingBy(key -> from.command("CLUSTER KEYSLOT " + key)));
        keys.forEach((slot, names) -> {
            to.command("CLUSTER SETSLOT " + slot + " IMPORTING " + from.command("CLUSTER MYID"));
            from.command("CLUSTER SETSLOT " + slot + " MIGRATING " + to.command("CLUSTER MYID"));
            names.forEach(key -> from.command("MIGRATE 127.0.0.1 " + to.port() + " " + key + " 0 5000"));
            masters.forEach(node -> node.command("CLUSTER SETSLOT " + slot + " NODE " + to.command("CLUSTER MYID")));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "threads: 2\n", "singleServerConfig: [\n", "singleServerConfig:\n  adress: x\n"})
    void aFileThatNamesNoServersIsOneError(String yaml) {
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> servers(yaml))
                .withMessageStartingWith("TRAWL_REDIS_CONFIG_FILE: '" + folder.resolve("redis.yaml"))
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @Test
    void aFileThatIsMissingIsOneError() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> RedisConfigFile.read(folder.resolve("none.yaml")))
                .withMessageContaining("a file that can be read");
    }

    @Test
    void aSingleServerOfAFileIsUsedAndItsPasswordIsNotShown() throws Exception {
        RedisNode node = node("requirepass hush");
        RedisServers servers = servers("password: hush\nsingleServerConfig:\n  address: " + node.url()
                + "\n  connectionPoolSize: 2\n" + "  connectionMinimumIdleSize: 1\n");
        assertThat(servers.toString()).doesNotContain("hush");
        try (RedisStore store = RedisStore.connect(servers, "t.", "c", "r", Time.system())) {
            assertThat(store.storeGeneration().increment()).isEqualTo(1);
        }
    }
}
