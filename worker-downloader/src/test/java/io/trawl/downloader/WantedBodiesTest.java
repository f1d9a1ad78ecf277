package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.WantedBodies.Found;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Delivered;
import io.trawl.downloader.frontier.Lane;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WantedBodiesTest {
    private final WantedBodies bodies = new WantedBodies();

    private void want(long ask, Long... offsets) {
        bodies.add(new Action.Read(ask, new Lane(0, 0), 1, List.of(offsets)));
    }

    private static List<Delivered> records(long from, long to) {
        return LongStream.range(from, to).mapToObj(offset -> new Delivered(offset, null, null)).toList();
    }

    @Test
    void readsThroughWhatIsNearAndJumpsToWhatIsFar() {
        want(1, 10L, 20L);
        want(2, 500L);
        want(3, 9_000L);
        assertThat(bodies.jump()).hasValue(10);
        assertThat(bodies.passed(records(10, 300), 300)).extracting(Found::ask).containsExactly(1L);
        assertThat(bodies.jump()).as("read on").isEmpty();
        assertThat(bodies.passed(records(300, 700), 700)).extracting(Found::ask).containsExactly(2L);
        assertThat(bodies.jump()).hasValue(9_000);
        want(4, 30L);
        assertThat(bodies.passed(records(9_000, 9_001), 9_001)).extracting(Found::ask).containsExactly(3L);
        assertThat(bodies.jump()).as("again from below").hasValue(30);
    }

    @Test
    void aReadIsDoneWhenItsLastOffsetIsPassedWhereverThatLies() {
        want(1, 50L, 60L);
        assertThat(bodies.jump()).hasValue(50);
        want(2, 40L, 60L);
        assertThat(bodies.passed(records(50, 100), 100)).singleElement()
                .satisfies(found -> assertThat(found.records()).extracting(Delivered::offset).containsExactly(50L, 60L));
        assertThat(bodies.jump()).hasValue(40);
        assertThat(bodies.passed(records(40, 100), 100)).singleElement()
                .satisfies(found -> assertThat(found.records()).extracting(Delivered::offset).containsExactly(60L, 40L));
        assertThat(bodies.isEmpty()).isTrue();
    }

    @Test
    void whatIsNotInTheLogAnyMoreIsMissingAmongWhatWasFound() {
        want(1, 10L, 11L, 12L);
        assertThat(bodies.jump()).hasValue(10);
        assertThat(bodies.passed(records(12, 20), 20)).singleElement()
                .satisfies(found -> assertThat(found.records()).extracting(Delivered::offset).containsExactly(12L));
    }
}
