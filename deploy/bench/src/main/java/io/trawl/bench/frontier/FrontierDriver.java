package io.trawl.bench.frontier;

import io.trawl.codec.Codec;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.Delivered;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierSettings;
import io.trawl.downloader.frontier.Shares;
import io.trawl.downloader.frontier.Lane;
import io.trawl.downloader.frontier.QueueKeys;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.retry.RetryPolicy;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.lease.Legacy;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.module.Counters;
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
 * A frontier in a world without surprises: the ledger knows nothing, robots.txt allows everything, Kafka acknowledges at once. The one place of this module
 * that knows the frontier's inputs and actions. Not thread-safe.
 */
public final class FrontierDriver {
    private static final long TENURE = 1;
    private static final RobotsRules OPEN = new RobotsRules() {
        @Override
        public boolean isAllowed(String url) {
            return true;
        }

        @Override
        public Optional<Duration> crawlDelay() {
            return Optional.empty();
        }

        @Override
        public boolean unavailable() {
            return false;
        }
    };
    private final RequestLog log;
    private final Frontier frontier;
    private final List<Begun> begun = new ArrayList<>();
    private final List<Long> unacknowledged = new ArrayList<>();

    /** A fetch that the frontier has begun. */
    public record Begun(long ticket, int priority, String host) {}

    /** Nothing is delivered yet. */
    FrontierDriver(RequestLog log, int concurrency, Duration delay) {
        this.log = log;
        Settings.Downloader settings = SettingsReader.from(Map.of()).downloader();
        Terms terms = new Terms(Standing.PRESENT, true, delay, "Trawl/0.1", DepthMode.EXACT);
        QueueKeys keys = QueueKeys.by(PolitenessKey.HOST);
        frontier = new Frontier(
                new FrontierSettings(log.levels(), Shares.strict(), concurrency, 1, Integer.MAX_VALUE, settings.pendingBytes(),
                        64L << 20,
                        new Politeness(settings.adaptiveFactor(), settings.longestPause(), 1),
                        FrontierSettings.of(settings, log.levels(), keys).silence(), keys),
                run -> terms, (host, agent) -> Optional.of(OPEN), new RetryPolicy(settings, () -> 0.5), new Counters());
        frontier.leased(0, () -> true, Legacy.nothing(), 0);
        for (int p = 0; p < log.levels(); p++) {
            frontier.assigned(new Lane(p, 0), TENURE, 0);
        }
    }

    /** Delivers the records of a lane from one offset up to another. */
    void deliver(Lane lane, int from, int to, long now) {
        List<Delivered> records = new ArrayList<>(to - from);
        for (int offset = from; offset < to; offset++) {
            records.add(record(lane, offset));
        }
        frontier.delivered(lane, TENURE, records, to, now);
    }

    private Delivered record(Lane lane, long offset) {
        Request request = log.request(lane, offset);
        return new Delivered(offset, request.host().value().getBytes(StandardCharsets.UTF_8), Codec.encode(request));
    }

    /** One step. Questions are answered at once, which leads to the next step; returns the fetches that it has begun. */
    List<Begun> step(long now) {
        begun.clear();
        boolean asked = true;
        while (asked) {
            asked = false;
            for (Action action : frontier.advance(now)) {
                asked |= obey(action, now);
            }
        }
        return begun;
    }

    /** Returns whether the frontier was told something. */
    private boolean obey(Action action, long now) {
        switch (action) {
            case Action.LookUp lookUp -> {
                frontier.judged(lookUp.ask(), Collections.nCopies(lookUp.urls().size(), UrlFacts.NOTHING), now);
                return true;
            }
            case Action.LoadRobots load -> {
                frontier.robotsLoaded(load.ticket(), OPEN, now);
                return true;
            }
            case Action.Fetch fetch ->
                begun.add(new Begun(fetch.ticket(), fetch.request().priority(), fetch.request().host().value()));
            case Action.Answer answer -> unacknowledged.add(answer.ticket());
            case Action.Pass pass -> unacknowledged.add(pass.ticket());
            case Action.Read read -> {
                frontier.read(read.ask(), read.offsets().stream().map(offset -> record(read.lane(), offset).decoded()).toList(),
                        now);
                return true;
            }
            case Action.Unreadable broken -> throw new IllegalStateException("not a request: " + broken);
            case Action.Closed _,Action.Refresh _,Action.Commit _,Action.Reread _,Action.Scan _ -> {
                // Nothing of it happens here: one run, no revocations, room for everything.
            }
        }
        return false;
    }

    /** A fetch is over. */
    void fetched(long ticket, Duration took, long now) {
        frontier.fetched(ticket, new Fetched(new Outcome.Page(200, false), Map.of(), Body.EMPTY, took, Optional.empty(),
                Instant.EPOCH), now);
    }

    /** Kafka acknowledges everything that was answered. Returns how many answers that were. */
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
