package io.trawl.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResponseLayoutTest {
    private static final Channels FIRST = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
            .politeness(PolitenessKey.HOST).responses(3).items(4).ledger(4).build();

    @Test
    void theFirstLayoutCountsOffsetsAndHoldsNothing() {
        ResponseLayout layout = FIRST.responseLayout();

        assertThat(layout.position(0, 7)).hasValue(7);
        assertThat(layout.limit(2)).isEqualTo(Long.MAX_VALUE);
        assertThat(layout.changing()).isFalse();
        assertThat(layout.offset(7)).hasValue(7);
        assertThat(new String(Codec.encode(FIRST), StandardCharsets.UTF_8)).doesNotContain("layout");
    }

    @Test
    void whatCountsOfTheFormerLayoutIsHandledBeforeAnythingOfTheNextOneAndWhatWasWrittenTooLateIsVoid() {
        Channels closing = FIRST.closingResponses(5, Instant.EPOCH);
        assertThat(closing.responses()).as("not before the ends are known").isEqualTo(3);
        assertThat(closing.responseLayout().limit(0)).isZero();

        Channels opened = closing.openingResponses(List.of(100L, 40L, 70L));
        ResponseLayout layout = opened.responseLayout();
        assertThat(opened.responses()).isEqualTo(5);
        assertThat(layout.limit(1)).isEqualTo(40);
        assertThat(layout.limit(4)).as("a new partition").isZero();
        assertThat(layout.position(0, 39)).hasValue(39);
        assertThat(layout.changing()).isTrue();

        ResponseLayout after = opened.responsesHandled().responseLayout();
        assertThat(after.limit(4)).isEqualTo(Long.MAX_VALUE);
        assertThat(after.position(0, 41)).as("written too late").isEqualTo(OptionalLong.empty());
        assertThat(after.position(1, 0)).hasValue(100);
        assertThat(after.offset(100)).hasValue(0);
        assertThat(after.offset(99)).isEmpty();
    }

    @Test
    void positionsGrowFromLayoutToLayoutAndNoFasterThanPartitionsAreAdded() {
        Random random = new Random(17);
        Channels now = FIRST;
        long[] ends = new long[20];
        long largest = -1;
        for (int change = 0; change < 12; change++) {
            long highest = largest;
            for (int partition = 0; partition < now.readResponses(); partition++) {
                long first = now.responseLayout().position(change, ends[partition]).orElseThrow();
                assertThat(first).isGreaterThan(highest);
                ends[partition] += 1 + random.nextInt(100);
                largest = Math.max(largest, now.responseLayout().position(change, ends[partition] - 1).orElseThrow());
            }
            List<Long> at = Arrays.stream(ends).limit(now.readResponses()).boxed().toList();
            now = now.closingResponses(1 + random.nextInt(20), Instant.EPOCH).openingResponses(at).responsesHandled();
        }
        assertThat(now.responseLayout().former()).hasSize(12);
        assertThat(Codec.control(Codec.encode(now))).isEqualTo(now);
        Channels same = now.closingResponses(1, Instant.EPOCH)
                .openingResponses(Arrays.stream(ends).limit(now.readResponses()).boxed().toList());
        assertThat(same.responseLayout().shift() - now.responseLayout().shift()).isLessThanOrEqualTo(2000);
    }
}
