package io.trawl.coordinator.probe;

import io.trawl.model.Body;
import io.trawl.channel.HostPartitioner;
import io.trawl.coordinator.topic.RecordLookup;
import io.trawl.coordinator.topic.RecordLookup.FoundRecord;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.Channels;
import io.trawl.ledger.ResponseLayout;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Searches the topics for the records of one URL. The searches are bounded, so a record may exist although it is not
 * found. Thread-safe; calls block for some seconds at most and throw {@link org.apache.kafka.common.KafkaException} if
 * the broker does not answer.
 *
 * @param layout how responses are laid out now
 */
public record UrlRecords(TopicNames topicNames, RecordLookup lookup, TopicOffsets offsets,
        Supplier<ResponseLayout> layout) {
    /** A request with its position and timestamp. */
    record TracedRequest(Request request, String where, Instant at) {}

    /** An item with its position. */
    record TracedItem(String id, String where) {}

    /** The request at an offset. */
    Optional<TracedRequest> request(Channels channels, int priority, int partition, long offset) {
        return lookup.at(topicNames.requests(channels.generation(), priority), partition, offset)
                .flatMap(UrlRecords::request);
    }

    /** Searches the record of a request among those that the host's downloader has not committed. */
    Optional<TracedRequest> request(Channels channels, CrawlRun run, ExplainedRequest request)
            throws InterruptedException {
        for (Channels of : channels.waiting()) {
            Optional<TracedRequest> found = requestOf(of, run, request);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<TracedRequest> requestOf(Channels channels, CrawlRun run, ExplainedRequest request)
            throws InterruptedException {
        int partition = HostPartitioner.of(request.host(), channels);
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(topicNames.downloaderGroup());
        for (String topic : topicNames.requests(channels).reversed()) {
            OffsetAndMetadata from = committed.get(new TopicPartition(topic, partition));
            Optional<TracedRequest> found = lookup.search(topic, List.of(partition),
                    from == null ? Map.of() : Map.of(partition, from.offset()),
                    record -> mentions(record, request.canonical()) && request(record).filter(
                            r -> r.request().identity().equals(request.identity()) && r.request().run().equals(run))
                            .isPresent())
                    .found().flatMap(UrlRecords::request);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Reads the requests that no downloader has committed, those of the highest priority first, answered ones among
     * them; no longer than the time limit of a search.
     *
     * @param enough takes each request, and says whether it is the last one to be read
     */
    void waiting(Channels channels, Predicate<Request> enough) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = offsets.committed(topicNames.downloaderGroup());
        boolean further = true;
        for (Iterator<Channels> all = channels.waiting().iterator(); further && all.hasNext();) {
            further = waiting(all.next(), committed, enough);
        }
    }

    /**
     * Reads the requests that no downloader has committed, answered ones among them.
     *
     * @param of the topics
     * @return false if the time limit of a search was reached
     */
    public boolean waitingIn(Channels of, Consumer<Request> each) throws InterruptedException {
        return waiting(of, offsets.committed(topicNames.downloaderGroup()), request -> {
            each.accept(request);
            return false;
        });
    }

    private boolean waiting(Channels channels, Map<TopicPartition, OffsetAndMetadata> committed,
            Predicate<Request> enough) {
        List<Integer> partitions = IntStream.range(0, channels.partitions()).boxed().toList();
        boolean further = true;
        for (Iterator<String> topics = topicNames.requests(channels).reversed().iterator(); further
                && topics.hasNext();) {
            String topic = topics.next();
            Map<Integer, Long> from = new HashMap<>();
            partitions.forEach(p -> Optional.ofNullable(committed.get(new TopicPartition(topic, p)))
                    .ifPresent(offset -> from.put(p, offset.offset())));
            FoundRecord last = lookup.search(topic, partitions, from,
                    record -> request(record).filter(traced -> enough.test(traced.request())).isPresent());
            further = last.complete() && last.found().isEmpty();
        }
        return further;
    }

    private static boolean mentions(ConsumerRecord<byte[], byte[]> record, String url) {
        return record.value() != null && new String(record.value(), StandardCharsets.UTF_8).contains(url);
    }

    private static Optional<TracedRequest> request(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(new TracedRequest(Codec.request(record.value()), where(record),
                    Instant.ofEpochMilli(record.timestamp())));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    private static String where(ConsumerRecord<byte[], byte[]> record) {
        return record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    }

    /**
     * What {@code visits} says of a page: the first such record.
     *
     * @param begin of the visits of the run
     */
    Optional<Request> visit(CrawlRun run, ExplainedRequest request, long begin, Predicate<Request> wanted) {
        return lookup
                .search(topicNames.visits(), List.of(0), Map.of(0, begin),
                        record -> mentions(record, request.canonical()) && request(record).map(TracedRequest::request)
                                .filter(next -> next.identity().equals(request.identity()) && next.run().equals(run)
                                        && wanted.test(next))
                                .isPresent())
                .found().flatMap(UrlRecords::request).map(TracedRequest::request);
    }

    /** Whether a seed of this request is not admitted or refused yet. */
    boolean seedPending(CrawlRun run, ExplainedRequest request) throws InterruptedException {
        OffsetAndMetadata from = offsets.committed(topicNames.coordinatorGroup())
                .get(new TopicPartition(topicNames.seeds(), 0));
        return lookup.search(topicNames.seeds(), List.of(0), from == null ? Map.of() : Map.of(0, from.offset()),
                record -> record.value() != null && seeds(record.value(), run, request)).found().isPresent();
    }

    private static boolean seeds(byte[] value, CrawlRun run, ExplainedRequest request) {
        try {
            Seed seed = Codec.seed(value);
            return seed.crawl().filter(run.crawl().value()::equals).isPresent() && request.isOf(seed);
        } catch (MalformedRecordException e) {
            return false;
        }
    }

    /** The topic of responses. */
    String responses() {
        return topicNames.responses();
    }

    /** The response at a position of a host's partition; empty if it was deleted, which happens after the analysis. */
    Optional<Response> response(CrawlRun run, ExplainedRequest request, long position) {
        byte[] key = request.responseKey().value().getBytes(StandardCharsets.UTF_8);
        OptionalLong offset = layout.get().offset(position);
        int partition = lookup.partitions(topicNames.responses(), key).getFirst();
        Predicate<Response> wanted = response -> response.identity().equals(request.identity())
                && response.run().equals(run);
        Optional<ConsumerRecord<byte[], byte[]>> record = offset.isPresent()
                ? lookup.at(topicNames.responses(), partition, offset.getAsLong())
                : lookup.keyed(topicNames.responses(), key, Map.of(), r -> response(r).filter(wanted).isPresent())
                        .found();
        return record.flatMap(UrlRecords::response).filter(wanted);
    }

    /** Without its body. */
    private static Optional<Response> response(ConsumerRecord<byte[], byte[]> record) {
        return ResponseHeaders.description(record.headers()).flatMap(json -> {
            try {
                return Optional.of(Codec.response(json, Body.EMPTY));
            } catch (MalformedRecordException e) {
                return Optional.empty();
            }
        });
    }

    /** The first of these items that is in the topic. */
    Optional<TracedItem> item(List<String> ids) {
        for (String id : ids) {
            Map<Integer, Long> from = new HashMap<>();
            Optional<TracedItem> found = lookup
                    .keyed(topicNames.items(), id.getBytes(StandardCharsets.UTF_8), from,
                            record -> record.key() != null
                                    && new String(record.key(), StandardCharsets.UTF_8).equals(id))
                    .found().map(record -> new TracedItem(id, where(record)));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The first error of a parser that an analyzer reported of a URL. */
    Optional<CrawlerError> parseError(CrawlId crawl, String url) {
        return lookup
                .search(topicNames.errors(), List.of(0), Map.of(),
                        record -> mentions(record, url) && error(record).filter(
                                error -> error.kind().equals("PARSE") && error.crawl().filter(crawl::equals).isPresent()
                                        && error.url().filter(url::equals).isPresent())
                                .isPresent())
                .found().flatMap(UrlRecords::error);
    }

    private static Optional<CrawlerError> error(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(Codec.error(record.value()));
        } catch (MalformedRecordException e) {
            return Optional.empty();
        }
    }

    /** The numbers of the partitions in which an item may be. */
    List<Integer> itemPartitions(String id) {
        return lookup.partitions(topicNames.items(), id.getBytes(StandardCharsets.UTF_8));
    }
}
