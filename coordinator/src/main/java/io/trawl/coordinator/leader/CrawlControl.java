package io.trawl.coordinator.leader;

import io.trawl.pattern.UrlPattern;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.lifecycle.IllegalMoveException;
import io.trawl.coordinator.lifecycle.SeedProgress;
import io.trawl.coordinator.lifecycle.SeedSubmission;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Carries out the REST interface's calls that concern crawls and their seeds. Commands that only the leader may carry
 * out throw {@link io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException} elsewhere. Thread-safe; calls
 * block.
 */
public final class CrawlControl implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration SEEDS_WAIT = Duration.ofSeconds(10);
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final LeaderElection leaderElection;
    private final CrawlSummaries summaries;
    private final VisitCounter visits;
    private final SeedWriter seeds;

    /** Each command is run by the current term of {@code leaderElection}. */
    public CrawlControl(CoordinatorContext parts, LeaderElection leaderElection, CrawlSummaries summaries,
            VisitCounter visits) {
        this.parts = parts;
        this.context = parts.context();
        this.leaderElection = leaderElection;
        this.summaries = summaries;
        this.visits = visits;
        this.seeds = new SeedWriter(context);
    }

    /** What callers are told of crawls. */
    public CrawlSummaries summaries() {
        return summaries;
    }

    /** A part of a command that may refuse seeds. */
    interface Push<T> {
        T run() throws InterruptedException;
    }

    /** Counts seeds that a call refuses for a channel's capacity or priorities, or since it is closed (S1). */
    static <T> T counted(QueueRefusals refusals, Push<T> push) throws InterruptedException {
        try {
            return push.run();
        } catch (ChannelFullException e) {
            refusals.count(RefusalReason.CHANNEL_FULL, e.wanted());
            throw e;
        } catch (ClosedCrawlException e) {
            refusals.count(RefusalReason.CLOSED, e.seeds());
            throw e;
        } catch (InvalidDefinitionException e) {
            long bad = e.faults().stream().filter(f -> f.field().endsWith("priority")).count();
            refusals.count(RefusalReason.PRIORITY_OUT_OF_INDEX, bad);
            throw e;
        }
    }

    /** Starts or resumes a crawl; for the leader's thread. */
    public CrawlStatus start(LeaderTerm term, CrawlId crawl) throws InterruptedException {
        parts.quotas().start(crawl);
        return term.commands().start(crawl);
    }

    /** Begins and starts a run that visits pages of the present one again; for the leader's thread. */
    public CrawlStatus refresh(LeaderTerm term, CrawlId crawl, Optional<UrlPattern> match, boolean due)
            throws InterruptedException {
        parts.controlState().crawl(crawl)
                .ifPresent(now -> parts.quotas().seed(crawl, now.definition().starts().size()));
        parts.quotas().start(crawl);
        return counted(parts.refusals(), () -> term.commands().refresh(crawl, match, due));
    }

    /**
     * What {@link #refresh} would do now; nothing is changed. Leader only.
     *
     * @throws CallRefusedException 503 if the visits cannot be read in time
     */
    public RefreshPlan plannedRefresh(CrawlId crawl, Optional<UrlPattern> match, boolean due)
            throws InterruptedException {
        VisitSource source = leaderElection.decide(term -> term.commands().planned(crawl, match, due));
        return visits.planned(parts.controlState().known(crawl), source);
    }

    /**
     * Before a crawl is closed or deleted: seeds that were submitted before must be admitted to this crawl while it
     * takes them, not to a later crawl of its id. Leader only.
     */
    public void awaitSeeds() throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        long end = parts.progress().end(context.kafka().topics().seeds());
        for (long since = context.time().nanos(); leaderTerm.progress().admitted() < end; context.time().pause(LOOK)) {
            if (context.time().nanos() - since > SEEDS_WAIT.toNanos() || !leaderElection.leading()) {
                throw new SeedsPendingException();
            }
        }
    }

    /** Begins to submit seeds of a crawl. The caller closes the call. */
    public SeedCall seeds(CrawlId crawl) {
        return new SeedCall(this, crawl,
                leaderElection.current().map(LeaderTerm::progress).map(SeedProgress::submission),
                leaderElection::leading, context.time());
    }

    /** @throws InvalidDefinitionException with every fault of every seed */
    void check(CrawlId crawl, List<Seed> wanted) throws InterruptedException {
        parts.rules().check(crawl, wanted, parts.controlState().known(crawl).definition().priority());
    }

    /**
     * Checks seeds of a crawl and writes them to the topic. The leader reserves a place for each, so that none is
     * refused as CHANNEL_FULL later; a coordinator that does not lead writes them without places.
     *
     * @return the number of acknowledged seeds: all
     * @throws ChannelFullException if there are not enough places; none is written
     * @param submission that waits for the verdicts, if one does
     * @throws ClosedCrawlException if the crawl is closed
     * @throws IllegalMoveException if the facts of its run are gone, or the visits of its pages are not promoted yet
     */
    int submit(CrawlId crawl, List<Seed> wanted, Optional<SeedSubmission> submission) throws InterruptedException {
        CrawlStatus status = parts.controlState().known(crawl);
        int priority = status.definition().priority();
        IllegalMoveException.checkRemembered(status);
        IllegalMoveException.checkPromoted(status);
        return counted(parts.refusals(), () -> {
            if (status.closed()) {
                throw new ClosedCrawlException(crawl, wanted.size());
            }
            parts.rules().check(crawl, wanted, priority);
            parts.quotas().seed(crawl, wanted.size());
            Optional<LeaderTerm> leaderTerm = leaderElection.current();
            if (leaderTerm.isPresent()) {
                seeds.write(crawl, wanted, priority, leaderTerm.get().capacity(), submission);
            } else {
                seeds.write(crawl, wanted);
            }
            return wanted.size();
        });
    }

    @Override
    public void close() {
        seeds.close();
    }

    /**
     * The crawl was not deleted or closed, because seeds that were submitted before are not admitted yet. The caller
     * may retry.
     */
    public static final class SeedsPendingException extends RuntimeException {
        public SeedsPendingException() {
            super("seeds that were submitted before are not admitted yet: nothing is changed, try again later");
        }
    }

    /** Seeds for a closed crawl. The message names it and says how to open it. */
    public static final class ClosedCrawlException extends RuntimeException {
        private final int seeds;

        ClosedCrawlException(CrawlId crawl, int seeds) {
            super("crawl " + crawl + " is closed: it takes no seeds until it is started again");
            this.seeds = seeds;
        }

        int seeds() {
            return seeds;
        }
    }
}
