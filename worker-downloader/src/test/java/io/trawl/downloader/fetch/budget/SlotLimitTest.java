package io.trawl.downloader.fetch.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.memory.HeapShares;
import io.trawl.module.SlotCount.Bound;
import org.junit.jupiter.api.Test;

class SlotLimitTest {
    private static final long PLENTY = 1L << 40;

    @Test
    void thereAreAsManySlotsAsTheHeapHasRoomForConnections() {
        SlotLimit limit = SlotLimit.of(Integer.MAX_VALUE, 1000L * SlotLimit.CONNECTION, 1_000_000);
        assertThat(limit).isEqualTo(new SlotLimit(500, 1000, Bound.MEMORY));
        assertThat(limit.reason()).contains("heap");
        assertThat(SlotLimit.of(Integer.MAX_VALUE, new HeapShares(640L << 20).connections(), 1_000_000).slots())
                .as("in the heap of ./trawl crawl").isBetween(3500, 4000);
        assertThat(SlotLimit.of(Integer.MAX_VALUE, new HeapShares(256L << 20).connections(), 1_000_000).slots())
                .as("in a small heap").isGreaterThan(64);
    }

    @Test
    void aProcessThatMayOpenFewFilesHasFewSlotsAndSaysSo() {
        SlotLimit limit = SlotLimit.of(Integer.MAX_VALUE, PLENTY, 1024);
        assertThat(limit).isEqualTo(new SlotLimit(256, 512, Bound.DESCRIPTORS));
        assertThat(limit.reason()).contains("ulimit -n");
        assertThat(SlotLimit.of(Integer.MAX_VALUE, PLENTY, 20_000))
                .isEqualTo(new SlotLimit(18_464, 18_976, Bound.DESCRIPTORS));
    }

    @Test
    void theSettingIsACap() {
        assertThat(SlotLimit.of(64, PLENTY, 20_000)).isEqualTo(new SlotLimit(64, 576, Bound.SETTING));
        assertThat(SlotLimit.of(5000, PLENTY, 1024).by()).isEqualTo(Bound.DESCRIPTORS);
        assertThat(SlotLimit.of(1, 0, 0).slots()).as("at least one").isOne();
    }
}
