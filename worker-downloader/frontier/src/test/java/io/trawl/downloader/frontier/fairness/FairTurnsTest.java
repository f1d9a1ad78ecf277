package io.trawl.downloader.frontier.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FairTurnsTest {
    private static final double ROUNDING = 0.001;

    private static Optional<CrawlRun> run(int number) {
        return Optional.of(new CrawlRun(new CrawlId("crawl"), number + 1));
    }

    private static FairTurns turns(List<Integer> weights) {
        return new FairTurns(new RunWeights(run -> weights.get(run.epoch() - 1), run -> Integer.MAX_VALUE));
    }

    /** Runs that wait, what they are due since they began to wait, and what they got. */
    private static final class Waiting {
        private final List<Integer> weights;
        private final FairTurns turns;
        private final List<Optional<CrawlRun>> runs = new ArrayList<>();
        private final double[] due;
        private final int[] got;

        Waiting(List<Integer> weights) {
            this.weights = weights;
            this.turns = turns(weights);
            this.due = new double[weights.size()];
            this.got = new int[weights.size()];
        }

        void begin(int number) {
            turns.begins(run(number));
            runs.add(run(number));
            due[number] = 0;
            got[number] = 0;
        }

        int turn() {
            Optional<CrawlRun> next = turns.next(runs);
            double sum = runs.stream().mapToInt(this::weight).sum();
            for (Optional<CrawlRun> run : runs) {
                due[number(run)] += weight(run) / sum;
            }
            turns.served(next, new HashSet<>(runs));
            got[number(next)]++;
            return number(next);
        }

        static int number(Optional<CrawlRun> run) {
            return run.orElseThrow().epoch() - 1;
        }

        int weight(Optional<CrawlRun> run) {
            return weights.get(number(run));
        }
    }

    @Property(tries = 300)
    void aRunThatWaitsIsNeverMoreThanATurnFromItsShare(
            @ForAll @Size(min = 2, max = 12) List<@IntRange(min = 1, max = 100) Integer> weights) {
        Waiting waiting = new Waiting(weights);
        for (int number = 0; number < weights.size(); number++) {
            waiting.begin(number);
        }
        for (int turn = 0; turn < 2000; turn++) {
            waiting.turn();
            for (int number = 0; number < weights.size(); number++) {
                assertThat(waiting.got[number] - waiting.due[number]).as("run " + number + " after " + turn)
                        .isBetween(-1 - ROUNDING, 1 + ROUNDING);
            }
        }
    }

    @Property(tries = 300)
    void nobodyIsMoreThanATurnBehindWhoeverComesAndGoes(
            @ForAll @Size(min = 2, max = 8) List<@IntRange(min = 1, max = 100) Integer> weights, @ForAll long seed) {
        Waiting waiting = new Waiting(weights);
        Random random = new Random(seed);
        waiting.begin(0);
        for (int turn = 0; turn < 1000; turn++) {
            int number = 1 + random.nextInt(weights.size() - 1);
            if (random.nextInt(3) == 0 && !waiting.runs.contains(run(number))) {
                waiting.begin(number);
            } else if (random.nextInt(5) == 0) {
                waiting.runs.remove(run(number));
            }
            waiting.turn();
            assertThat(waiting.due[0] - waiting.got[0]).as("the run that always waits, after " + turn).isLessThan(2);
        }
    }

    @Test
    void aRunThatComesBackForEachTurnGetsNoMoreThanItsShare() {
        Waiting waiting = new Waiting(List.of(100, 1));
        waiting.begin(0);
        int lightTurns = 0;
        for (int turn = 0; turn < 1010; turn++) {
            if (!waiting.runs.contains(run(1))) {
                waiting.begin(1);
            }
            if (waiting.turn() == 1) {
                lightTurns++;
                waiting.runs.remove(run(1));
            }
        }
        assertThat(lightTurns).isBetween(9, 11);
    }

    @Test
    void equalRunsAlternate() {
        Waiting waiting = new Waiting(List.of(1, 1, 1));
        for (int number = 0; number < 3; number++) {
            waiting.begin(number);
        }
        for (int turn = 0; turn < 30; turn++) {
            assertThat(waiting.turn()).isEqualTo(turn % 3);
        }
    }

    @Test
    void theNumberOfTurnsBeforeAnotherIsAboutThatWhichIsDealt() {
        Waiting waiting = new Waiting(List.of(3, 1));
        waiting.begin(0);
        waiting.begin(1);
        for (int before = 0; before < 20; before++) {
            waiting.turn();
        }
        long expected = waiting.turns.before(run(1), 5, run(0));
        int dealt = 0;
        for (int own = 0; own < 5;) {
            if (waiting.turn() == 1) {
                own++;
            } else {
                dealt++;
            }
        }
        assertThat(dealt).isBetween((int) expected - 2, (int) expected + 2);
    }
}
