package io.trawl.coordinator.webhook;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;

class DeliveryPositionsTest {
    private static final String FINE = "http://fine/";
    private static final String BROKEN = "http://broken/";

    /** All events are read, and delivered to one receiver only. */
    private static DeliveryPositions halfDelivered(DeliveryPositions positions, long from, long to) {
        for (long offset = from; offset < to; offset++) {
            long event = offset;
            List<String> wanted = List.of(FINE, BROKEN).stream().filter(r -> !positions.had(0, event, r)).toList();
            wanted.forEach(receiver -> positions.opened(0, event, receiver));
            positions.read(0, offset);
            positions.closed(0, offset, FINE);
        }
        return positions;
    }

    private static OffsetAndMetadata committed(DeliveryPositions positions) {
        return requireNonNull(positions.positions().get(0));
    }

    @Test
    void aReceiverThatIsBehindHasNoOtherReceiverGetAnythingTwiceHoweverOftenLeadersCrash() {
        OffsetAndMetadata committed = committed(halfDelivered(new DeliveryPositions(), 0, 50));
        for (int crash = 0; crash < 5; crash++) {
            assertThat(committed.offset()).isZero();
            DeliveryPositions next = new DeliveryPositions();
            next.resume(0, committed);
            assertThat(IntStream.range(0, 50)).allMatch(offset -> next.had(0, offset, FINE))
                    .noneMatch(o -> next.had(0, o, BROKEN));
            assertThat(next.had(0, 50, FINE)).isFalse();
            // This leader crashes after some events.
            committed = halfDelivered(next, 0, 10 * crash).positions().getOrDefault(0, committed);
        }
    }

    @Test
    void whatTheReceiverThatWasBehindHasGotSinceIsNotRepeatedToItEither() {
        DeliveryPositions positions = halfDelivered(new DeliveryPositions(), 0, 50);
        IntStream.range(0, 20).forEach(offset -> positions.closed(0, offset, BROKEN));
        OffsetAndMetadata committed = committed(positions);
        assertThat(committed.offset()).isEqualTo(20);
        DeliveryPositions next = new DeliveryPositions();
        next.resume(0, committed);
        assertThat(next.had(0, 19, BROKEN)).isTrue();
        assertThat(next.had(0, 20, BROKEN)).isFalse();
    }

    @Test
    void manyReceiversThatAreBehindFitIntoTheMetadata() {
        DeliveryPositions positions = new DeliveryPositions();
        List<String> many = IntStream.range(0, 1000).mapToObj(i -> "http://r" + i + "/").toList();
        for (int offset = 0; offset < 1000; offset++) {
            long event = 1_000_000_000L + offset;
            many.subList(0, offset + 1).forEach(receiver -> positions.opened(0, event, receiver));
            positions.read(0, event);
        }
        OffsetAndMetadata committed = committed(positions);
        assertThat(committed.metadata().length()).isLessThan(4096);
        DeliveryPositions next = new DeliveryPositions();
        next.resume(0, committed);
        assertThat(many).noneMatch(receiver -> next.had(0, 1_000_000_999L, receiver));
    }

    @Test
    void aPositionInADeletedTopicIsNoneInThatWhichWasMadeAgain() {
        DeliveryPositions positions = new DeliveryPositions();
        positions.in("first");
        OffsetAndMetadata committed = committed(halfDelivered(positions, 0, 50));
        DeliveryPositions next = new DeliveryPositions();
        next.in("second");
        assertThat(next.resume(0, committed)).isEmpty();
        assertThat(next.had(0, 7, FINE)).isFalse();
        next.in("first");
        assertThat(next.resume(0, committed)).contains(0L);
        assertThat(next.had(0, 7, FINE)).isTrue();
    }

    @Test
    void metadataOfAnotherVersionIsNoPosition() {
        DeliveryPositions next = new DeliveryPositions();
        for (String metadata : List.of("", "nonsense", "[]")) {
            next.resume(0, new OffsetAndMetadata(7, metadata));
            assertThat(next.had(0, 7, FINE)).isFalse();
        }
    }
}
