package io.trawl.coordinator.lifecycle;

import static io.trawl.ledger.RunPermitStore.UNLIMITED;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.coordinator.lifecycle.CrawlWatch.WatchContext;
import io.trawl.coordinator.summary.Totals;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.RunPermitStore.Room;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says how many permits to fetch a started crawl with a limit of pages or bytes has left, by the answers that the
 * ledger has counted ({@link io.trawl.ledger.RunPermitStore}). The permits of counted requests end in the same step, so
 * pages that are counted and permits together never exceed the limit. Belongs to the thread of the crawl's
 * {@link CrawlWatch}; waits for nothing but the replies of the servers.
 */
final class PermitAccount {
    private static final Logger LOG = LoggerFactory.getLogger(PermitAccount.class);
    private static final long EVERY_NANOS = Duration.ofMillis(200).toNanos();
    private static final Duration COUNTED = Duration.ofMillis(50);
    private final WatchContext context;
    private final Time time;
    private Optional<Look> look = Optional.empty();
    private long next;

    /**
     * @param holders the requests that had permits
     * @param ends the ends of the ledger after that: everything below includes the emissions of all holders
     */
    private record Look(CrawlRun run, List<RequestId> holders, Map<TopicPartition, Long> ends) {}

    PermitAccount(WatchContext context, Time time) {
        this.context = context;
        this.time = time;
        this.next = time.nanos();
    }

    /**
     * Does the next step, if it is due. While Redis does not answer, nothing is permitted beyond what was.
     *
     * @return after which time there is another step to do; empty if there is none before an answer is counted
     */
    Optional<Duration> step(CrawlStatus status) throws InterruptedException {
        CrawlLimits limits = status.definition().limits();
        if (!limits.countsFetches()) {
            return Optional.empty();
        }
        try {
            Optional<Look> known = look.filter(last -> last.run().equals(status.run()));
            long left = next - time.nanos();
            if (known.isEmpty() && left > 0) {
                return Optional.of(Duration.ofNanos(left));
            }
            if (known.isEmpty()) {
                next = time.nanos() + EVERY_NANOS;
            }
            Look at = known.isPresent() ? known.get() : look(status.run());
            look = Optional.of(at);
            if (!context.tally().reached(at.ends())) {
                return Optional.of(COUNTED);
            }
            settle(at, limits);
            look = Optional.empty();
            return Optional.empty();
        } catch (LedgerUnavailableException e) {
            LOG.debug("the permits of {} are settled later: {}", status.run(), e.getMessage());
            return Optional.of(Duration.ofNanos(EVERY_NANOS));
        }
    }

    private Look look(CrawlRun run) throws InterruptedException {
        List<RequestId> holders = context.worker().store().runPermits().holders(run);
        return new Look(run, holders,
                holders.isEmpty() ? Map.of() : context.progress().ends(context.worker().kafka().topics().ledger()));
    }

    /**
     * A holder that does not wait is answered, since its emission is counted. The totals are read later, so they
     * include the answer.
     */
    private void settle(Look at, CrawlLimits limits) {
        Set<RequestId> counted = new HashSet<>(at.holders());
        counted.removeAll(context.tally().waiting(at.run(), at.holders()));
        Totals totals = context.tally().totals(at.run());
        context.worker().store().runPermits().settle(at.run(),
                new Room(left(limits.maxPages(), totals.pages()), left(limits.maxBytes(), totals.bytes())), counted);
    }

    private static long left(Optional<Long> limit, long used) {
        return limit.map(most -> Math.clamp(most - used, 0, UNLIMITED)).orElse(UNLIMITED);
    }
}
