package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.codec.SalvagedHeader;
import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import java.time.Duration;
import io.trawl.scope.PagesRule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An action that the frontier requests. The method that its comment names reports the result back to the frontier. */
public sealed interface FrontierAction {
    /** Look these requests up in the ledger; then {@link Frontier#lookedUp}. */
    record LookUp(long ask, CrawlRun run, List<String> identities) implements FrontierAction {}

    /**
     * Load a host's robots.txt over the same route as its first request, while the permit holds; then
     * {@link Frontier#robotsLoaded}.
     */
    record LoadRobots(long ticket, HostKey host, String scheme, FetchProfile profile,
            FetchPermit permit) implements FrontierAction {}

    /** Match these URLs with these rules, on another thread; then {@link Frontier#robotsChecked}. */
    record CheckRobots(long ticket, RobotsRules rules, List<String> urls) implements FrontierAction {}

    /**
     * Look these names up, so that a fetch finds them known; then {@link Frontier#namesResolved}, whatever came of it.
     */
    record ResolveNames(long ticket, List<String> names) implements FrontierAction {}

    /** A use of the budget of a host. Uses are carried out in their order. */
    sealed interface UseBudget extends FrontierAction permits TakeBudget, CountFailure {}

    /**
     * Count this request, if it is within the budgets of its host and its pattern; then {@link Frontier#budgetTaken}.
     */
    record TakeBudget(long ticket, CrawlRun run, HostKey host, RequestId request, HostLimits limits,
            Optional<PagesRule> pattern) implements UseBudget {}

    /** Count the failure of this request in the budget of its host. */
    record CountFailure(CrawlRun run, HostKey host, RequestId request) implements UseBudget {}

    /** A use of the permits of a run that has limits. Uses are carried out in their order. */
    sealed interface UsePermit extends FrontierAction permits TakePermit, ReturnPermit, SpendPermit {
        /** The run. */
        CrawlRun run();

        /** The request that has the permit, or is to have one. */
        RequestId request();
    }

    /** Take a permit of the run for this request; then {@link Frontier#permitTaken}. */
    record TakePermit(long ticket, CrawlRun run, RequestId request) implements UsePermit {}

    /** The fetch of this request brought no page. */
    record ReturnPermit(CrawlRun run, RequestId request) implements UsePermit {}

    /** This request has brought a page. */
    record SpendPermit(CrawlRun run, RequestId request, PermittedPage page) implements UsePermit {}

    /** Begin this fetch now, if the permit still holds; then {@link Frontier#fetched}. */
    record BeginFetch(long ticket, Request request, FetchProfile profile,
            FetchPermit permit) implements FrontierAction {}

    /**
     * Produce this answer; when Kafka acknowledges it, write its fact to the ledger and mark the offset; then
     * {@link Frontier#answered}.
     */
    record SendAnswer(long ticket, RequestPartition requestPartition, long offset,
            RequestAnswer answer) implements FrontierAction {}

    /**
     * Write the copy; when Kafka has acknowledged it, and the ledger entry of one at another priority, mark the offset;
     * then {@link Frontier#answered}.
     */
    record Forward(long ticket, RequestPartition requestPartition, long offset,
            ForwardedRequest copy) implements FrontierAction {}

    /** Mark the offset as answered without an answer, because its run is over; then {@link Frontier#answered}. */
    record Pass(long ticket, RequestPartition requestPartition, long offset) implements FrontierAction {}

    /**
     * This offset has no request that could be fetched. Report it, answer the request if its header could be salvaged,
     * mark the offset as answered; then {@link Frontier#answered}.
     */
    record ReportUnreadable(long ticket, RequestPartition requestPartition, long offset, String why,
            Optional<SalvagedHeader> salvaged) implements FrontierAction {}

    /**
     * Read the bodies of these ascending offsets; then {@link Frontier#read}, in every case unless the process ends.
     * All of them were delivered in that assignment; the result is useless once it has ended.
     */
    record ReadBodies(long ask, RequestPartition requestPartition, long assignment,
            List<Long> offsets) implements FrontierAction {}

    /** Read the control records of this run; then {@link Frontier#refreshed}. */
    record Refresh(CrawlRun run) implements FrontierAction {}

    /**
     * Record for the next owner of the partition that a host, or all servers with this key, must be left alone for this
     * long.
     */
    record RecordPause(int partition, HostKey host, Duration pause) implements FrontierAction {}

    /**
     * These offsets may be committed, but only within the named assignments: {@code assignment} is the number that
     * {@link Frontier#assigned} got.
     */
    record CommitOffset(Map<RequestPartition, Mark> offsets) implements FrontierAction {
        /** Copies the map. */
        public CommitOffset {
            offsets = Map.copyOf(offsets);
        }
    }

    /** Deliver the partitions again from these offsets to the end, within the named assignments. */
    record Reread(Map<RequestPartition, Mark> from) implements FrontierAction {
        /** Copies the map. */
        public Reread {
            from = Map.copyOf(from);
        }
    }

    /** Resume or pause reading the partitions of a priority. */
    record Scan(int priority, boolean on) implements FrontierAction {}
}
