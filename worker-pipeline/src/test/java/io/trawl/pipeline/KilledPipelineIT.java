package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.testkit.TestTimeouts;
import io.trawl.worker.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pipelines in separate JVMs, killed or paused between two steps of storing, with a real broker; an item processor
 * drops some items and fails on others.
 */
class KilledPipelineIT {
    private static final Map<String, String> SMALL_FILES = Map.of("trawl.pipeline.file-size", "2000",
            "trawl.pipeline.file-idle", "300ms", "trawl.pipeline.file-age", "300ms");
    private static final Map<String, String> ARCHIVES = Map.of("trawl.pipeline.file-size", "30000",
            "trawl.pipeline.file-idle", "300ms", "trawl.pipeline.file-age", "300ms");
    /** Items are in topics long before their files are finished. */
    private static final Map<String, String> LARGE_FILES = Map.of("trawl.pipeline.file-idle", "10s");
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

    private Process process(FaultStep faultStep, int passed, Optional<Path> until) throws Exception {
        return process(faultStep, passed, until, faultStep == FaultStep.PUBLISH ? LARGE_FILES : SMALL_FILES);
    }

    private Process process(FaultStep faultStep, int passed, Optional<Path> until, Map<String, String> settings)
            throws Exception {
        Process process = PipelineProcess.start(temp.resolve("log"), fixture.properties(settings), faultStep, passed,
                until);
        processes.add(process);
        return process;
    }

    private Worker finishedBy(Map<String, String> settings) throws Exception {
        Worker worker = fixture.start(fixture.sieved(), settings);
        Map<Integer, Long> ends = fixture.ends();
        await().until(() -> fixture.storedUpTo(ends));
        fixture.assertExact();
        assertThat(fixture.files(".part")).isEmpty();
        return worker;
    }

    @Test
    void consecutiveKillsBeforeEachStepLoseAndRepeatNothing() throws Exception {
        // The second process deletes files of the first; each later process repairs the state that the previous one
        // left.
        kill(FaultStep.WRITE, 30);
        kill(FaultStep.THROW_AWAY, 0);
        kill(FaultStep.TAKE_OVER, 0);
        kill(FaultStep.SYNC, 1);
        kill(FaultStep.NAME, 1);
        kill(FaultStep.RENAME, 0);
        kill(FaultStep.RENAME, 1);
        kill(FaultStep.CLEAR, 1);
        kill(FaultStep.DONE, 1);
        finishedBy(SMALL_FILES);
    }

    private void kill(FaultStep faultStep, int passed) throws Exception {
        killed(faultStep, passed);
        fixture.assertAccountedForWhatIsCommitted();
    }

    private void killed(FaultStep faultStep, int passed) throws Exception {
        fixture.write(200);
        Process process = process(faultStep, passed, Optional.empty());
        assertThat(process.waitFor(TestTimeouts.LIMIT)).as("%s is reached", faultStep).isTrue();
        assertThat(process.exitValue()).as(Files.readString(temp.resolve("log"))).isEqualTo(PipelineProcess.DIED);
        fixture.expel(fixture.kafka.topics().pipelineGroup());
    }

    @Test
    @Tag("nightly")
    void ofItemsWithOneContentOneIsStoredAndTheOthersAreCountedThroughKills() throws Exception {
        fixture.onlyUniqueTexts();
        kill(FaultStep.WRITE, 5);
        kill(FaultStep.SYNC, 1);
        kill(FaultStep.NAME, 1);
        kill(FaultStep.RENAME, 0);
        kill(FaultStep.CLEAR, 1);
        finishedBy(SMALL_FILES);
    }

    @Test
    void aFinishedRunGetsItsManifestOnceAlthoughAProcessDiesOverIt() throws Exception {
        fixture.write(200);
        finishedBy(SMALL_FILES).stop(Duration.ofSeconds(10));
        fixture.finishDocs();
        assertThat(process(FaultStep.MARK, 0, Optional.empty()).waitFor(TestTimeouts.LIMIT)).isTrue();
        assertThat(fixture.files("_SUCCESS")).isEmpty();
        finishedBy(SMALL_FILES);
        await().until(() -> fixture.files("_SUCCESS").size() == 1);
        await().until(() -> Files.exists(fixture.out.resolve("latest/docs")));
        fixture.assertManifestOfDocs();
    }

