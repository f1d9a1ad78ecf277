package io.trawl.coordinator.leader;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.coordinator.lifecycle.SeedSubmission;
import io.trawl.model.CrawlId;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** The seeds of one call, which may come in parts. For one thread, to be closed. */
public final class SeedCall implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(5);
    /** Without a new verdict. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private final CrawlControl crawls;
    private final CrawlId crawl;
    private final Optional<SeedSubmission> submission;
    private final BooleanSupplier leads;
    private final Time time;
    private long written;

    /**
     * What became of the seeds of a call.
     *
     * @param seeds how many are written to the topic
     * @param refused how many of them are refused, by reason
     * @param due how many of them make a page due that the crawl knows: its next refresh visits it
     * @param waiting how many of them the leader had not decided about when the call ended
     */
    public record SubmittedSeeds(long seeds, @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> refused,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long due,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) long waiting) {
        /** An absent map is an empty one. */
        public SubmittedSeeds {
            refused = refused == null ? Map.of() : Map.copyOf(refused);
        }

        /** Whether all are refused, and at least one of them not since it is known already. */
        public boolean allRefused() {
            long all = refused.values().stream().mapToLong(n -> n).sum();
            return seeds > 0 && all == seeds && !refused.keySet().equals(Set.of(RefusalReason.SEEN.name()));
        }
    }

    /**
     * @param submission of the term of this process, if it leads
     * @param leads whether it still does
     */
    SeedCall(CrawlControl crawls, CrawlId crawl, Optional<SeedSubmission> submission, BooleanSupplier leads,
            Time time) {
        this.crawls = crawls;
        this.crawl = crawl;
        this.submission = submission;
        this.leads = leads;
        this.time = time;
    }

    /** Writes seeds to the topic; see {@link CrawlControl#submit}. */
    public void submit(List<Seed> wanted) throws InterruptedException {
        written += crawls.submit(crawl, wanted, submission);
    }

    /** Checks seeds and writes none. */
    public void check(List<Seed> wanted) throws InterruptedException {
        crawls.check(crawl, wanted);
    }

    /** How many are written. */
    public long written() {
        return written;
    }

    /** Waits for the verdicts on all of them, as long as some come. @param most how long at most */
    public SubmittedSeeds verdicts(Duration most) throws InterruptedException {
        if (submission.isEmpty()) {
            return new SubmittedSeeds(written, Map.of(), 0, written);
        }
        long begun = time.nanos();
        long last = begun;
        long decided = submission.get().total();
        while (decided < written && leads.getAsBoolean() && time.nanos() - last < PATIENCE.toNanos()
                && time.nanos() - begun < most.toNanos()) {
            time.pause(LOOK);
            long now = submission.get().total();
            last = now == decided ? last : time.nanos();
            decided = now;
        }
        Map<String, Long> refused = new TreeMap<>();
        submission.get().refused().forEach((reason, count) -> refused.put(reason.name(), count));
        return new SubmittedSeeds(written, refused, submission.get().dues(), written - decided);
    }

    @Override
    public void close() {
        submission.ifPresent(SeedSubmission::close);
    }
}
