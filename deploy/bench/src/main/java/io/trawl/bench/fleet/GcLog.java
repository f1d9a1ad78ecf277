package io.trawl.bench.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the garbage collections of processes were, by the logs that their JVMs have written.
 *
 * @param collections the number of all
 * @param full the number of those of the whole heap
 * @param cpu their user and system time, by the clock ticks of the operating system
 * @param allocated the bytes that were allocated until the last collection, to a mebibyte for each collection
 */
public record GcLog(int collections, int full, Duration cpu, long allocated) {
    /** No collection. */
    public static final GcLog NONE = new GcLog(0, 0, Duration.ZERO, 0);
    private static final String SUFFIX = ".gc";
    private static final Pattern PAUSE = Pattern.compile("Pause (Full|\\w+).* (\\d+)M->(\\d+)M\\(");
    private static final Pattern CPU = Pattern.compile("User=([0-9.]+)s Sys=([0-9.]+)s");
    private static final double MILLIS = 1e3;

    /** The value of {@code JAVA_TOOL_OPTIONS} with which a process of this name and its children write such logs. */
    static String option(Path logs, String name) {
        return "'-Xlog:gc,gc+cpu:file=" + logs.resolve(name + "-%p" + SUFFIX) + "'";
    }

    /** Reads the logs of the processes with these names, and of their children. */
    public static GcLog of(Path logs, Collection<String> names) {
        try (Stream<Path> files = Files.list(logs)) {
            return files
                    .filter(file -> names.contains(file.getFileName().toString().replaceFirst("-\\d+" + SUFFIX, "")))
                    .map(GcLog::of).reduce(NONE, GcLog::and);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static GcLog of(Path file) {
        try {
            return of(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static GcLog of(List<String> lines) {
        int collections = 0;
        int full = 0;
        long mebibytes = 0;
        long live = 0;
        double seconds = 0;
        for (String line : lines) {
            Matcher pause = PAUSE.matcher(line);
            Matcher cpu = CPU.matcher(line);
            if (pause.find()) {
                collections++;
                full += pause.group(1).equals("Full") ? 1 : 0;
                mebibytes += Long.parseLong(pause.group(2)) - live;
                live = Long.parseLong(pause.group(3));
            } else if (cpu.find()) {
                seconds += Double.parseDouble(cpu.group(1)) + Double.parseDouble(cpu.group(2));
            }
        }
        return new GcLog(collections, full, Duration.ofMillis(Math.round(seconds * MILLIS)), mebibytes << 20);
    }

    /** The sum for two processes. */
    private GcLog and(GcLog other) {
        return new GcLog(collections + other.collections, full + other.full, cpu.plus(other.cpu),
                allocated + other.allocated);
    }
}
