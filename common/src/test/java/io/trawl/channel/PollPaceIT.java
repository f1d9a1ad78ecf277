package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollPaceIT {
    private static final Duration ANSWER = Duration.ofMinutes(1);
    private final KafkaFixture fixture = new KafkaFixture();
    private final String topic = fixture.topics().namespace() + "in";
    private final ManualTime time = ManualTime.standing();
    private final ListedControl control = new ListedControl();
    private final PollPace pace = new PollPace(control, time);
    private final Consumer<byte[], byte[]> consumer = fixture.kafka().groupConsumer(topic, "test", 10);

    @BeforeEach
    void join() {
        fixture.create(topic, 1);
        consumer.subscribe(List.of(topic));
        await().until(() -> {
            pace.poll(consumer, true, Duration.ofMillis(100));
            return !consumer.assignment().isEmpty();
        });
    }

    @AfterEach
    void leave() {
        consumer.close();
    }

    /** The record comes only now: no poll before can have read it. */
    private int turnsUntilALateRecordIsRead() {
        fixture.produce(topic, List.of("late"));
        return (int) IntStream.rangeClosed(1, 20)
                .takeWhile(turn -> pace.poll(consumer, false, ANSWER).orElseThrow().isEmpty()).count() + 1;
    }

    private static CrawlStatus status(CrawlState state) {
        return CrawlStatus.of(CrawlRun.parse("docs/1"), 1,
                Json.read(KafkaFixture.bytes("{\"limits\":{\"depth\":2}}"), CrawlDefinition.class), state);
    }

    @Test
    void withoutACrawlMostTurnsAskTheBrokerForNothingAndWhatComesLateIsRead() {
        time.advance(Duration.ofSeconds(5));
        assertThat(pace.polled()).isTrue();
        assertThat(turnsUntilALateRecordIsRead()).isEqualTo(10);
        assertThat(pace.polled()).isTrue();
        time.advance(Duration.ofSeconds(5));
        pace.poll(consumer, false, ANSWER);
        assertThat(pace.polled()).as("it waits for control in place of a poll").isFalse();
    }

    @Test
    void whoHasHadSomethingToDoPollsAtOnce() {
        time.advance(Duration.ofSeconds(4));
        assertThat(turnsUntilALateRecordIsRead()).isEqualTo(1);
    }

    @Test
    void aRecordOfControlEndsTheRest() {
        control.read(status(CrawlState.INITIALIZED));
        pace.poll(consumer, true, Duration.ZERO);
        time.advance(Duration.ofSeconds(5));
        assertThat(pace.poll(consumer, false, ANSWER).orElseThrow()).isEmpty();
        control.read(status(CrawlState.STOPPED));
        assertThat(turnsUntilALateRecordIsRead()).isEqualTo(1);
    }

    @Test
    void whileACrawlFetchesEachTurnPolls() {
        control.read(status(CrawlState.STARTED));
        pace.poll(consumer, true, Duration.ZERO);
        time.advance(Duration.ofMinutes(1));
        assertThat(turnsUntilALateRecordIsRead()).isEqualTo(1);
    }
}
