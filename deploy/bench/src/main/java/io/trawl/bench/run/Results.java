package io.trawl.bench.run;

import io.trawl.codec.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of one benchmark: rows of named figures. Not thread-safe.
 */
public final class Results {
    private final String benchmark;
    private final Map<String, Object> settings;
    private final Machine machine = Machine.here();
    private final List<Map<String, Object>> rows = new ArrayList<>();

    private record Document(String benchmark, Machine machine, Map<String, Object> settings,
            List<Map<String, Object>> rows) {}

    /** @param settings the settings of this run */
    public Results(String benchmark, Map<String, Object> settings) {
        this.benchmark = benchmark;
        this.settings = new TreeMap<>(settings);
    }

    /** Adds a row from alternating names and figures. Rows may differ in their columns. */
    public void row(Object... namesAndFigures) {
        Map<String, Object> row = new LinkedHashMap<>();
        for (int i = 0; i < namesAndFigures.length; i += 2) {
            row.put(namesAndFigures[i].toString(), namesAndFigures[i + 1]);
        }
        rows.add(row);
    }

    /** Prints the table as Markdown, and writes JSON to the file, if any. */
    public void report(PrintStream out, Optional<Path> json) {
        out.println();
        out.println(benchmark + " " + settings);
        out.println(machine);
        List<String> columns = rows.stream().flatMap(row -> row.keySet().stream()).distinct().toList();
        out.println();
        out.println(line(columns));
        out.println(line(columns.stream().map(c -> "---").toList()));
        rows.forEach(row -> out.println(line(columns.stream().map(c -> shown(row.getOrDefault(c, ""))).toList())));
        json.ifPresent(this::write);
    }

    private static String line(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }

    private static String shown(Object figure) {
        return switch (figure) {
            case Double d when Math.abs(d) < 100 -> String.format(Locale.ROOT, "%.2f", d);
            case Double d -> String.format(Locale.ROOT, "%,.0f", d);
            case Long n -> String.format(Locale.ROOT, "%,d", n);
            case Integer n -> String.format(Locale.ROOT, "%,d", n);
            default -> figure.toString();
        };
    }

    private void write(Path file) {
        try {
            Files.write(file, Json.bytes(new Document(benchmark, machine, settings, rows)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The machine of the measurements.
     *
     * @param load the load average of the last minute: if other processes contribute to it, the figures are unreliable
     */
    private record Machine(String cpu, int cores, long memoryMib, String kernel, String java, String load) {
        /** This machine, now. */
        public static Machine here() {
            return new Machine(value("/proc/cpuinfo", "model name"), Runtime.getRuntime().availableProcessors(),
                    Long.parseLong(value("/proc/meminfo", "MemTotal").replaceAll("[^0-9]", "")) >> 10,
                    System.getProperty("os.name") + " " + System.getProperty("os.version"),
                    System.getProperty("java.vm.name") + " " + Runtime.version(), text("/proc/loadavg").split(" ")[0]);
        }

        private static String value(String file, String key) {
            try (Stream<String> lines = text(file).lines()) {
                return lines.filter(line -> line.startsWith(key))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse("0");
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
}
