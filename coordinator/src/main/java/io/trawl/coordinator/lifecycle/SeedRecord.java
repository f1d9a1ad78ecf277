package io.trawl.coordinator.lifecycle;

import io.trawl.channel.Topics;
import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A seed as a coordinator writes it to {@code seeds}. One that has a place says at which priority, in a header; what users write themselves has none and
 * takes its chance.
 */
public final class SeedRecord {
    private static final String PLACE = "trawl-place";

    private SeedRecord() {}

    /** A seed without a place. */
    public static ProducerRecord<byte[], byte[]> of(Topics topics, CrawlId crawl, Seed seed) {
        return new ProducerRecord<>(topics.seeds(), bytes(crawl.value()), Codec.encode(seed.withCrawl(crawl)));
    }

    /**
     * A seed for which a place is kept.
     *
     * @param priority where the place is, if the seed names none
     */
    public static ProducerRecord<byte[], byte[]> withPlace(Topics topics, CrawlId crawl, Seed seed, int priority) {
        ProducerRecord<byte[], byte[]> record = of(topics, crawl, seed);
        record.headers().add(PLACE, bytes(Integer.toString(seed.priority().orElse(priority))));
        return record;
    }

    /** The priority at which a place is kept for the seed; empty if none is, or if the header is not one of ours. */
    public static Optional<Integer> place(ConsumerRecord<byte[], byte[]> record) {
        return Optional.ofNullable(record.headers().lastHeader(PLACE)).map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8)).filter(text -> text.matches("[0-9]"))
                .map(Integer::valueOf);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
