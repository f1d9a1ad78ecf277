package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A JVM that a test starts in order to kill it. Its output goes to a file, which a failure quotes. */
record KilledProcess(Process process, Path log) {
    /** For what must happen at some time: a busy machine must not fail a test. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    /** Starts this main class, and returns when it has created this file, whose path is its last argument. */
    static KilledProcess start(Class<?> main, Path data, Path ready) throws IOException {
        Path log = ready.resolveSibling(ready.getFileName() + ".log");
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1", main.getName(), data.toString(), ready.toString()).redirectErrorStream(true)
                .redirectOutput(log.toFile()).start();
        KilledProcess started = new KilledProcess(process, log);
        await().atMost(LIMIT).until(() -> Files.exists(ready) || !process.isAlive());
        started.assertAlive();
        return started;
    }

    void assertAlive() throws IOException {
        assertThat(process.isAlive()).as("runs until it is killed\n%s", Files.readString(log)).isTrue();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
