package io.trawl.standalone.report;

import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Numbers as people read them. Pure functions, the same in every locale. */
public final class Figures {
    private Figures() {}

    /** Requests that are answered. */
    static long done(Totals totals) {
        return totals.emitted() - totals.waiting();
    }

    /** Errors of both kinds. */
    static long errors(Totals totals) {
        return totals.httpErrors() + totals.failures();
    }

    /** {@code 12,345}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 3.4/s}, without a fraction from 100 on. */
    public static String perSecond(double rate) {
        return String.format(Locale.ROOT, rate >= 100 ? "%,.0f" : "%.1f", rate);
    }

    /** {@code 12s}, {@code 3m 04s}, {@code 2h 05m}. */
    public static String time(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1fs", duration.toMillis() / 1000.0);
        }
        if (seconds < 60) {
            return seconds + "s";
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%dm %02ds", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%dh %02dm", seconds / 3600, seconds / 60 % 60);
    }

    /** {@code 34.2 MB}. */
    public static String bytes(long bytes) {
        String[] units = {"bytes", "kB", "MB", "GB", "TB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1000 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }

    /** {@code ROBOTS 12, DEPTH 3}: the largest first. */
    public static <K> String largestFirst(Map<K, Long> counts) {
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Comparator.comparing((Map.Entry<K, Long> e) -> -e.getValue()).thenComparing(e -> e.getKey().toString()))
                .map(e -> e.getKey() + " " + count(e.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** What waits, by priority, the highest first: {@code p2 10, p1 300}; empty if nothing does. */
    static String queues(CrawlSummary summary) {
        return summary.waitingByPriority().entrySet().stream()
                .filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<Integer, Long>comparingByKey().reversed())
                .map(e -> "p" + e.getKey() + " " + count(e.getValue()))
                .collect(Collectors.joining(", "));
    }
}
