package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Counts;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The replies of a real server that cannot work, and Trawl's reaction to them. */
class RedisFailuresIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Fact FACT = new Fact(new Fingerprint(1, 2), UrlFacts.requested(1));
    /** Causes a write, whereas a known fact causes only a read. */
    private static final Fact NEW_FACT = new Fact(new Fingerprint(1, 2), UrlFacts.requested(0));
    private final TestRedis redis = TestRedis.start();

    @AfterEach
    void end() {
        redis.close();
    }

    /** The server refuses a write with this error code, and accepts it when the failure is over. */
    private void failsTemporarily(String word, Runnable failure, Runnable recovery) {
        try (RedisStore store = redis.store("t.")) {
            Ledger ledger = store.ledger();
            ledger.learn(RUN, List.of(FACT));
            failure.run();
            assertThatExceptionOfType(LedgerUnavailableException.class)
                    .isThrownBy(() -> ledger.learn(RUN, List.of(NEW_FACT))).withStackTraceContaining(word);
            recovery.run();
            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class).untilAsserted(
                    () -> assertThat(ledger.learn(RUN, List.of(NEW_FACT))).containsExactly(UrlFacts.requested(1)));
        }
    }

    /** The server answers and takes no writes: everybody tells the reason, and who is registered is still told. */
    private void refusesWrites(String reason, Runnable failure, Runnable recovery) {
        String message = "Redis refuses writes: " + reason;
        try (RedisStore store = redis.store("t.")) {
            Registrar registrar = store.registrar();
            registrar.register(module("D1|h:1"), Duration.ofMillis(50));
            registrar.register(module("D2|h:1"), Duration.ofHours(1));
            failure.run();
            assertThatExceptionOfType(WritesRefusedException.class)
                    .isThrownBy(() -> registrar.register(module("D1|h:1"), Duration.ofHours(1)))
                    .withMessageMatching(message);
            assertThat(registrar.refusal()).hasValueSatisfying(why -> assertThat(why).matches(message));
            await().until(() -> registrar.all().equals(List.of(module("D2|h:1"))));
            recovery.run();
            await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class).until(() -> {
                registrar.register(module("D1|h:1"), Duration.ofHours(1));
                return registrar.refusal().isEmpty();
            });
        }
    }

    private static Registration module(String mid) {
        return new Registration(MID.parse(mid), 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(),
                Phase.RUNNING);
    }

    @Test
    void whatAServerOutOfMemorySays() {
        refusesWrites("memory is full \\([0-9.]+ MB used, limit 0\\.0 MB\\)",
                () -> redis.command("CONFIG SET maxmemory 1"), () -> redis.command("CONFIG SET maxmemory 0"));
    }

    @Test
    void whatAServerThatCannotSaveSays() throws IOException {
        Files.createDirectory(redis.folder().resolve("dump.rdb"));
        refusesWrites("it cannot write to its disk \\(Redis is configured to save RDB snapshots, but [^.]*\\)", () -> {
            redis.command("CONFIG SET save \"3600 1\"");
            redis.command("BGSAVE");
            await().until(() -> redis.command("INFO persistence").contains("rdb_last_bgsave_status:err"));
        }, () -> redis.command("CONFIG SET save \"\""));
    }

    @Test
    void whatAReadOnlyReplicaSays() {
        refusesWrites("this server is a read-only replica", () -> redis.command("REPLICAOF 127.0.0.1 1"),
                () -> redis.command("REPLICAOF NO ONE"));
    }

    @Test
    void whatAServerWithoutItsReplicasSays() {
        refusesWrites("too few of its replicas are connected",
                () -> redis.command("CONFIG SET min-replicas-to-write 1"),
                () -> redis.command("CONFIG SET min-replicas-to-write 0"));
    }

    @Test
    void aServerOutOfMemoryIsATemporaryFailure() {
        failsTemporarily("maxmemory", () -> redis.command("CONFIG SET maxmemory 1"),
                () -> redis.command("CONFIG SET maxmemory 0"));
    }

    @Test
    void aServerThatCannotSaveIsATemporaryFailure() throws IOException {
        Files.createDirectory(redis.folder().resolve("dump.rdb"));
        failsTemporarily("MISCONF ", () -> {
            redis.command("CONFIG SET save \"3600 1\"");
            redis.command("BGSAVE");
            await().until(() -> redis.command("INFO persistence").contains("rdb_last_bgsave_status:err"));
        }, () -> redis.command("CONFIG SET save \"\""));
    }

    @Test
    void aReadOnlyReplicaIsATemporaryFailure() {
        failsTemporarily("READONLY ", () -> redis.command("REPLICAOF 127.0.0.1 1"),
                () -> redis.command("REPLICAOF NO ONE"));
    }

    @Test
    void aReplicaThatHasLostItsMasterIsATemporaryFailure() {
        failsTemporarily("MASTERDOWN ", () -> {
            redis.command("CONFIG SET replica-serve-stale-data no");
            redis.command("REPLICAOF 127.0.0.1 1");
        }, () -> redis.command("REPLICAOF NO ONE"));
    }

    @Test
    void aMasterThatHasLostItsReplicasIsATemporaryFailure() {
        failsTemporarily("NOREPLICAS ", () -> redis.command("CONFIG SET min-replicas-to-write 1"),
                () -> redis.command("CONFIG SET min-replicas-to-write 0"));
    }

    @Test
    void aServerThatIsBusyWithAScriptIsATemporaryFailure() {
        redis.command("CONFIG SET lua-time-limit 10");
        failsTemporarily("BUSY ", () -> {
            Thread.ofVirtual().start(() -> redis.command("EVAL \"while true do end\" 0"));
            await().until(() -> redis.command("PING").startsWith("BUSY"));
        }, () -> redis.command("SCRIPT KILL"));
    }

    @Test
    void aServerThatLoadsItsDataIsATemporaryFailure() throws IOException {
        redis.allowDebugCommand();
        redis.command("CONFIG SET rdbcompression no");
        redis.command("DEBUG POPULATE 4000 key 10000");
        redis.command("CONFIG SET key-load-delay 2000");
        failsTemporarily("LOADING ", () -> {
            Thread.ofVirtual().start(() -> redis.command("DEBUG RELOAD"));
            await().until(() -> redis.command("GET x").startsWith("LOADING"));
        }, () -> redis.command("CONFIG SET key-load-delay 0"));
    }

    @Test
    void aPasswordForAServerWithoutOneIsAnErrorOfTheUser() {
        redis.command("ACL SETUSER default on nopass allkeys +@all");
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(
                        () -> RedisStore.connect(RedisServers.at(redis.url(":guess")), "t.", "c", "r", Time.system()))
                .withMessageContaining("TRAWL_REDIS_URL").withMessageNotContaining("guess");
    }

    @Test
    void aServerWithoutTheConfigCommandIsUsable() throws IOException {
        redis.startAgainWith("--rename-command", "CONFIG", "");
        try (RedisStore store = redis.store("t.")) {
            assertThat(store.check()).singleElement().asString().contains("CONFIG GET");
        }
    }
}
