package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.Repository;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts Redis in the containers of compose and Kubernetes, on the redis-server of this machine. */
class ContainerRedisIT {
    private static final Path SCRIPT = Repository.file("deploy/kubernetes/components/in-cluster/redis-start.sh");
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final String PASSWORD = "a-password";
    @TempDir
    private Path temp;
    private @Nullable Process running;
    private int port;

    @BeforeEach
    void programs() throws IOException {
        TestRedis.shared().linkProgram(temp.resolve("redis-server"));
        Path entry = Files.writeString(temp.resolve("docker-entrypoint.sh"), "#!/bin/sh\nexec \"$@\"\n");
        assertThat(entry.toFile().setExecutable(true)).isTrue();
        port = FreePort.find();
    }

    @AfterEach
    void end() throws Exception {
        if (running != null) {
            running.destroyForcibly().waitFor();
        }
    }

    private Process start(Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", SCRIPT.toString(), "--port", Integer.toString(port), "--bind",
                "127.0.0.1", "--dir", temp.toString()).redirectErrorStream(true)
                .redirectOutput(temp.resolve("log").toFile());
        builder.environment().putAll(Map.of("TMPDIR", temp.toString(), "PATH", temp + ":" + System.getenv("PATH")));
        builder.environment().putAll(environment);
        Process process = builder.start();
        running = process;
        return process;
    }

    private RedisStore connect(String user) {
        return RedisStore.connect(RedisServers.at("redis://" + user + "127.0.0.1:" + port), "t.", "c", "r",
                Time.system());
    }

    @Test
    void admitsTrawlWithItsPasswordOnlyAndHasTheSettingsOfTheLedger() throws Exception {
        Process process = start(Map.of("REDIS_PASSWORD", PASSWORD));
        try (RedisStore store = connected()) {
            assertThat(store.check()).isEmpty();
        }
        for (String user : List.of("", "trawl:guess@", ":" + PASSWORD + "@")) {
            assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> connect(user).close());
        }
        assertThat(process.info().commandLine().orElse("")).doesNotContain(PASSWORD);
        for (String file : List.of("operator", "redis.conf")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temp.resolve(file))))
                    .isEqualTo("rw-------");
        }
    }

    /** Several writes of a script are one transaction in the file. */
    @Test
    void keepsWhatScriptsWroteWhenItIsKilled() throws Exception {
        List<Fingerprint> urls = IntStream.range(0, 10).mapToObj(i -> new Fingerprint(i, i)).toList();
        Process process = start(Map.of("REDIS_PASSWORD", PASSWORD));
        try (RedisStore store = connected()) {
            store.ledger().learn(RUN, urls.stream().map(url -> new Fact(url, UrlFacts.requested(1))).toList());
        }
        process.destroyForcibly().waitFor();
        start(Map.of("REDIS_PASSWORD", PASSWORD));
        try (RedisStore store = connected()) {
            assertThat(store.ledger().lookUp(RUN, urls)).containsOnly(UrlFacts.requested(1));
        }
    }

    private RedisStore connected() {
        return await().ignoreExceptionsInstanceOf(LedgerUnavailableException.class)
                .until(() -> connect("trawl:" + PASSWORD + "@"), Objects::nonNull);
    }

    @Test
    void refusesAPasswordThatAConfigurationFileCannotHold() throws Exception {
        for (String password : List.of("", "two words", "a\nuser x on nopass")) {
            Process process = start(Map.of("REDIS_PASSWORD", password));
            assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
            assertThat(temp.resolve("log")).content().startsWith("REDIS_PASSWORD must be set").hasLineCount(1);
        }
    }
}
