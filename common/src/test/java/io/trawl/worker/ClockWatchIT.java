package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.TopicSpec;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class ClockWatchIT {
    private final KafkaFixture fixture = new KafkaFixture();
    private final String topic = fixture.topics().positions();

    /** The clock of a machine whose local time is taken for UTC, or that was suspended. */
    private static Time shifted(Duration ahead) {
        Time system = Time.system();
        return new Time() {
            @Override
            public Instant now() {
                return system.now().plus(ahead);
            }

            @Override
            public long nanos() {
                return system.nanos();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                system.pause(duration);
            }
        };
    }

    private void watched(Duration ahead, Consumer<ClockWatch> checks) {
        fixture.create(topic, 1, TopicSpec.all(fixture.topics(), fixture.settings().topics(), List.of()).stream()
                .filter(spec -> spec.name().equals(topic)).findFirst().orElseThrow().configs(fixture.settings()));
        try (RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fixture.settings().redis()),
                fixture.settings().namespace(), Time.system());
                Producer<byte[], byte[]> producer = fixture.kafka().producer("clock");
                ClockWatch clocks = new ClockWatch(producer, topic, redis::clock, shifted(ahead))) {
            checks.accept(clocks);
        }
    }

    @Test
    void aClockThatIsAheadIsNotedForKafkaAndForRedis() {
        watched(Duration.ofHours(2), clocks -> {
            await().until(() -> clocks.notes().size() == 2);
            assertThat(clocks.notes().getFirst().text())
                    .matches("its clock is (2h|7[12][0-9]{2}s|119m) ahead of that of Kafka: .*");
            assertThat(clocks.notes().getLast().text())
                    .matches("its clock is (2h|7[12][0-9]{2}s|119m) ahead of that of Redis: .*");
            assertThat(Duration.between(clocks.ofKafka().now(), Time.system().now()).abs())
                    .isLessThan(Duration.ofMinutes(1));
            assertThat(clocks.notes()).extracting(StageNote::kind).containsOnly(ClockWatch.KIND);
            assertThat(clocks.notes()).extracting(StageNote::about).doesNotHaveDuplicates();
        });
    }

    @Test
    void aClockThatIsBehindIsNoted() {
        watched(Duration.ofMinutes(-10), clocks -> {
            await().until(() -> clocks.notes().size() == 2);
            assertThat(clocks.notes()).allMatch(
                    note -> note.text().matches("its clock is (10m|9m|5[0-9]{2}s|6[0-9]{2}s) behind that of .*"));
        });
    }

    @Test
    void equalClocksAreNotNoted() {
        watched(Duration.ZERO, clocks -> {
            await().until(() -> !fixture.highWaterMarks(List.of(new org.apache.kafka.common.TopicPartition(topic, 0)))
                    .containsValue(0L));
            assertThat(clocks.notes()).isEmpty();
        });
    }

    @Test
    void theBrokerTakesRecordsOfAWriterWhoseClockIsWrongInEveryTopicAndGivesThemItsOwnTime() throws Exception {
        List<TopicSpec> specs = TopicSpec.all(fixture.topics(), fixture.settings().topics(),
                List.of(fixture.topics().requests(1, 0)));
        for (TopicSpec spec : specs) {
            fixture.create(spec.name(), 1, spec.configs(fixture.settings()));
        }
        try (Producer<byte[], byte[]> producer = fixture.kafka().producer("wrong")) {
            for (TopicSpec spec : specs) {
                Instant now = Time.system().now();
                long written = producer.send(new ProducerRecord<>(spec.name(), 0,
                        now.plus(Duration.ofHours(2)).toEpochMilli(), KafkaFixture.bytes("k"), KafkaFixture.bytes("v")))
                        .get().timestamp();
                assertThat(Duration.between(now, Instant.ofEpochMilli(written)).abs()).as(spec.name())
                        .isLessThan(Duration.ofMinutes(5));
            }
        }
    }
}
