package io.trawl.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeapSharesTest {
    private static final int MIB = 1 << 20;
    private static final int LARGEST_RECORD = 9 * MIB;

    /** An analyzer makes a text, an item and links of a page. */
    private static final int MADE_OF_A_RECORD = 3;

    @ParameterizedTest
    @ValueSource(ints = {256, 512, 1024, 4096})
    void allStagesFitIntoOneHeap(int heap) {
        HeapShares shares = new HeapShares((long) heap * MIB);
        long polls = 2 * Math.max(shares.poll(), LARGEST_RECORD);
        long analysis = MADE_OF_A_RECORD * Math.max(shares.poll(), LARGEST_RECORD);
        assertThat(shares.bodies() + shares.answers() + shares.connections() + shares.parsing() + polls + analysis
                + shares.unsent(LARGEST_RECORD)).isLessThan((long) heap * MIB);
    }

    @Test
    void fromOneGibibyteOnTheBuffersOfClientsAreThoseOfKafka() {
        HeapShares shares = new HeapShares(1024L * MIB);
        assertThat(shares.fetch()).isEqualTo(50 * MIB);
        assertThat(shares.unsent(LARGEST_RECORD)).isEqualTo(32L * MIB);
    }

    @Test
    void aProducerAlwaysHasRoomForTheLargestRecord() {
        assertThat(new HeapShares(64L * MIB).unsent(LARGEST_RECORD)).isEqualTo(LARGEST_RECORD);
    }
}
