package io.trawl.channel;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A consumer whose polls return a bounded number of bytes, and cost no processor time while they wait. */
final class BoundedConsumer extends KafkaConsumer<byte[], byte[]> {
    private static final Duration SLICE = Duration.ofMillis(20);
    private final PollBudget values;
    private final boolean member;

    BoundedConsumer(Map<String, Object> config, PollBudget values) {
        super(config, new ByteArrayDeserializer(), values);
        this.values = values;
        this.member = config.containsKey(ConsumerConfig.GROUP_ID_CONFIG);
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        values.renew();
        return paused().isEmpty() ? super.poll(timeout) : inSlices(timeout);
    }

    /**
     * While a paused partition has records in the buffer, one long poll keeps a processor busy until its end
     * (KAFKA-21084).
     */
    private ConsumerRecords<byte[], byte[]> inSlices(Duration timeout) {
        ConsumerRecords<byte[], byte[]> polled = super.poll(Duration.ZERO);
        for (Duration left = timeout; left.isPositive() && polled.isEmpty()
                && polled.nextOffsets().isEmpty(); left = left.minus(SLICE)) {
            await(left.compareTo(SLICE) < 0 ? left : SLICE);
            polled = super.poll(Duration.ZERO);
        }
        return polled;
    }

    private static void await(Duration duration) {
        try {
            Time.system().pause(duration);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** By default this waits for the answer to the last fetch; without a group, nothing needs it. */
    @Override
    public void close() {
        if (member) {
            super.close();
        } else {
            close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
