package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The logs of containers that lack a dependency or a setting. Skipped like {@link ComposeIT}. */
@Tag("containers")
class ContainerFaultsIT {
    private static final String EVENT = "\\d{4}-\\d\\d-\\d\\dT[0-9:.]+ (INFO|WARN|ERROR) .*";
    private static final String NO_KAFKA = "waiting for Kafka at kafka:9092 (";
    private static final String NO_REDIS = "waiting for Redis at redis://redis:6379 (";
    private static final String NOT_SET = "trawl: TRAWL_KAFKA_BOOTSTRAP_SERVERS: '' is not valid: it must be set";
    private static final String WRONG_PASSWORD = "trawl: TRAWL_REDIS_URL: 'redis://redis:6379' is not valid: with the user and the password that";
    private static final String NO_ROOM = "pipeline: waiting for output folder: cannot write to /data/pages: No space left on device";
    /** The processes of the compose file, one without settings, and a disk of a megabyte. */
    private static final Map<String, ?> OVERRIDE = Map.of("services",
            Map.of("unset", Map.of("image", "trawl/downloader:test", "restart", "unless-stopped"), "analyzer",
                    Map.of("environment", Map.of("TRAWL_REDIS_URL", "redis://trawl:wrong@redis:6379"))),
            "volumes", Map.of("pages",
                    Map.of("driver_opts", Map.of("type", "tmpfs", "device", "tmpfs", "o", "size=1m,mode=1777"))));
    @TempDir
    private static Path folder;

    @BeforeAll
    static void containers() throws IOException {
        ComposeStack.demand();
    }

    @Test
    void aContainerReportsAMissingDependencyInOneLineStaysUnreadyAndRecoversByItself() throws Exception {
        try (ComposeStack stack = new ComposeStack(folder, OVERRIDE, Map.of())) {
            up(stack, "coordinator", "analyzer", "pipeline", "unset");
            stack.inside("pipeline", "sh", "-c", "head -c 2000000 /dev/zero >/data/filler");
            said(stack, "unset", NOT_SET);
            await(stack, "a restart", () -> restarted(stack, "unset"));
            said(stack, "coordinator", NO_KAFKA);
            assertThat(stack.ready("coordinator")).as("ready without Kafka").isFalse();

            up(stack, "kafka");
            said(stack, "coordinator", NO_REDIS);
            assertThat(stack.ready("coordinator")).as("ready without Redis").isFalse();

            up(stack, "redis");
            await(stack, "the coordinator", () -> stack.ready("coordinator"));
            said(stack, "analyzer", WRONG_PASSWORD);
            await(stack, "a restart", () -> restarted(stack, "analyzer"));
            said(stack, "pipeline", NO_ROOM);
            assertThat(stack.ready("pipeline")).as("ready without room").isFalse();

            admit(stack, "wrong");
            stack.inside("pipeline", "rm", "/data/filler").good();
            await(stack, "the pipeline", () -> stack.ready("pipeline"));
            await(stack, "the analyzer", () -> stack.ready("analyzer"));
            for (String service : List.of("coordinator", "analyzer", "pipeline", "unset")) {
                assertThat(stack.lines(service)).as("nothing but sentences").isNotEmpty()
                        .allMatch(line -> line.startsWith("trawl: ") || line.matches(EVENT), service);
            }
        }
    }

    /** Starts a container without Kafka and Redis. */
    private static void up(ComposeStack stack, String... services) {
        List<String> command = new java.util.ArrayList<>(List.of("up", "-d", "--no-deps"));
        command.addAll(List.of(services));
        stack.compose(command.toArray(String[]::new));
    }

    private static void said(ComposeStack stack, String service, String line) {
        await(stack, service + ": " + line,
                () -> stack.lines(service).stream().anyMatch(printed -> printed.contains(line)));
    }

    /** The engine has restarted it after its exit status 2. */
    private static boolean restarted(ComposeStack stack, String service) {
        String[] state = ComposeStack
                .inspect(stack.containers(service).getFirst(), "{{.RestartCount}} {{.State.ExitCode}}").split(" ");
        return Integer.parseInt(state[0]) > 0 && state[1].equals("2");
    }

    /** One more password of Trawl's user. */
    private static void admit(ComposeStack stack, String password) {
        stack.inside("redis", "sh", "-c",
                "REDISCLI_AUTH=$(cat /tmp/operator) redis-cli --user operator ACL SETUSER trawl '>" + password + "'")
                .good();
    }

    private static void await(ComposeStack stack, String what, Callable<Boolean> condition) {
        try {
            Awaitility.await(what).pollInterval(Duration.ofMillis(300)).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + " did not happen\n" + stack.printed(), e);
        }
    }
}
