package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.testkit.KafkaFixture;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaErrorChannelIT {
    private final KafkaFixture fixture = new KafkaFixture();
    private final AtomicInteger tries = new AtomicInteger();

    /** Gives up after a moment, and counts how often it is asked. */
    private KafkaProducer<byte[], byte[]> impatient() {
        Map<String, Object> config = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                fixture.settings().kafka().bootstrapServers(), ProducerConfig.MAX_BLOCK_MS_CONFIG, 300);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public java.util.concurrent.Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> written,
                    Callback callback) {
                tries.incrementAndGet();
                return super.send(written, callback);
            }
        };
    }

    @Test
    void anErrorThatKafkaDoesNotAcceptIsWrittenWhenItDoes() {
        try (KafkaErrorChannel errors = new KafkaErrorChannel(impatient(), fixture.topics())) {
            errors.report(CrawlerError.of(MID.parse("D3|10.0.0.7:8081"), Optional.empty(), Optional.empty(), "TEST",
                    "nobody accepts this yet", 1, Instant.EPOCH));
            await().until(() -> tries.get() > 1);
            fixture.create(fixture.topics().errors(), 1);
            await().untilAsserted(() -> assertThat(fixture.records(fixture.topics().errors()))
                    .extracting(written -> Codec.error(written.value()).kind()).containsOnly("TEST"));
            assertThat(errors.dropped()).isZero();
        }
    }
}
