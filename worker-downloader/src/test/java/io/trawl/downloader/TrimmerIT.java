package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LogPartition;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TrimmerIT {
    private static final int BLOCK = 65_536;

    @Test
    void whatIsCommittedIsDeletedAndThenItsMarks() {
        KafkaFixture fixture = new KafkaFixture();
        String topic = fixture.create(fixture.topics().requests(1, 0), 1);
        int records = BLOCK + 100;
        fixture.produce(topic, IntStream.range(0, records).mapToObj(Integer::toString).toList());
        TopicPartition partition = new TopicPartition(topic, 0);
        LogPartition log = new LogPartition(topic, "topic-id", 0);
        try (RedisStore store = RedisStore.connect(fixture.settings().redis().url(), fixture.topics().namespace(), "cluster",
                "responses", Time.system());
                Consumer<byte[], byte[]> reader = fixture.kafka().reader("trimmer")) {
            AnsweredMarks marks = store.marks();
            marks.mark(log, LongStream.of(3, 4, BLOCK + 5).boxed().toList());
            assertThat(new Trimmer(fixture.kafka(), marks).trim(Map.of(log, (long) BLOCK + 1))).isTrue();
            await().until(() -> reader.beginningOffsets(List.of(partition)).get(partition) == BLOCK + 1);
            await().until(() -> marks.answered(log, 0, 10).isEmpty());
            assertThat(marks.answered(log, BLOCK, 10).stream().toArray()).containsExactly(5);
        }
    }

    @Test
    void nothingToTrimIsNoTrim() {
        KafkaFixture fixture = new KafkaFixture();
        try (RedisStore store = RedisStore.connect(fixture.settings().redis().url(), fixture.topics().namespace(), "cluster",
                "responses", Time.system())) {
            assertThat(new Trimmer(fixture.kafka(), store.marks()).trim(Map.of())).isFalse();
        }
    }
}
