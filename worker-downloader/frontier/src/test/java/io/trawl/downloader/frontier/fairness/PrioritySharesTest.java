package io.trawl.downloader.frontier.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValueException;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PrioritySharesTest {
    private static final PrioritySet ALL = PrioritySet.NONE.with(0).with(1).with(2);

    @Test
    void withoutSharesTheLargestPriorityWins() {
        PriorityShares strict = PriorityShares.of(List.of(), 3);
        WeightedRoundRobin weightedRoundRobin = strict.roundRobin();
        for (int i = 0; i < 10; i++) {
            assertThat(weightedRoundRobin.next(ALL)).isEqualTo(2);
            weightedRoundRobin.served(2, ALL);
        }
        assertThat(weightedRoundRobin.next(ALL.without(2))).isEqualTo(1);
        assertThat(strict.scarcest(ALL, level -> level * 100L)).isEqualTo(2);
        assertThat(strict.plentiest(ALL, level -> level * 100L)).isZero();
    }

    @Test
    void thereIsAShareForEachPriority() {
        assertThatThrownBy(() -> PriorityShares.of(List.of(90, 10), 3)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(
                        "TRAWL_DOWNLOADER_SHARES: '90,10' is not valid: one number for each of the 3 priorities");
    }

    @Property(tries = 200)
    void aPriorityThatIsAlwaysReadyIsNeverMoreThanARoundFromItsShare(
            @ForAll @Size(min = 2, max = 10) List<@IntRange(min = 1, max = 100) Integer> requestedDelays) {
        PriorityShares priorityShares = PriorityShares.of(requestedDelays, requestedDelays.size());
        WeightedRoundRobin weightedRoundRobin = priorityShares.roundRobin();
        PrioritySet all = new PrioritySet((1 << requestedDelays.size()) - 1);
        long[] turns = new long[requestedDelays.size()];
        for (int n = 1; n <= 2000; n++) {
            int level = weightedRoundRobin.next(all);
            weightedRoundRobin.served(level, all);
            turns[level]++;
            for (int l = 0; l < turns.length; l++) {
                double due = (double) n * priorityShares.weight(l) / priorityShares.weight(all);
                assertThat(turns[l] - due).isBetween(-1.0 * requestedDelays.size(), 1.0 * requestedDelays.size());
            }
        }
    }

    @Property(tries = 200)
    void aPriorityThatIsReadyNowAndThenSavesNoTurnsAndNeverStarves(@ForAll long seed) {
        Random random = new Random(seed);
        PriorityShares priorityShares = PriorityShares.of(List.of(90, 7, 3), 3);
        WeightedRoundRobin weightedRoundRobin = priorityShares.roundRobin();
        int[] passed = new int[3];
        for (int n = 0; n < 5000; n++) {
            PrioritySet ready = new PrioritySet(1 + random.nextInt(7));
            int level = weightedRoundRobin.next(ready);
            assertThat(ready.has(level)).isTrue();
            weightedRoundRobin.served(level, ready);
            for (int l = 0; l < 3; l++) {
                passed[l] = l == level ? 0 : passed[l] + (ready.has(l) ? 1 : 0);
            }
            assertThat(passed[0]).as("turns given to others while it was ready").isLessThan(3 * 34);
            assertThat(passed[2]).isLessThan(6);
        }
    }
}
