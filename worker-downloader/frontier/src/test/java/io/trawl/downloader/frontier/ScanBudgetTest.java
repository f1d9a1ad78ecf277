package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.FrontierAction.Scan;
import org.junit.jupiter.api.Test;

class ScanBudgetTest {
    private final ScanBudget room = new ScanBudget(3, 1200);

    @Test
    void lowerPrioritiesPauseFirst() {
        assertThat(room.update(new long[]{400, 400, 0}, 1)).containsExactly(new Scan(0, false));
        assertThat(room.update(new long[]{400, 470, 0}, 1)).containsExactly(new Scan(1, false));
        assertThat(room.update(new long[]{400, 470, 330}, 1)).containsExactly(new Scan(2, false));
    }

    @Test
    void aPausedPriorityResumesWellBelowItsLimit() {
        room.update(new long[]{400, 400, 0}, 1);
        assertThat(room.update(new long[]{330, 330, 0}, 1)).isEmpty();
        assertThat(room.update(new long[]{260, 260, 0}, 1)).containsExactly(new Scan(0, true));
    }

    @Test
    void noFloodTakesTheShareOfAnotherPriority() {
        assertThat(room.update(new long[]{0, 0, 5000}, 1)).containsExactly(new Scan(2, false));
        assertThat(room.update(new long[]{99, 99, 5000}, 1)).isEmpty();
        assertThat(room.update(new long[]{100, 99, 5000}, 1)).containsExactly(new Scan(0, false));
    }

    @Test
    void requestsOfManyHostsReachTheLimitSooner() {
        ScanBudget large = new ScanBudget(3, 1_200_000);
        assertThat(large.update(new long[]{20_000, 20_000, 20_000}, 1000)).isEmpty();
        assertThat(large.update(new long[]{20_000, 20_000, 20_000}, 60_000)).containsExactly(new Scan(0, false),
                new Scan(1, false), new Scan(2, false));
        assertThat(large.update(new long[]{20_000, 20_000, 20_000}, 2000)).hasSize(3);
    }
}
