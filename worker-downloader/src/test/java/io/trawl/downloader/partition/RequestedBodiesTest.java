package io.trawl.downloader.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.partition.RequestedBodies.Found;
import io.trawl.model.TraceContext;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RequestedBodiesTest {
    private final RequestedBodies bodies = new RequestedBodies();

    private void want(long ask, Long... offsets) {
        bodies.add(new FrontierAction.ReadBodies(ask, new RequestPartition(0, 0), 1, List.of(offsets)));
    }

    private static List<DeliveredRecord> records(long from, long to) {
        return LongStream.range(from, to).mapToObj(offset -> new DeliveredRecord(offset, null, null, TraceContext.NONE))
                .toList();
    }

    @Test
    void readsThroughNearOffsetsAndSeeksToFarOnes() {
        want(1, 10L, 20L);
        want(2, 500L);
        want(3, 9_000L);
        assertThat(bodies.seekTarget()).hasValue(10);
        assertThat(bodies.passed(records(10, 300), 300)).extracting(Found::ask).containsExactly(1L);
        assertThat(bodies.seekTarget()).as("read on").isEmpty();
        assertThat(bodies.passed(records(300, 700), 700)).extracting(Found::ask).containsExactly(2L);
        assertThat(bodies.seekTarget()).hasValue(9_000);
        want(4, 30L);
        assertThat(bodies.passed(records(9_000, 9_001), 9_001)).extracting(Found::ask).containsExactly(3L);
        assertThat(bodies.seekTarget()).as("again from the lowest").hasValue(30);
    }

    @Test
    void aReadIsDoneWhenItsLastOffsetIsPassed() {
        want(1, 50L, 60L);
        assertThat(bodies.seekTarget()).hasValue(50);
        want(2, 40L, 60L);
        assertThat(bodies.passed(records(50, 100), 100)).singleElement().satisfies(
                found -> assertThat(found.records()).extracting(DeliveredRecord::offset).containsExactly(50L, 60L));
        assertThat(bodies.seekTarget()).hasValue(40);
        assertThat(bodies.passed(records(40, 100), 100)).singleElement().satisfies(
                found -> assertThat(found.records()).extracting(DeliveredRecord::offset).containsExactly(60L, 40L));
        assertThat(bodies.isEmpty()).isTrue();
    }

    @Test
    void offsetsThatAreNotInTheLogAnyMoreAreMissingInTheResult() {
        want(1, 10L, 11L, 12L);
        assertThat(bodies.seekTarget()).hasValue(10);
        assertThat(bodies.passed(records(12, 20), 20)).singleElement().satisfies(
                found -> assertThat(found.records()).extracting(DeliveredRecord::offset).containsExactly(12L));
    }
}
