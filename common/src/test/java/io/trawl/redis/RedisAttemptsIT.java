package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.Attempts;
import io.trawl.ledger.Attempts.Place;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisAttemptsIT {
    private static final List<Place> PLACES = List.of(new Place("responses", 0, 7), new Place("responses", 4, 1));
    private final KafkaFixture fixture = new KafkaFixture();
    private final RedisStore store = RedisStore.connect(fixture.settings().redis().url(), fixture.topics().namespace(), "cluster",
            "responses", Time.system());

    @AfterEach
    void close() {
        store.close();
    }

    private Attempts process(String owner) {
        return store.attempts(owner);
    }

    @Test
    void whoBeganWithoutEndingIsCountedOnceEach() {
        assertThat(process("a").begin(PLACES)).isOne();
        assertThat(process("a").begin(PLACES)).isOne();
        assertThat(process("b").begin(PLACES)).isEqualTo(2);
        process("b").end(PLACES);
        assertThat(process("c").begin(PLACES)).as("b lived").isOne();
    }

    @Test
    void whoWithdrawsIsNotCountedAndTheOthersStayCounted() {
        process("died in it").begin(PLACES);
        for (String elsewhere : List.of("died elsewhere", "died elsewhere, too", "and a third")) {
            assertThat(process(elsewhere).begin(PLACES)).isEqualTo(2);
            process(elsewhere).withdraw(PLACES);
        }
        process("of another").withdraw(PLACES);
        assertThat(process("last").begin(PLACES)).isEqualTo(2);
    }
}
