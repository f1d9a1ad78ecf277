package io.trawl.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.KafkaLoss.Cut;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KafkaLossRecordTest {
    private static final Instant AT = Instant.parse("2026-11-27T10:00:00Z");
    private final KafkaLoss first = loss(Optional.empty(), 1, AT, Map.of("items-0", 50L));
    private final KafkaLoss second = loss(Optional.of(first), 2, AT.plusSeconds(60),
            Map.of("items-0", 70L, "items-1", 9L));

    private static KafkaLoss loss(Optional<KafkaLoss> last, long id, Instant at, Map<String, Long> cut) {
        return KafkaLoss.after(last, new Cut(id, cut), List.of("items"), at);
    }

    @Test
    void aPositionGoesBackToWhereTheLossesThatItsProcessDidNotKnowHaveCutTheLog() {
        assertThat(second.limit("items-0", "")).isEqualTo(50);
        assertThat(second.limit("items-0", first.tag())).isEqualTo(70);
        assertThat(second.limit("items-0", second.tag())).isEqualTo(Long.MAX_VALUE);
        assertThat(second.limit("items-1", "")).isEqualTo(9);
        assertThat(second.limit("items-2", "")).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aLossHasANewerVersionThanOneThatKafkaHasLostToo() {
        KafkaLoss lost = loss(Optional.of(first), 3, AT.plusSeconds(1), Map.of());
        assertThat(second.version()).isGreaterThan(lost.asRepaired().version());
    }

    @Test
    void aRecordIsReadAsItWasWrittenAndItsRepairIsNoOtherLoss() {
        assertThat(Codec.control(Codec.encode(second))).isEqualTo(second);
        assertThat(second.asRepaired().tag()).isEqualTo(second.tag());
        assertThat(second.repaired()).isFalse();
        assertThat(second.asRepaired().repaired()).isTrue();
    }
}
