package io.trawl.coordinator.leader;

import io.trawl.channel.GroupMembership;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic {@code visits}, any number of times. Not thread-safe; its user closes the reader. Calls throw
 * {@link org.apache.kafka.common.KafkaException} if the broker does not answer.
 */
final class VisitLog {
    private static final Logger LOG = LoggerFactory.getLogger(VisitLog.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private final Consumer<byte[], byte[]> reader;
    private final TopicPartition visits;

    /**
     * Where the next visits of the pages of a run are.
     *
     * @param begin the first offset
     * @param promotion which counts of those that have carried visits of other runs into this one
     * @param end behind the last offset
     */
    record VisitRange(CrawlRun run, long begin, long promotion, long end) {
        /** What a refresh visits. */
        static VisitRange of(CrawlId crawl, VisitSource source) {
            return new VisitRange(new CrawlRun(crawl, source.epoch()), source.begin(), source.promotion(),
                    source.end());
        }

        private boolean has(Request request) {
            return request.run().equals(run)
                    && request.visit().map(Visit::carried).filter(by -> by > 0 && by != promotion).isEmpty();
        }
    }

    /** Takes requests in the order of the log. */
    interface RequestListener {
        void take(List<Request> requests);
    }

    /** @param reader belongs to no group, and reads what is committed */
    VisitLog(Consumer<byte[], byte[]> reader, TopicNames names) {
        this.reader = reader;
        this.visits = new TopicPartition(names.visits(), 0);
        reader.assign(List.of(visits));
    }

    /**
     * Reads the records of a run once, in their order. What another promotion has carried was carried again, so it is
     * left out.
     *
     * @param enough asked again and again: true ends the reading
     * @param listener takes some records at a time
     * @return whether all were read
     */
    boolean read(VisitRange range, BooleanSupplier enough, RequestListener listener) {
        reader.seek(visits, range.begin());
        while (reader.position(visits, GroupMembership.ANSWER) < range.end()) {
            if (enough.getAsBoolean()) {
                return false;
            }
            listener.take(reader.poll(POLL).records(visits).stream().filter(record -> record.offset() < range.end())
                    .flatMap(record -> request(record).stream()).filter(range::has).toList());
        }
        return true;
    }

    /**
     * Tells plans all that they need to be asked for the visits of a run.
     *
     * @param enough as in {@link #read}
     * @return whether all was read
     */
    boolean tell(VisitRange range, List<VisitPlan> plans, BooleanSupplier enough) {
        List<VisitPlan> counting = plans.stream().filter(VisitPlan::counts).toList();
        return read(range, enough, requests -> requests.forEach(request -> plans.forEach(plan -> plan.add(request))))
                && (counting.isEmpty() || read(range, enough,
                        requests -> requests.forEach(request -> counting.forEach(plan -> plan.count(request)))));
    }

    /** What other programs have written is no visit. */
    private static Optional<Request> request(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Optional.of(Codec.request(record.value()));
        } catch (MalformedRecordException e) {
            LOG.warn("the record of {} at offset {} is no visit: {}", record.topic(), record.offset(), e.getMessage());
            return Optional.empty();
        }
    }
}
