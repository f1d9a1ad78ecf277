package io.trawl.coordinator.lifecycle;

import io.trawl.model.CrawlId;
import io.trawl.model.RefusalReason;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The progress of the admission of seeds during one term. Written by the leader's thread, read by any. */
public final class SeedProgress {
    private final Map<CrawlId, Long> requests = new ConcurrentHashMap<>();
    private final Map<Integer, SeedSubmission> submissions = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger(new SecureRandom().nextInt(SeedSubmission.LARGEST));
    private volatile long admitted;

    /** The offset below which the admission or refusal of every seed is committed. */
    public long admitted() {
        return admitted;
    }

    /** Every seed below this offset is admitted or refused. */
    public void admittedBelow(long offset) {
        admitted = offset;
    }

    /** Begins a submission, which is told of the verdicts on its seeds until it is closed. */
    public SeedSubmission submission() {
        SeedSubmission begun = new SeedSubmission(numbers.updateAndGet(n -> (n + 1) % SeedSubmission.LARGEST),
                submissions::remove);
        submissions.put(begun.number(), begun);
        return begun;
    }

    /**
     * The verdicts on these seeds are committed.
     *
     * @param refused those that did not become requests, but for those that are due
     * @param due those that make a known page due
     */
    public void decided(List<ConsumerRecord<byte[], byte[]>> seeds, List<RefusedSeed> refused,
            List<ConsumerRecord<byte[], byte[]>> due) {
        if (submissions.isEmpty()) {
            return;
        }
        refused.forEach(seed -> of(seed.entry()).ifPresent(submission -> submission.refused(seed.reason())));
        due.forEach(seed -> of(seed).ifPresent(SeedSubmission::due));
        seeds.forEach(seed -> of(seed).ifPresent(SeedSubmission::decided));
    }

    private Optional<SeedSubmission> of(ConsumerRecord<byte[], byte[]> seed) {
        return SeedRecord.submission(seed).map(submissions::get);
    }

    /** A seed that did not become a request. */
    public record RefusedSeed(ConsumerRecord<byte[], byte[]> entry, RefusalReason reason) {}

    /** The number of requests that seeds have added to the crawl. */
    long requests(CrawlId crawl) {
        return requests.getOrDefault(crawl, 0L);
    }

    /** Adds requests of the crawl. */
    public void add(CrawlId crawl, int more) {
        requests.merge(crawl, (long) more, Long::sum);
    }

    /** Forgets a deleted crawl. */
    public void forget(CrawlId crawl) {
        requests.remove(crawl);
    }
}
