package io.trawl.bench.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where figures were seen.
 *
 * @param load the mean number of processes that wanted to run in the minute before: more than the benchmark's own means that figures are not worth much
 */
public record Machine(String cpu, int cores, long memoryMib, String kernel, String java, String load) {
    /** This one, now. */
    public static Machine here() {
        return new Machine(value("/proc/cpuinfo", "model name"), Runtime.getRuntime().availableProcessors(),
                Long.parseLong(value("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) >> 10,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + Runtime.version(), text("/proc/loadavg").split(" ")[0]);
    }

    private static String value(String file, String key) {
        try (Stream<String> lines = text(file).lines()) {
            return lines.filter(line -> line.startsWith(key)).map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst().orElse("0");
        }
    }

    private static String text(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
