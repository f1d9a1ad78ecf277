package io.trawl.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Remembers in the data folder which redis-server process works on it, so that the next run can end one that was left behind. */
final class RedisLease {
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);
    private final Path folder;
    private final Notes notes;

    RedisLease(Path folder) {
        this.folder = folder;
        this.notes = new Notes(folder.resolve("process.properties"));
    }

    /** Notes the process that works on the folder now. */
    void write(ProcessHandle process) {
        process.info().startInstant().ifPresent(at -> notes.put("process", process.pid() + " " + at));
    }

    /**
     * Ends the redis-server that still works on the folder, if there is one. It is ours if it answers at our port and names our folder, or, if it
     * does not answer, if process id and start time are those noted.
     *
     * @param port of the last run, or 0
     */
    void endOrphan(int port) {
        Optional<ProcessHandle> answering = port == 0
                ? Optional.empty()
                : RedisProcess.at(port, folder).flatMap(ProcessHandle::of);
        answering.ifPresentOrElse(orphan -> RedisProcess.stop(orphan, port), () -> noted().ifPresent(RedisProcess::end));
    }

    private Optional<ProcessHandle> noted() {
        return notes.get("process").map(text -> text.split(" ")).flatMap(words -> ProcessHandle.of(Long.parseLong(words[0]))
                .filter(ProcessHandle::isAlive)
                .filter(process -> startedAt(process, Instant.parse(words[1]))));
    }

    private static boolean startedAt(ProcessHandle process, Instant noted) {
        return process.info().startInstant().filter(at -> Duration.between(at, noted).abs().compareTo(CLOCK_TOLERANCE) <= 0)
                .isPresent();
    }
}
