package io.trawl.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks the operating system what a process has used; of one that has ended nothing is known. Thread-safe. */
final class UsageReader {
    private static final long KIB = 1024;

    private UsageReader() {}

    static Optional<Usage> of(ProcessHandle process) {
        return process.info().totalCpuDuration().flatMap(cpu -> peak(process).map(peak -> new Usage(cpu, peak)));
    }

    /** {@code VmHWM:     123456 kB} */
    private static Optional<Long> peak(ProcessHandle process) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

}
