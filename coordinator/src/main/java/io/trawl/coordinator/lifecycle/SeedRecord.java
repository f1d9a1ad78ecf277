package io.trawl.coordinator.lifecycle;

import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A seed as a coordinator writes it to {@code seeds}. A header has the priority of its reserved place, another the
 * epoch of the run whose definition it came with, or the number of the submission that waits for its verdict. Seeds
 * that users write to the topic themselves have no place and may be refused as CHANNEL_FULL; they are for the run of
 * the moment at which they are admitted.
 */
public final class SeedRecord {
    private static final String PLACE = "trawl-place";
    private static final String EPOCH = "trawl-epoch";
    private static final String SUBMISSION = "trawl-submission";

    private SeedRecord() {}

    /** A seed without a place. */
    public static ProducerRecord<byte[], byte[]> of(TopicNames topicNames, CrawlId crawl, Seed seed) {
        return new ProducerRecord<>(topicNames.seeds(), bytes(crawl.value()),
                Codec.encode(seed.withCrawl(Optional.of(crawl.value()))));
    }

    /**
     * A seed with a reserved place.
     *
     * @param priority of the place, if the seed has none
     * @param submission that waits for the verdict, if one does
     */
    public static ProducerRecord<byte[], byte[]> withPlace(TopicNames topicNames, CrawlId crawl, Seed seed,
            int priority, Optional<SeedSubmission> submission) {
        ProducerRecord<byte[], byte[]> record = of(topicNames, crawl, seed);
        record.headers().add(PLACE, bytes(Integer.toString(seed.priority().orElse(priority))));
        submission.ifPresent(of -> record.headers().add(SUBMISSION, bytes(Integer.toString(of.number()))));
        return record;
    }

    /** A seed of the definition of a run, with a reserved place. */
    static ProducerRecord<byte[], byte[]> ofDefinition(TopicNames topicNames, CrawlRun run, Seed seed, int priority) {
        ProducerRecord<byte[], byte[]> record = withPlace(topicNames, run.crawl(), seed, priority, Optional.empty());
        record.headers().add(EPOCH, bytes(Integer.toString(run.epoch())));
        return record;
    }

    /** The priority of the seed's reserved place; empty if it has none, or if the header is not valid. */
    public static Optional<Integer> place(ConsumerRecord<byte[], byte[]> record) {
        return header(record, PLACE, "[0-9]");
    }

    /** The number of its submission, if that waits for its verdict. */
    static Optional<Integer> submission(ConsumerRecord<byte[], byte[]> record) {
        return header(record, SUBMISSION, "[0-9]{1,9}");
    }

    /** Whether it came with a definition. */
    public static boolean ofDefinition(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(EPOCH) != null;
    }

    /** Whether a seed is for a run: not if it came with the definition of another one. */
    public static boolean isFor(CrawlRun run, ConsumerRecord<byte[], byte[]> record) {
        return header(record, EPOCH, "[0-9]{1,9}").filter(epoch -> epoch != run.epoch()).isEmpty();
    }

    private static Optional<Integer> header(ConsumerRecord<byte[], byte[]> record, String name, String form) {
        return Optional.ofNullable(record.headers().lastHeader(name)).map(Header::value)
                .map(value -> new String(value, StandardCharsets.UTF_8)).filter(text -> text.matches(form))
                .map(Integer::valueOf);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