    @Test
    @Tag("nightly")
    void ofTwoSinksEachIsExactThroughKills() throws Exception {
        fixture.withSecondSink();
        kill(FaultStep.WRITE, 30);
        kill(FaultStep.THROW_AWAY, 1);
        kill(FaultStep.SYNC, 2);
        kill(FaultStep.NAME, 1);
        kill(FaultStep.RENAME, 0);
        kill(FaultStep.RENAME, 2);
        kill(FaultStep.CLEAR, 1);
        finishedBy(SMALL_FILES);
    }

    @Test
    @Tag("nightly")
    void aSinkThatIsAwayMissesNothingAndHoldsNoFilesThroughKills() throws Exception {
        Path away = fixture.withPluginSink().resolve(IdFolder.DOWN);
        kill(FaultStep.DELIVER, 1);
        kill(FaultStep.NAME, 1);
        Files.createFile(away);
        killed(FaultStep.RENAME, 2);
        killed(FaultStep.CLEAR, 3);
        assertThat(fixture.committed().values()).anyMatch(offset -> offset.metadata().startsWith("~"));
        Files.delete(away);
        killed(FaultStep.DELIVER, 2);
        finishedBy(SMALL_FILES);
    }

    @Test
    void everyResponseIsInTheArchiveOnceThroughKills() throws Exception {
        fixture.withArchive();
        for (FaultStep step : List.of(FaultStep.WRITE, FaultStep.NAME, FaultStep.RENAME, FaultStep.CLEAR)) {
            fixture.respond(60);
            int passed = step == FaultStep.WRITE ? 30 : step == FaultStep.RENAME ? 2 : 1;
            Process process = process(step, passed, Optional.empty(), ARCHIVES);
            assertThat(process.waitFor(TestTimeouts.LIMIT)).as("%s is reached", step).isTrue();
            assertThat(process.exitValue()).as(Files.readString(temp.resolve("log"))).isEqualTo(PipelineProcess.DIED);
        }
        fixture.start(fixture.sieved(), ARCHIVES);
        awaitArchived();
        fixture.assertArchived(0);
        assertThat(fixture.files(".part")).isEmpty();
    }

    private void awaitArchived() throws Exception {
        Map<Integer, Long> ends = fixture.ends(fixture.kafka.topics().responses(), 1);
        await().until(() -> fixture.storedUpTo(fixture.kafka.topics().archiveGroup(), ends));
    }

    @Test
    void aLateArchiveHoldsWhatTheLogStillHasAndAZombieOfItsGroupDoesNoHarm() throws Exception {
        fixture.respond(40);
        try (Admin admin = fixture.kafka.kafka().admin()) {
            admin.deleteRecords(
                    Map.of(new TopicPartition(fixture.kafka.topics().responses(), 0), RecordsToDelete.beforeOffset(10)))
                    .all().get();
        }
        fixture.withArchive();
        Path wake = temp.resolve("wake");
        Process zombie = process(FaultStep.NAME, 0, Optional.of(wake), ARCHIVES);
        await().until(() -> Files.exists(PipelineProcess.waiting(wake)));
        assertThat(Files.readString(temp.resolve("log"))).contains("archived from offset 10: 10 responses before it");
        signal(zombie, "STOP");
        fixture.expel(fixture.kafka.topics().archiveGroup());
        fixture.respond(40);
        Files.createFile(wake);
        fixture.start(fixture.sieved(), ARCHIVES);
        awaitArchived();
        signal(zombie, "CONT");
        fixture.respond(40);
        awaitArchived();
        zombie.destroy();
        assertThat(zombie.waitFor(TestTimeouts.LIMIT)).isTrue();
        awaitArchived();
        fixture.assertArchived(10);
        assertThat(fixture.files(".part")).isEmpty();
    }

