package io.trawl.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Records the redis-server process in the data folder, so that the next run can stop an orphan. */
final class RedisPidFile {
    private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);
    private final Path folder;
    private final PropertiesFile propertiesFile;

    RedisPidFile(Path folder) {
        this.folder = folder;
        this.propertiesFile = new PropertiesFile(folder.resolve("process.properties"));
    }

    /** Records the process that uses the folder. */
    void write(ProcessHandle process) {
        process.info().startInstant().ifPresent(at -> propertiesFile.put("process", process.pid() + " " + at));
    }

    /**
     * Stops the redis-server that still uses the folder, if there is one. It is an orphan of this folder if it answers
     * on the port and reports the folder or, without an answer, if process id and start time equal the recorded ones.
     *
     * @param port of the last run, or 0
     * @param operator of the last run
     */
    void endOrphan(int port, RedisUser operator) {
        Optional<ProcessHandle> answering = port == 0
                ? Optional.empty()
                : RedisProcess.at(port, operator, folder).flatMap(ProcessHandle::of);
        answering.or(this::recorded).ifPresent(RedisProcess::stop);
    }

    private Optional<ProcessHandle> recorded() {
        return propertiesFile.get("process").map(text -> text.split(" "))
                .flatMap(words -> ProcessHandle.of(Long.parseLong(words[0])).filter(ProcessHandle::isAlive)
                        .filter(process -> startedAt(process, Instant.parse(words[1]))));
    }

    private static boolean startedAt(ProcessHandle process, Instant recorded) {
        return process.info().startInstant()
                .filter(at -> Duration.between(at, recorded).abs().compareTo(CLOCK_TOLERANCE) <= 0).isPresent();
    }
}
