package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.RefreshRules.VisitInterval;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Pages that change at random, at rates of their own, visited by the rules that a crawl has. */
class ChangeRateTest {
    private static final double HOUR = 3600;
    private static final double DAY = 24 * HOUR;
    private static final int PAGES = 400;
    private static final int ROUNDS = 24 * 200;
    private static final VisitInterval INTERVAL = new VisitInterval(Duration.ofHours(1), Duration.ofDays(90));

    /** A page of the simulated web, and what a crawler knows of it. Times are in seconds. */
    private static final class Page {
        private final double rate;
        private double changes;
        private double visited;
        private double fresh;
        private ChangeRate known = VisitInterval.rate(Duration.ofDays(1));

        Page(Random random) {
            this.rate = 1 / Math.exp(Math.log(2 * HOUR) + random.nextDouble() * Math.log(180 * 12));
            this.changes = next(0, random);
        }

        private double next(double now, Random random) {
            return now - Math.log(1 - random.nextDouble()) / rate;
        }

        Duration age(double now) {
            return Duration.ofSeconds((long) (now - visited));
        }

        void count(double from, double now) {
            fresh += Math.max(0, Math.min(changes, now) - Math.max(visited, from));
        }

        void visit(double now, Random random) {
            known = known.after(age(now), changes <= now);
            if (changes <= now) {
                changes = next(now, random);
            }
            visited = now;
        }
    }

    /** How often a crawler visits, and how much of the time its copies are those of the web. */
    private record Crawl(double freshness, double visitsPerSecond) {}

    private static Crawl crawl(int visitsPerRound) {
        Random random = new Random(7);
        List<Page> pages = IntStream.range(0, PAGES).mapToObj(_ -> new Page(random)).toList();
        double begin = ROUNDS * HOUR / 2;
        long visits = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            double now = round * HOUR;
            List<Page> due = pages.stream().filter(page -> page.age(now).compareTo(INTERVAL.of(page.known)) >= 0)
                    .sorted(Comparator.comparingDouble((Page page) -> -page.known.worth(page.age(now))))
                    .limit(visitsPerRound).toList();
            due.forEach(page -> {
                page.count(begin, now);
                page.visit(now, random);
            });
            visits += now > begin ? due.size() : 0;
        }
        pages.forEach(page -> page.count(begin, ROUNDS * HOUR));
        return new Crawl(pages.stream().mapToDouble(page -> page.fresh).sum() / PAGES / begin, visits / begin);
    }

    /** The largest freshness with so many visits if all rates are known, by Lagrange (Cho and Garcia-Molina, 2003). */
    private static double best(double visitsPerSecond) {
        Random random = new Random(7);
        double[] rates = IntStream.range(0, PAGES).mapToObj(_ -> new Page(random)).mapToDouble(page -> page.rate)
                .toArray();
        double price = root(1 / DoubleStream.of(rates).min().orElseThrow(),
                mu -> visitsPerSecond - DoubleStream.of(rates).map(rate -> frequency(rate, mu)).sum());
        return DoubleStream.of(rates).map(rate -> {
            double often = frequency(rate, price);
            return often == 0 ? 0 : often / rate * (1 - Math.exp(-rate / often));
        }).average().orElseThrow();
    }

    private static double frequency(double rate, double price) {
        double wanted = price * rate;
        return wanted >= 1 ? 0 : rate / root(100, x -> 1 - Math.exp(-x) * (1 + x) - wanted);
    }

    /** Where an increasing function is 0, between 0 and a bound. */
    private static double root(double bound, java.util.function.DoubleUnaryOperator function) {
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

    @Test
    void copiesAreAsFreshAsTheBestRuleWouldKeepThemButForATwentieth() {
        for (int visitsPerRound : List.of(PAGES, 30, 10, 5)) {
            Crawl crawl = crawl(visitsPerRound);
            double best = best(crawl.visitsPerSecond());
            System.out.printf("%d pages, %.0f visits a day: %.1f %% fresh, at best %.1f %%%n", PAGES,
                    crawl.visitsPerSecond() * DAY, 100 * crawl.freshness(), 100 * best);
            assertThat(crawl.freshness() / best).as("%d visits in an hour", visitsPerRound).isGreaterThan(0.95);
        }
    }

    @Test
    void aPageThatBeginsToChangeOtherwiseIsFollowed() {
        ChangeRate still = ChangeRate.guess(Duration.ofDays(1));
        for (int i = 0; i < 100; i++) {
            still = still.after(INTERVAL.of(still), false);
        }
        assertThat(Duration.ofSeconds(still.every())).isGreaterThan(Duration.ofDays(30));
        ChangeRate lively = still;
        for (int i = 0; i < 60; i++) {
            lively = lively.after(INTERVAL.of(lively), true);
        }
        assertThat(Duration.ofSeconds(lively.every())).isLessThan(Duration.ofDays(1));
    }

    @Test
    void theRateStaysInItsBoundsWhateverTheClockSays() {
        ChangeRate rate = ChangeRate.guess(Duration.ZERO);
        assertThat(rate.every()).isEqualTo(1);
        for (Duration gap : List.of(Duration.ofDays(-1), Duration.ZERO, Duration.ofDays(100_000))) {
            assertThat(rate.after(gap, true).every()).isPositive();
            assertThat(rate.after(gap, false).every()).isPositive();
            assertThat(rate.worth(gap)).isBetween(0.0, 1.0);
        }
        assertThat(ChangeRate.guess(Duration.ofDays(100_000)).every()).isEqualTo(Duration.ofDays(3650).toSeconds());
    }
}
