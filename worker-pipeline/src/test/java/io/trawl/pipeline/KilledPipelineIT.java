package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.pipeline.sink.FaultPoint.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines in JVMs of their own, killed or paused exactly between two steps of storing, on a real broker. */
class KilledPipelineIT {
    private static final Map<String, String> SMALL_FILES = Map.of("trawl.pipeline.file-size", "2000", "trawl.pipeline.file-idle",
            "300ms");
    @TempDir
    Path temp;
    private PipelineFixture fixture;
    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void open() {
        fixture = new PipelineFixture(temp.resolve("pages"));
    }

    @AfterEach
    void close() {
        processes.forEach(Process::destroyForcibly);
        fixture.close();
    }

    private Process process(Step step, int passed, Optional<Path> until) throws Exception {
        Process process = PipelineProcess.start(temp.resolve("log"), fixture.properties(SMALL_FILES), step, passed, until);
        processes.add(process);
        return process;
    }

    private void finishedBy(Map<String, String> settings) throws Exception {
        fixture.start(Pipeline.factory(), settings);
        Map<Integer, Long> ends = fixture.ends();
        await().atMost(Duration.ofSeconds(60)).until(() -> fixture.storedUpTo(ends));
        fixture.assertExact();
        assertThat(fixture.files(".part")).isEmpty();
    }

    @Test
    void aKillBeforeEachStepOneAfterTheOtherLosesAndRepeatsNothing() throws Exception {
        // What the second one threw away was left by the first; each later one repairs what the one before it left.
        kill(Step.WRITE, 30);
        kill(Step.THROW_AWAY, 0);
        kill(Step.TAKE_OVER, 0);
        kill(Step.SYNC, 1);
        kill(Step.NAME, 1);
        kill(Step.RENAME, 0);
        kill(Step.RENAME, 1);
        kill(Step.CLEAR, 1);
        kill(Step.DONE, 1);
        finishedBy(SMALL_FILES);
    }

    private void kill(Step step, int passed) throws Exception {
        fixture.write(200);
        Process process = process(step, passed, Optional.empty());
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s is reached", step).isTrue();
        assertThat(process.exitValue()).as(Files.readString(temp.resolve("log"))).isEqualTo(PipelineProcess.DIED);
    }

    private void signal(Process process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor()).isZero();
    }

    private void aZombieThatWakesBefore(Step step) throws Exception {
        fixture.write(300);
        Path wake = temp.resolve("wake");
        Process zombie = process(step, 3, Optional.of(wake));
        await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(PipelineProcess.waiting(wake)));
        signal(zombie, "STOP");
        fixture.write(100);
        Files.createFile(wake);
        finishedBy(SMALL_FILES);
        signal(zombie, "CONT");
        fixture.write(300);
        Map<Integer, Long> ends = fixture.ends();
        await().atMost(Duration.ofSeconds(60)).until(() -> fixture.storedUpTo(ends));
        zombie.destroy();
        assertThat(zombie.waitFor(30, TimeUnit.SECONDS)).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> fixture.storedUpTo(ends));
        fixture.assertExact();
    }

    @Test
    void aZombieThatWakesBeforeItsCommitDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(Step.NAME);
    }

    @Test
    void aZombieThatWakesBeforeItsRenameDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(Step.RENAME);
    }

    @Test
    void aZombieThatWakesWhileItWritesDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(Step.WRITE);
    }
}