    @Test
    void topicsHaveTheLinesAndTheChunksOfFilesExactlyOnceThroughKills() throws Exception {
        fixture.withTopicSinkAndChunks();
        kill(FaultStep.PUBLISH, 0);
        kill(FaultStep.RENAME, 3);
        kill(FaultStep.PUBLISH, 2);
        finishedBy(SMALL_FILES);
    }

    @Test
    @Tag("nightly")
    void topicsHaveTheLinesAndTheChunksOfFilesExactlyOnceThroughKillsBeforeEachStep() throws Exception {
        fixture.withTopicSinkAndChunks();
        kill(FaultStep.PUBLISH, 0);
        kill(FaultStep.NAME, 1);
        kill(FaultStep.RENAME, 2);
        kill(FaultStep.PUBLISH, 2);
        kill(FaultStep.CLEAR, 1);
        finishedBy(SMALL_FILES);
    }

    private void signal(Process process, String signal) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor()).isZero();
    }

    private void aZombieThatWakesBefore(FaultStep faultStep) throws Exception {
        Path wake = temp.resolve("wake");
        Process zombie = stoppedBefore(faultStep, wake);
        Files.createFile(wake);
        finishedBy(SMALL_FILES);
        signal(zombie, "CONT");
        goesOn(zombie);
    }

    /** A process that is stopped as if it had no processor, with items before and behind its step. */
    private Process stoppedBefore(FaultStep faultStep, Path wake) throws Exception {
        fixture.write(300);
        Process zombie = process(faultStep, faultStep == FaultStep.TAKE_OVER ? 0 : 3, Optional.of(wake));
        await().until(() -> Files.exists(PipelineProcess.waiting(wake)));
        signal(zombie, "STOP");
        fixture.expel(fixture.kafka.topics().pipelineGroup());
        fixture.write(100);
        return zombie;
    }

    private void goesOn(Process zombie) throws Exception {
        fixture.write(300);
        Map<Integer, Long> ends = fixture.ends();
        await().until(() -> fixture.storedUpTo(ends));
        zombie.destroy();
        assertThat(zombie.waitFor(TestTimeouts.LIMIT)).isTrue();
        await().until(() -> fixture.storedUpTo(ends));
        fixture.assertExact();
    }

    /** The group is empty then, so that the broker accepts any commit that carries no membership. */
    private void aZombieThatKnowsItWasExpelledBefore(FaultStep faultStep) throws Exception {
        Path wake = temp.resolve("wake");
        Process zombie = stoppedBefore(faultStep, wake);
        finishedBy(SMALL_FILES).stop(Duration.ofSeconds(10));
        signal(zombie, "CONT");
        await().until(() -> Files.readString(temp.resolve("log")).contains(" to FENCED"));
        Files.createFile(wake);
        goesOn(zombie);
    }

    @Test
    @Tag("nightly")
    void aZombieThatKnowsItWasExpelledBeforeItsCommitDoesNoHarm() throws Exception {
        aZombieThatKnowsItWasExpelledBefore(FaultStep.NAME);
    }

    @Test
    @Tag("nightly")
    void aZombieThatKnowsItWasExpelledBeforeItDeletesThePendingNameDoesNoHarm() throws Exception {
        aZombieThatKnowsItWasExpelledBefore(FaultStep.CLEAR);
    }

    @Test
    @Tag("nightly")
    void aZombieThatKnowsItWasExpelledBeforeItsTakeOverDoesNoHarm() throws Exception {
        aZombieThatKnowsItWasExpelledBefore(FaultStep.TAKE_OVER);
    }

    @Test
    void aZombieThatWakesBeforeItsCommitDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(FaultStep.NAME);
    }

    @Test
    @Tag("nightly")
    void aZombieThatWakesBeforeItsRenameDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(FaultStep.RENAME);
    }

    @Test
    @Tag("nightly")
    void aZombieThatWakesWhileItWritesDoesNoHarm() throws Exception {
        aZombieThatWakesBefore(FaultStep.WRITE);
    }
}
