package io.trawl.downloader.frontier.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SlotPoolTest {
    private final SlotPool pool = new SlotPool(2);

    @Test
    void givesAsManySlotsAsItHas() {
        assertThat(pool.take()).isPresent();
        assertThat(pool.take()).isPresent();
        assertThat(pool.take()).isEmpty();
        assertThat(pool.used()).isEqualTo(pool.total()).isEqualTo(2);
    }

    @Test
    void refusesASlotThatWasReturnedAlready() {
        Slot slot = pool.take().orElseThrow();
        pool.giveBack(slot);
        assertThatThrownBy(() -> pool.giveBack(slot)).isInstanceOf(IllegalStateException.class);
        assertThat(pool.used()).isZero();
    }

    @Test
    void refusesASlotOfAnotherPool() {
        Slot foreign = new SlotPool(1).take().orElseThrow();
        assertThatThrownBy(() -> pool.giveBack(foreign)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isNeverEmptyFromTheStart() {
        assertThatThrownBy(() -> new SlotPool(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
