package io.trawl.coordinator.text;

import io.trawl.coordinator.summary.Counting;
import io.trawl.coordinator.summary.CrawlSummary;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Formats numbers for users. Pure functions, independent of the locale. */
public final class Figures {
    /** Shown for unknown values. */
    public static final String UNKNOWN = "–";

    private Figures() {}

    /** A warning that totals are incomplete. */
    static String incomplete(Counting counting) {
        return "counting the ledger, " + counting.percent() + " % read: these totals are incomplete";
    }

    /** {@code 12,345}. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 1 page}, {@code 12,345 pages}. */
    public static String count(long number, String noun) {
        return count(number) + " " + noun + (number == 1 ? "" : "s");
    }

    /** {@code 12,345}; {@value #UNKNOWN} if unknown. */
    static String count(Optional<Long> number) {
        return number.map(Figures::count).orElse(UNKNOWN);
    }

    /** {@code 3.4}, without a fraction from 100 on; {@value #UNKNOWN} if it is not a number. */
    public static String perSecond(double rate) {
        return Double.isNaN(rate) ? UNKNOWN : String.format(Locale.ROOT, rate >= 100 ? "%,.0f" : "%.1f", rate);
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

    /** {@code , about 3m 04s left}; empty if the remaining time of the crawl is unknown. */
    public static String left(CrawlSummary crawl) {
        return crawl.remaining().map(left -> ", about " + time(left) + " left").orElse("");
    }

    /** A moment to the second, in UTC. */
    static String moment(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** A constant of the interface as text: {@code PAGE_LIMIT} is {@code page limit}. */
    public static String word(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
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
        return counts.entrySet().stream().filter(e -> e.getValue() > 0)
                .sorted(Comparator.comparing((Map.Entry<K, Long> e) -> -e.getValue())
                        .thenComparing(e -> e.getKey().toString()))
                .map(e -> e.getKey() + " " + count(e.getValue())).collect(Collectors.joining(", "));
    }

    /** Counts by priority, the highest first: {@code p2 10, p1 300}; empty if all are 0. */
    public static String byPriority(Map<Integer, Long> counts) {
        return counts.entrySet().stream().filter(e -> e.getValue() > 0)
                .sorted(Map.Entry.<Integer, Long>comparingByKey().reversed())
                .map(e -> "p" + e.getKey() + " " + count(e.getValue())).collect(Collectors.joining(", "));
    }

    /** The sum of all counts. */
    static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
