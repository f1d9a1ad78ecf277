package io.trawl.bench.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The resource usage of a process.
 *
 * @param cpu user and system time of all its threads
 * @param peakMemory the peak resident set size in bytes
 */
public record Usage(Duration cpu, long peakMemory) {
    /** No usage. */
    public static final Usage NONE = new Usage(Duration.ZERO, 0);

    /** The usage since an earlier sample; the peak remains that of the whole life. */
    public Usage since(Usage earlier) {
        return new Usage(cpu.minus(earlier.cpu), peakMemory);
    }

    /** The sum for two processes. */
    public Usage and(Usage other) {
        return new Usage(cpu.plus(other.cpu), peakMemory + other.peakMemory);
    }

    /** Reads the usage of a process from the operating system; empty after its end. Thread-safe. */
    static final class UsageReader {
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
                        .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB).findFirst();
            } catch (IOException e) {
                return Optional.empty();
            }
        }

    }
}
