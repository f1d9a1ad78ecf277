package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.memory.HeapShares;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestTimeouts;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Records that are small in Kafka and large in memory. */
class PollBudgetIT {
    private static final int MIB = 1 << 20;
    private static final int RECORDS = 30;
    private final KafkaFixture fixture = new KafkaFixture();
    private final String topic = fixture.create(fixture.topics().namespace() + "in", 2,
            Map.of("max.message.bytes", "10000000"));
    private final KafkaClients small = new KafkaClients(fixture.settings(), new HeapShares(128L * MIB));
    private final long budget = new HeapShares(128L * MIB).poll();

    /** Zeros: the broker stores some kilobytes. The size is the number of the record, around a mebibyte. */
    private void produce(int... sizes) throws Exception {
        try (Producer<byte[], byte[]> producer = fixture.producer()) {
            for (int i = 0; i < sizes.length; i++) {
                producer.send(new ProducerRecord<>(topic, i % 2, new byte[0], new byte[sizes[i]]));
            }
            producer.flush();
        }
    }

    private List<Integer> everything(Consumer<byte[], byte[]> consumer, int count) {
        List<Integer> sizes = new ArrayList<>();
        long end = System.nanoTime() + TestTimeouts.LIMIT.toNanos();
        while (sizes.size() < count && System.nanoTime() < end) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(200));
            List<Integer> now = StreamSupport.stream(polled.spliterator(), false).map(ConsumerRecord::value)
                    .map(v -> v.length).toList();
            assertThat(now.size() <= 1 || now.stream().mapToLong(n -> n).sum() <= budget).as("a poll of %s", now)
                    .isTrue();
            sizes.addAll(now);
        }
        return sizes;
    }

    private static Integer[] boxed(int... sizes) {
        return IntStream.of(sizes).boxed().toArray(Integer[]::new);
    }

    @Test
    void aMemberOfAGroupGetsEachRecordOnceAndNoMoreBytesPerPollThanTheBudget() throws Exception {
        int[] sizes = IntStream.range(0, RECORDS).map(i -> MIB - RECORDS / 2 + i).toArray();
        produce(sizes);
        try (Consumer<byte[], byte[]> consumer = small.groupConsumer(fixture.topics().namespace() + "g", "g", 1000)) {
            consumer.subscribe(List.of(topic));
            assertThat(everything(consumer, RECORDS)).containsExactlyInAnyOrder(boxed(sizes));
            assertThat(consumer.position(new TopicPartition(topic, 0))).isEqualTo(RECORDS / 2);
        }
    }

    @Test
    void aRecordLargerThanTheBudgetComesAloneAlsoToAReaderWithoutAGroup() throws Exception {
        int[] sizes = {10, 7 * MIB, 20, 30, 6 * MIB, 40};
        produce(sizes);
        try (Consumer<byte[], byte[]> consumer = small.reader("r")) {
            List<TopicPartition> both = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
            consumer.assign(both);
            consumer.seekToBeginning(both);
            assertThat(everything(consumer, sizes.length)).containsExactlyInAnyOrder(boxed(sizes));
        }
    }

    @Test
    void aPausedPartitionWithRecordsInTheBufferUsesNoProcessorAndHidesNoOther() throws Exception {
        produce(10, 10, 10, 10);
        TopicPartition paused = new TopicPartition(topic, 0);
        TopicPartition other = new TopicPartition(topic, 1);
        try (Consumer<byte[], byte[]> consumer = small.groupConsumer(fixture.topics().namespace() + "p", "p", 1)) {
            consumer.subscribe(List.of(topic));
            everything(consumer, 1);
            consumer.pause(consumer.assignment());
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long began = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < 10; i++) {
                assertThat(consumer.poll(Duration.ofMillis(200))).isEmpty();
            }
            assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - began)).as("of two seconds")
                    .isLessThan(Duration.ofMillis(300));
            consumer.resume(List.of(other));
            assertThat(consumer.paused()).containsExactly(paused);
            assertThat(everything(consumer, 1)).containsExactly(10);
        }
    }
}
