package io.trawl.bench.frontier;

import io.trawl.codec.Codec;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.FrontierSettings;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.RetryPolicy;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.downloader.robots.RobotsSource.LoadedRobots;
import io.trawl.downloader.trap.SpiderTraps;
import io.trawl.downloader.robots.RobotsVerdict;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.module.Counters;
import io.trawl.politeness.InheritedPauses;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Drives a frontier under ideal conditions: the ledger is empty, robots.txt allows everything, Kafka acknowledges at
 * once. The only class of this module that uses the frontier's inputs and actions. Not thread-safe.
 */
public final class FrontierDriver {
    private static final long ASSIGNMENT = 1;
    private static final RobotsRules ALLOW_ALL = new RobotsRules() {
        private static final Version VERSION = new Version();

        @Override
        public RobotsVerdict check(String url, int steps) {
            return RobotsVerdict.ALLOWED;
        }

        @Override
        public Version version() {
            return VERSION;
        }
    };
    private final RequestLog log;
    private final Frontier frontier;
    private final List<Begun> begun = new ArrayList<>();
    private final List<Long> unacknowledged = new ArrayList<>();

    /** A fetch that the frontier has started. */
    public record Begun(long ticket, Request request) {
        /** The priority of its request. */
        public int priority() {
            return request.priority();
        }

        /** The name and port of its host. */
        public String host() {
            return request.host().value();
        }
    }

    /** A frontier without records. */
    FrontierDriver(RequestLog log, int concurrency, Duration delay) {
        this.log = log;
        Settings.DownloaderSettings settings = SettingsReader.from(Map.of()).downloader();
        Terms terms = new Terms(RunStatus.PRESENT, true, delay, "Trawl/0.1", DepthMode.EXACT);
        QueueKeys keys = QueueKeys.by(PolitenessKey.HOST);
        frontier = new Frontier(
                new FrontierSettings(log.levels(), PriorityShares.strict(), concurrency, 1, Integer.MAX_VALUE,
                        settings.pendingBytes(), 64L << 20, RelocationRules.USUAL, StragglerRules.of(Duration.ZERO, 1),
                        new Politeness(settings.adaptiveFactor(), settings.longestPause(), 1),
                        FrontierSettings.of(settings, concurrency, log.levels(), keys).giveUpRules(), keys),
                run -> terms, (host, agent) -> Optional.of(ALLOW_ALL), _ -> true, new RetryPolicy(settings, () -> 0.5),
                new Counters());
        frontier.leased(0, () -> true, InheritedPauses.nothing(), 0);
        for (int p = 0; p < log.levels(); p++) {
            frontier.assigned(new RequestPartition(p, 0), ASSIGNMENT, 0);
        }
    }

    /** Delivers the records of a partition from one offset up to another. */
    void deliver(RequestPartition requestPartition, int from, int to, long now) {
        List<DeliveredRecord> records = new ArrayList<>(to - from);
        for (int offset = from; offset < to; offset++) {
            records.add(record(requestPartition, offset));
        }
        frontier.delivered(requestPartition, ASSIGNMENT, records, to, now);
    }

    private DeliveredRecord record(RequestPartition requestPartition, long offset) {
        Request request = log.request(requestPartition, offset);
        return new DeliveredRecord(offset, request.host().value().getBytes(StandardCharsets.UTF_8),
                Codec.encode(request));
    }

    /**
     * Advances the frontier and answers its look-ups at once, until it asks no more. Returns the fetches that it has
     * started.
     */
    List<Begun> step(long now) {
        begun.clear();
        boolean asked = true;
        while (asked) {
            asked = false;
            for (FrontierAction frontierAction : frontier.advance(now)) {
                asked |= execute(frontierAction, now);
            }
        }
        return begun;
    }

    /** Executes an action; returns whether the frontier got an answer. */
    private boolean execute(FrontierAction frontierAction, long now) {
        switch (frontierAction) {
            case FrontierAction.LookUp lookUp -> {
                frontier.lookedUp(lookUp.ask(), Collections.nCopies(lookUp.identities().size(), UrlFacts.NOTHING), now);
                return true;
            }
            case FrontierAction.LoadRobots load -> {
                frontier.robotsLoaded(load.ticket(), new LoadedRobots(ALLOW_ALL, true), now);
                return true;
            }
            case FrontierAction.BeginFetch beginFetch ->
                begun.add(new Begun(beginFetch.ticket(), beginFetch.request()));
            case FrontierAction.SendAnswer sendAnswer -> unacknowledged.add(sendAnswer.ticket());
            case FrontierAction.Pass pass -> unacknowledged.add(pass.ticket());
            case FrontierAction.ReadBodies readBodies -> {
                frontier.read(readBodies.ask(), readBodies.offsets().stream()
                        .map(offset -> record(readBodies.requestPartition(), offset).decoded()).toList(), now);
                return true;
            }
            case FrontierAction.ResolveNames resolve ->
                throw new IllegalStateException("all names are known: " + resolve);
            case FrontierAction.CheckRobots check -> throw new IllegalStateException("not costly: " + check);
            case FrontierAction.UsePermit use -> throw new IllegalStateException("without limits: " + use);
            case FrontierAction.UseBudget use -> throw new IllegalStateException("without budgets: " + use);
            case FrontierAction.Forward forward ->
                throw new IllegalStateException("no request goes on elsewhere: " + forward);
            case FrontierAction.ReportUnreadable broken -> throw new IllegalStateException("not a request: " + broken);
            case FrontierAction.RecordPause _,FrontierAction.Refresh _,FrontierAction.CommitOffset _,FrontierAction.Reread _,FrontierAction.Scan _ -> {
                // Does not occur here: one run, no revocations, unlimited capacity.
            }
        }
        return false;
    }

    /** Ends a fetch with an empty page. */
    void fetched(long ticket, Duration took, long now) {
        fetched(ticket, new FetchResult(new Outcome.Success(200, false), Map.of(), Body.EMPTY, took, Optional.empty(),
                Instant.EPOCH), now);
    }

    /** Ends a fetch. */
    void fetched(long ticket, FetchResult fetchResult, long now) {
        frontier.fetched(ticket, fetchResult, now);
    }

    /** Tells the frontier that a host's pages repeat each other, or no longer do. */
    void judged(SpiderTraps.Change change, long now) {
        frontier.postpone(change.host(), change.trap(), now);
    }

    /** Acknowledges all written answers and returns their number. */
    int acknowledge(long now) {
        int answers = unacknowledged.size();
        if (answers > 0) {
            frontier.answered(unacknowledged, now);
            unacknowledged.clear();
        }
        return answers;
    }

    OptionalLong due() {
        return frontier.due();
    }
}
