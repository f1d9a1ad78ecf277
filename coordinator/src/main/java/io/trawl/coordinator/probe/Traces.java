package io.trawl.coordinator.probe;

import io.trawl.channel.RecordLookup;
import io.trawl.channel.RequestPartitions;
import io.trawl.channel.TopicOffsets;
import io.trawl.channel.Topics;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * What stands in the topics about one URL: bounded searches, so that what is not found may still be there. Thread-safe; calls block for some seconds at
 * most and throw {@link org.apache.kafka.common.KafkaException} when the broker does not answer.
 */
final class Traces {
    private final Topics topics;
    private final RecordLookup lookup;
    private final TopicOffsets offsets;

    /** A request in its topic, and since when. */
    record TracedRequest(Request request, String where, Instant at) {}

    /** An item in its topic. */
    record TracedItem(String id, String where) {}

    Traces(Topics topics, RecordLookup lookup, TopicOffsets offsets) {
        this.topics = topics;
        this.lookup = lookup;
        this.offsets = offsets;
    }

    /** The request at an offset. */
    Optional<TracedRequest> request(Channels channels, int priority, int partition, long offset) {
        return lookup.at(topics.requests(channels.generation(), priority), partition, offset).flatMap(Traces::request);
    }

    /** A request for a URL among those that the host's downloader has not committed. */
    Optional<TracedRequest> request(Channels channels, HostKey host, CrawlRun run, String url) throws InterruptedException {
        int partition = RequestPartitions.of(host, channels);
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(topics.downloaderGroup());
        for (String topic : topics.requests(channels).reversed()) {
            OffsetAndMetadata from = committed.get(new TopicPartition(topic, partition));
            Optional<TracedRequest> found = lookup
                    .search(topic, List.of(partition), from == null ? Map.of() : Map.of(partition, from.offset()),
                            record -> mentions(record, url) && request(record)
                                    .filter(r -> r.request().url().equals(url) && r.request().run().equals(run)).isPresent())
                    .found().flatMap(Traces::request);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static boolean mentions(ConsumerRecord<byte[], byte[]> record, String url) {
        return record.value() != null && new String(record.value(), StandardCharsets.UTF_8).contains(url);
    }

    private static Optional<TracedRequest> request(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(new TracedRequest(Codec.request(record.value()), where(record),
                    Instant.ofEpochMilli(record.timestamp())));
        } catch (MalformedRecord e) {
            return Optional.empty();
        }
    }

    private static String where(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    }

    /** Whether a seed for a URL of a crawl has not been admitted or refused yet. */
    boolean seedWaits(CrawlRun run, String url) throws InterruptedException {
        OffsetAndMetadata from = offsets.committed(topics.coordinatorGroup()).get(new TopicPartition(topics.seeds(), 0));
        return lookup.search(topics.seeds(), List.of(0), from == null ? Map.of() : Map.of(0, from.offset()),
                record -> record.value() != null && seeds(record.value(), run, url)).found().isPresent();
    }

    private static boolean seeds(byte[] value, CrawlRun run, String url) {
        try {
            Seed seed = Codec.seed(value);
            return seed.crawl().filter(run.crawl().value()::equals).isPresent() && seed.url().filter(url::equals).isPresent();
        } catch (MalformedRecord e) {
            return false;
        }
    }

    /** The response at an offset of a host's responses; empty if it has been deleted, as it is when it is analysed. */
    Optional<Response> response(HostKey host, CrawlRun run, String url, long offset) {
        byte[] key = host.value().getBytes(StandardCharsets.UTF_8);
        int partition = lookup.partition(topics.responses(), key);
        return lookup.at(topics.responses(), partition, offset)
                .flatMap(record -> Optional.ofNullable(record.headers().lastHeader(Codec.RESPONSE_HEADER)))
                .flatMap(header -> {
                    try {
                        return Optional.of(Codec.response(header.value(), new byte[0]));
                    } catch (MalformedRecord e) {
                        return Optional.empty();
                    }
                }).filter(response -> response.url().equals(url) && response.run().equals(run));
    }

    /** The first of these items that stands in the topic. */
    Optional<TracedItem> item(List<String> ids) {
        for (String id : ids) {
            Map<Integer, Long> from = new HashMap<>();
            Optional<TracedItem> found = lookup
                    .keyed(topics.items(), id.getBytes(StandardCharsets.UTF_8), from,
                            record -> record.key() != null && new String(record.key(), StandardCharsets.UTF_8).equals(id))
                    .found().map(record -> new TracedItem(id, where(record)));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The number of the partition of an item. */
    int itemPartition(String id) {
        return lookup.partition(topics.items(), id.getBytes(StandardCharsets.UTF_8));
    }
}
