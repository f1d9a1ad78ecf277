package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValue;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SharesTest {
    private static final Levels ALL = Levels.NONE.with(0).with(1).with(2);

    @Test
    void strictlyTheLargestWins() {
        Dealer dealer = Shares.strict().dealer();
        for (int i = 0; i < 10; i++) {
            assertThat(dealer.next(ALL)).isEqualTo(2);
            dealer.served(2, ALL);
        }
        assertThat(dealer.next(ALL.without(2))).isEqualTo(1);
        assertThat(Shares.strict().scarcest(ALL, level -> level * 100L)).isEqualTo(2);
        assertThat(Shares.strict().plentiest(ALL, level -> level * 100L)).isZero();
    }

    @Test
    void thereIsAShareForEachPriority() {
        assertThatThrownBy(() -> Shares.of(List.of(90, 10), 3)).isInstanceOf(InvalidValue.class)
                .hasMessageContaining("TRAWL_DOWNLOADER_SHARES: '90,10' is not valid: one number for each of the 3 priorities");
    }

    @Property(tries = 200)
    void whoIsAlwaysReadyIsNeverMoreThanARoundFromItsShare(
            @ForAll @Size(min = 2, max = 10) List<@IntRange(min = 1, max = 100) Integer> wish) {
        Shares shares = Shares.of(wish, wish.size());
        Dealer dealer = shares.dealer();
        Levels all = new Levels((1 << wish.size()) - 1);
        long[] turns = new long[wish.size()];
        for (int n = 1; n <= 2000; n++) {
            int level = dealer.next(all);
            dealer.served(level, all);
            turns[level]++;
            for (int l = 0; l < turns.length; l++) {
                double due = (double) n * shares.weight(l) / shares.weight(all);
                assertThat(turns[l] - due).isBetween(-1.0 * wish.size(), 1.0 * wish.size());
            }
        }
    }

    @Property(tries = 200)
    void whoIsReadyNowAndThenSavesNothingAndStarvesNever(@ForAll long seed) {
        Random random = new Random(seed);
        Shares shares = Shares.of(List.of(90, 7, 3), 3);
        Dealer dealer = shares.dealer();
        int[] passed = new int[3];
        for (int n = 0; n < 5000; n++) {
            Levels ready = new Levels(1 + random.nextInt(7));
            int level = dealer.next(ready);
            assertThat(ready.has(level)).isTrue();
            dealer.served(level, ready);
            for (int l = 0; l < 3; l++) {
                passed[l] = l == level ? 0 : passed[l] + (ready.has(l) ? 1 : 0);
            }
            assertThat(passed[0]).as("turns given to others while it was ready").isLessThan(3 * 34);
            assertThat(passed[2]).isLessThan(6);
        }
    }
}
