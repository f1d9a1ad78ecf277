package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.store.DeliveryAttempts;
import io.trawl.store.DeliveryAttempts.LogPosition;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisDeliveryAttemptsIT {
    private static final List<LogPosition> POSITIONS = List.of(new LogPosition("responses", 0, 7),
            new LogPosition("responses", 4, 1));
    private final KafkaFixture fixture = new KafkaFixture();
    private final RedisStore store = RedisStore.connect(RedisServers.of(fixture.settings().redis()),
            fixture.topics().namespace(), "cluster", "responses", Time.system());

    @AfterEach
    void close() {
        store.close();
    }

    private DeliveryAttempts process(String owner) {
        return store.attempts(owner);
    }

    @Test
    void eachProcessThatBeganWithoutEndingIsCountedOnce() {
        assertThat(process("a").begin(POSITIONS)).isOne();
        assertThat(process("a").begin(POSITIONS)).isOne();
        assertThat(process("b").begin(POSITIONS)).isEqualTo(2);
        process("b").end(POSITIONS);
        assertThat(process("c").begin(POSITIONS)).as("b lived").isOne();
    }

    @Test
    void aWithdrawnAttemptIsNotCountedAndOthersStayCounted() {
        process("died in it").begin(POSITIONS);
        for (String elsewhere : List.of("died elsewhere", "died elsewhere, too", "and a third")) {
            assertThat(process(elsewhere).begin(POSITIONS)).isEqualTo(2);
            process(elsewhere).withdraw(POSITIONS);
        }
        process("of another").withdraw(POSITIONS);
        assertThat(process("last").begin(POSITIONS)).isEqualTo(2);
    }

    @Test
    void processesThatDiedOverABatchAreNoEvidenceAgainstItsFirstRecord() {
        for (String over : List.of("a batch", "another", "a third")) {
            process(over).begin(POSITIONS);
        }
        LogPosition first = POSITIONS.getFirst();
        assertThat(process("d").beginAlone(first)).isOne();
        assertThat(process("e").begin(POSITIONS)).as("of all").isEqualTo(5);
        process("e").withdraw(POSITIONS);
        assertThat(process("e").beginAlone(first)).isEqualTo(2);
        process("e").end(List.of(first));
        assertThat(process("f").begin(List.of(first))).isOne();
    }
}
