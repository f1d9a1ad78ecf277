package io.trawl.model;

import io.trawl.definition.RefreshRules.VisitInterval;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * Pages that change at random, each at a rate of its own, and a crawler that visits them, in simulated time: how much
 * of the time its copies are those of the web. Each page changes at the same moments whatever rule the crawler has.
 * Pages are found together, and nothing is known of them but that. Times are in seconds.
 *
 * @param pages their rates are from {@code fastest} to {@code slowest}, with logarithms that are spread evenly
 * @param interval the times between two visits
 * @param round from one firing of the schedule to the next
 * @param rounds the first half is for learning, the second one is measured
 */
public record FreshnessSimulation(int pages, Duration fastest, Duration slowest, VisitInterval interval, Duration round,
        int rounds) {
    /** The times between two visits, if a crawl says nothing else. */
    public static final VisitInterval INTERVAL = new VisitInterval(Duration.ofHours(1), Duration.ofDays(90));
    /** The time to the second visit, if nothing is known of a page. */
    public static final Duration FIRST = Duration.ofDays(1);
    private static final long SEED = 7;
    private static final int MOST_QUANTILES = 2000;
    /** As in the plan of a refresh: in one entry the worth of visits differs by a twentieth. */
    private static final double STEPS = 20;
    private static final int BINS = 4096;
    private static final double JITTER = 0.1;

    /** When pages are visited, by what a number says of each. */
    public interface VisitRule {
        /** What is known of a page that was visited once. */
        long first();

        /** What is known after one more visit. */
        long after(long known, long gap, boolean changed);

        /** The time to the next visit. */
        long interval(long known);

        /** If not all that are due can be visited, those come first of which this is largest. */
        double worth(long known, long age);
    }

    /** That of a crawl with intervals. */
    public record OwnRule(VisitInterval bounds) implements VisitRule {
        private static long pack(ChangeRate rate) {
            return (long) rate.every() << Byte.SIZE | rate.evidence();
        }

        private static ChangeRate rate(long known) {
            return new ChangeRate((int) (known >> Byte.SIZE), (int) (known & 0xff));
        }

        @Override
        public long first() {
            return pack(VisitInterval.rate(FIRST));
        }

        @Override
        public long after(long known, long gap, boolean changed) {
            return pack(rate(known).after(Duration.ofSeconds(gap), changed));
        }

        @Override
        public long interval(long known) {
            return bounds.of(rate(known)).toSeconds();
        }

        @Override
        public double worth(long known, long age) {
            return age >= bounds.most().toSeconds() ? Double.MAX_VALUE : rate(known).worth(Duration.ofSeconds(age));
        }
    }

    /**
     * That of the adaptive schedule of Apache Nutch, with its own factors. The longest overdue come first.
     *
     * @param second the time to the second visit
     */
    public record NutchRule(VisitInterval bounds, Duration second) implements VisitRule {
        private static final double LONGER = 1.4;
        private static final double SHORTER = 0.8;

        @Override
        public long first() {
            return second.toSeconds();
        }

        @Override
        public long after(long known, long gap, boolean changed) {
            return Math.clamp((long) (known * (changed ? SHORTER : LONGER)), bounds.least().toSeconds(),
                    bounds.most().toSeconds());
        }

        @Override
        public long interval(long known) {
            return known;
        }

        @Override
        public double worth(long known, long age) {
            return 1.0 + Math.max(0, age - known);
        }
    }

    /**
     * What a crawler reaches.
     *
     * @param freshness the part of the time in which the copy of a page is the page, on average
     * @param perDay how many visits it makes
     * @param best the largest freshness with as many visits, none before the shortest or after the longest interval, if
     * all rates are known (Cho and Garcia-Molina, 2003)
     */
    public record Freshness(double freshness, double perDay, double best) {
        /** Of the best that is possible. */
        public double share() {
            return freshness / best;
        }
    }

    /** The crawler's memory, and the moments at which pages change. */
    private static final class Pages {
        private final double[] rates;
        private final long[] known;
        private final long[] visited;
        private final long[] due;
        /** Of each page the first change after its last visit, and the number of that change. */
        private final double[] changes;
        private final int[] numbers;
        private double fresh;

        Pages(double[] rates, VisitRule rule) {
            this.rates = rates;
            this.known = new long[rates.length];
            this.visited = new long[rates.length];
            this.due = new long[rates.length];
            this.changes = new double[rates.length];
            this.numbers = new int[rates.length];
            Arrays.fill(known, rule.first());
            for (int page = 0; page < rates.length; page++) {
                changes[page] = pause(page);
                due[page] = next(page, rule);
            }
        }

        private double pause(int page) {
            return FreshnessSimulation.pause(rates[page], page, numbers[page]);
        }

        private long next(int page, VisitRule rule) {
            return visited[page]
                    + (long) (rule.interval(known[page]) * (1 - JITTER * unit(~page, (int) visited[page])));
        }

        void count(int page, long from, long now) {
            fresh += Math.max(0, Math.min(changes[page], now) - Math.max(visited[page], from));
        }

        void visit(int page, long now, VisitRule rule) {
            known[page] = rule.after(known[page], now - visited[page], changes[page] <= now);
            while (changes[page] <= now) {
                numbers[page]++;
                changes[page] += pause(page);
            }
            visited[page] = now;
            due[page] = next(page, rule);
        }
    }

    /** A number from 0 to 1 (the end of SplitMix64). */
    private static double unit(int page, int number) {
        long z = SEED + page * 0x9e3779b97f4a7c15L + number * 0xd1b54a32d192ed03L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return ((z ^ z >>> 31) >>> 11) * 0x1p-53;
    }

    private static double pause(double rate, int page, int number) {
        return -Math.log(1 - unit(page, number)) / rate;
    }

    private double[] rates(int many) {
        double[] rates = new double[many];
        Arrays.setAll(rates, i -> rate(i, many));
        return rates;
    }

    private double rate(int i, int many) {
        double spread = Math.log((double) slowest.toSeconds() / fastest.toSeconds());
        return Math.exp(-spread * (i + 0.5) / many) / fastest.toSeconds();
    }

    /**
     * What a page shows.
     *
     * @param number 0 at the moment 0; it is older than that
     */
    public record Version(int number, double from, double until) {}

    /** What a page shows at a moment, whatever rule a crawler has. */
    public Version version(int page, double moment) {
        double rate = rate(page, pages);
        Version version = new Version(0, -pause(rate, page, -1), pause(rate, page, 0));
        while (version.until() <= moment) {
            int number = version.number() + 1;
            version = new Version(number, version.until(), version.until() + pause(rate, page, number));
        }
        return version;
    }

    /** What a crawler reaches that was no simulation. @param visits of each page, the moments in their order */
    public Freshness measured(List<List<Double>> visits) {
        double end = (double) round.toSeconds() * rounds;
        double begin = end / 2;
        double fresh = 0;
        long many = 0;
        for (int page = 0; page < pages; page++) {
            List<Double> of = visits.get(page);
            for (int i = 0; i < of.size(); i++) {
                double next = i + 1 < of.size() ? of.get(i + 1) : end;
                many += of.get(i) >= begin && of.get(i) < end ? 1 : 0;
                fresh += Math.max(0,
                        Math.min(Math.min(next, end), version(page, of.get(i)).until()) - Math.max(of.get(i), begin));
            }
        }
        return freshness(fresh, many, end - begin);
    }

    private Freshness freshness(double fresh, long visits, double measured) {
        return new Freshness(fresh / pages / measured, visits / measured * Duration.ofDays(1).toSeconds(),
                best(visits / measured / pages));
    }

    /** @param visitsPerRound how many visits a firing makes at most */
    public Freshness run(VisitRule rule, long visitsPerRound) {
        Pages all = new Pages(rates(pages), rule);
        int[] bins = new int[pages];
        long begin = round.toSeconds() * (rounds / 2);
        long visits = 0;
        for (int number = 1; number <= rounds; number++) {
            long now = number * round.toSeconds();
            int[] least = least(all, bins, rule, now, visitsPerRound);
            for (int page = 0; page < pages; page++) {
                if (all.due[page] <= now && (bins[page] > least[0] || bins[page] == least[0] && least[1]-- > 0)) {
                    visits += now > begin ? 1 : 0;
                    all.count(page, begin, now);
                    all.visit(page, now, rule);
                }
            }
        }
        double measured = (double) round.toSeconds() * rounds - begin;
        for (int page = 0; page < pages; page++) {
            all.count(page, begin, round.toSeconds() * rounds);
        }
        return freshness(all.fresh, visits, measured);
    }

    /** The worth that a visit needs, and how many with just this are made. @param bins is filled with that of pages */
    private int[] least(Pages all, int[] bins, VisitRule rule, long now, long most) {
        int[] many = new int[BINS];
        for (int page = 0; page < pages; page++) {
            if (all.due[page] <= now) {
                double worth = STEPS * Math.log(rule.worth(all.known[page], now - all.visited[page]));
                bins[page] = Math.clamp((long) Math.floor(worth) + BINS / 2, 0, BINS - 1);
                many[bins[page]]++;
            }
        }
        long left = most;
        for (int bin = BINS - 1; bin >= 0; bin--) {
            if (many[bin] >= left) {
                return new int[]{bin, (int) left};
            }
            left -= many[bin];
        }
        return new int[]{-1, 0};
    }

    /** By Lagrange; with many pages for pages between them. @param visits of a page in a second, on average */
    private double best(double visits) {
        double[] rates = rates(Math.min(pages, MOST_QUANTILES));
        double price = root(1 / rates[rates.length - 1],
                mu -> visits - DoubleStream.of(rates).map(rate -> frequency(rate, mu)).average().orElseThrow());
        return DoubleStream.of(rates).map(rate -> {
            double often = frequency(rate, price);
            return often / rate * (1 - Math.exp(-rate / often));
        }).average().orElseThrow();
    }

    private double frequency(double rate, double price) {
        double wanted = price * rate;
        double often = wanted >= 1 ? 0 : rate / root(100, x -> 1 - Math.exp(-x) * (1 + x) - wanted);
        return Math.clamp(often, 1.0 / interval.most().toSeconds(), 1.0 / interval.least().toSeconds());
    }

    /** Where an increasing function is 0, between 0 and a bound. */
    private static double root(double bound, DoubleUnaryOperator function) {
        double from = 0;
        double to = bound;
        for (int i = 0; i < 60; i++) {
            double middle = (from + to) / 2;
            if (function.applyAsDouble(middle) < 0) {
                from = middle;
            } else {
                to = middle;
            }
        }
        return to;
    }
}
