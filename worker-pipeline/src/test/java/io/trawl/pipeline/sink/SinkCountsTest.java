package io.trawl.pipeline.sink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SinkCountsTest {
    @Test
    void aPartitionReadBeyondItsKnownEndHasNothingUnreadAndTakesNothingFromOthers() {
        SinkCounts counts = new SinkCounts();
        counts.waiting(LongStream.of(7, -202, 0));
        assertThat(counts.waiting()).isEqualTo(7);
    }
}
