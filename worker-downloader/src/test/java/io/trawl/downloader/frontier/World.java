package io.trawl.downloader.frontier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.retry.RetryPolicy;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.ledger.DepthMode;
import io.trawl.lease.Legacy;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import io.trawl.module.Counters;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A frontier with hand-driven time and a world around it that does what it is told: facts, robots rules and crawls are plain maps. */
final class World {
    static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    static final long MS = 1_000_000L;
    final Map<CrawlRun, Terms> crawls = new HashMap<>();
    final Map<HostKey, RobotsRules> robots = new HashMap<>();
    /** For how long {@link #settle} lets loaded rules be believed; empty: for ever. */
    Optional<Duration> robotsKept = Optional.empty();
    /** Until when rules are believed, if not for ever. */
    final Map<HostKey, Long> robotsUntil = new HashMap<>();
    final Map<String, UrlFacts> facts = new HashMap<>();
    final Counters counters = new Counters();
    final Frontier frontier;
    final List<Action> all = new ArrayList<>();
    final List<Action.LookUp> asked = new ArrayList<>();
    final List<Action.Fetch> fetches = new ArrayList<>();
    final List<Action.LoadRobots> loads = new ArrayList<>();
    final List<Action.Answer> answers = new ArrayList<>();
    final Map<Integer, Clearance> leases = new HashMap<>();
    final List<Action.Closed> closures = new ArrayList<>();
    final List<Action.Reread> rereads = new ArrayList<>();
    final List<Action.Read> reads = new ArrayList<>();
    final List<Action.Unreadable> unreadable = new ArrayList<>();
    final List<Action.Pass> passes = new ArrayList<>();
    final Map<Lane, Long> committed = new HashMap<>();
    private final Map<Lane, List<Delivered>> log = new HashMap<>();
    private final Map<Lane, Long> positions = new HashMap<>();
    private final Map<Lane, Long> tenures = new HashMap<>();
    /** While true {@link #settle} leaves reads unanswered. */
    boolean logAway;
    /** Sees every action when it is given. */
    Consumer<Action> watch = action -> {};
    private long ids;
    long now;

    World(Map<String, String> settings, int levels, int concurrency, int pending) {
        this(settings, levels, concurrency, pending, 1 << 20);
    }

    World(Map<String, String> settings, int levels, int concurrency, int pending, long bodies) {
        this(settings, levels, concurrency, pending, bodies, QueueKeys.by(SettingsReader.from(settings).politenessKey()));
    }

    World(Map<String, String> settings, int levels, int concurrency, int pending, long bodies, QueueKeys keys) {
        Settings read = SettingsReader.from(settings);
        Settings.Downloader all = read.downloader();
        FrontierSettings own = new FrontierSettings(levels, Shares.of(all.shares().orElse(List.of()), levels), concurrency,
                all.perHost(), pending, bodies, 1 << 20,
                new Politeness(all.adaptiveFactor(), all.longestPause(), all.perHost()),
                FrontierSettings.of(all, levels, keys).silence(), keys);
        frontier = new Frontier(own, run -> crawls.getOrDefault(run, Terms.absent(Standing.UNKNOWN)),
                (host, agent) -> robots(host),
                new RetryPolicy(all, () -> 0.5), counters);
        crawls.put(RUN, terms(Duration.ZERO));
    }

    /** What is believed of a host's robots.txt now. */
    Optional<RobotsRules> robots(HostKey host) {
        return Optional.ofNullable(robots.get(host)).filter(r -> now < robotsUntil.getOrDefault(host, Long.MAX_VALUE));
    }

    /** Three levels, four slots, one crawl without delay. */
    World() {
        this(Map.of(), 3, 4, 10_000);
        assign(0);
    }

    static Terms terms(Duration delay) {
        return new Terms(Standing.PRESENT, true, delay, "Trawl/0.1", DepthMode.EXACT);
    }

    void assign(int partition) {
        for (int p = 0; p < 3; p++) {
            assign(new Lane(p, partition), 0);
        }
    }

    void assign(Lane lane, long position) {
        lease(lane.partition(), Legacy.nothing());
        long tenure = ++ids;
        tenures.put(lane, tenure);
        positions.put(lane, position);
        frontier.assigned(lane, tenure, position);
    }

    /** The partition is leased for good. */
    void lease(int partition, Legacy legacy) {
        Clearance lease = () -> true;
        leases.put(partition, lease);
        frontier.leased(partition, lease, legacy, now);
    }

    Request request(CrawlRun run, String url, int depth, Optional<Duration> wait) {
        String host = url.substring(url.indexOf("//") + 2).split("/")[0];
        FetchOptions options = new FetchOptions(Map.of(), Optional.empty(), wait, Optional.empty(), Optional.empty(), Map.of());
        return new Request(new RequestId(++ids), run, url, new HostKey(host), depth, 0, 0, false, 1, Optional.empty(), options);
    }

    /** Delivers one request at the next offset of a lane; returns the offset. */
    long deliver(Lane lane, Request request) {
        return deliver(lane, request.host().value().getBytes(UTF_8), Codec.encode(request));
    }

    /** Delivers one record. */
    long deliver(Lane lane, byte @Nullable [] key, byte @Nullable [] value) {
        long offset = positions.get(lane);
        positions.put(lane, offset + 1);
        log.computeIfAbsent(lane, l -> new ArrayList<>()).add(new Delivered(offset, key, value));
        frontier.delivered(lane, tenures.get(lane), List.of(new Delivered(offset, key, value)), offset + 1, now);
        return offset;
    }

    long deliver(int priority, String url) {
        return deliver(new Lane(priority, 0), request(RUN, url, 1, Optional.empty()));
    }

    /** Delivers again what is wanted again. */
    World reread() {
        for (Action.Reread reread : List.copyOf(rereads)) {
            rereads.remove(reread);
            reread.from().forEach((lane, mark) -> frontier.delivered(lane, mark.tenure(),
                    log.get(lane).stream().filter(d -> d.offset() >= mark.offset()).toList(), positions.get(lane), now));
        }
        return this;
    }

    void crawlsChanged(Collection<StopSign> signs) {
        frontier.crawlsChanged(signs, now);
    }

    /** One step; what is wanted goes to the lists. */
    World step() {
        for (Action action : frontier.advance(now)) {
            watch.accept(action);
            all.add(action);
            switch (action) {
                case Action.LookUp lookUp -> asked.add(lookUp);
                case Action.Fetch fetch -> fetches.add(fetch);
                case Action.LoadRobots load -> loads.add(load);
                case Action.Answer answer -> answers.add(answer);
                case Action.Pass pass -> passes.add(pass);
                case Action.Closed closed -> closures.add(closed);
                case Action.Commit commit -> commit.offsets().forEach((lane, mark) -> committed.put(lane, mark.offset()));
                case Action.Reread reread -> rereads.add(reread);
                case Action.Read read -> reads.add(read);
                case Action.Unreadable none -> unreadable.add(none);
                case Action.Refresh _,Action.Scan _ -> {
                }
            }
        }
        return this;
    }

    /** Answers all look-ups from {@link #facts}, loads all robots.txt and reads all bodies at once, until the frontier asks no more. */
    World settle() {
        step();
        for (int i = 0; !asked.isEmpty() || !loads.isEmpty() || !logAway && !reads.isEmpty(); i++) {
            assertThat(i).as("rounds of questions").isLessThan(1000);
            for (Action.Read read : logAway ? List.<Action.Read>of() : List.copyOf(reads)) {
                reads.remove(read);
                frontier.read(read.ask(), stored(read.lane(), read.offsets()), now);
            }
            judge();
            for (Action.LoadRobots load : List.copyOf(loads)) {
                loads.remove(load);
                robots.putIfAbsent(load.host(), new Rules(true, Optional.empty(), Optional.empty()));
                robotsKept.ifPresent(kept -> robotsUntil.put(load.host(), now + kept.toNanos()));
                frontier.robotsLoaded(load.ticket(), robots.get(load.host()), now);
            }
            step();
        }
        return this;
    }

    private void judge() {
        for (Action.LookUp lookUp : List.copyOf(asked)) {
            asked.remove(lookUp);
            frontier.judged(lookUp.ask(),
                    lookUp.urls().stream().map(url -> facts.getOrDefault(url, UrlFacts.NOTHING)).toList(), now);
        }
    }

    /** Answers look-ups alone. */
    World judgeAll() {
        step();
        while (!asked.isEmpty()) {
            judge();
            step();
        }
        return this;
    }

    /** What the log has at these offsets. */
    List<Delivered> stored(Lane lane, List<Long> offsets) {
        return log.get(lane).stream().filter(d -> offsets.contains(d.offset())).toList();
    }

    World later(Duration time) {
        now += time.toNanos();
        return settle();
    }

    /** No robots.txt, for hosts where it does not matter. */
    World open(String... hosts) {
        for (String host : hosts) {
            robots.put(new HostKey(host), new Rules(true, Optional.empty(), Optional.empty()));
        }
        return this;
    }

    /** The URLs of the fetches that were begun and not taken note of, in order. */
    List<String> begun() {
        return fetches.stream().map(f -> f.request().url()).toList();
    }

    /** Ends the oldest fetch. */
    World end(Fetched fetched) {
        frontier.fetched(fetches.removeFirst().ticket(), fetched, now);
        return this;
    }

    World endWithPage() {
        return end(page(Duration.ZERO));
    }

    /** Kafka acknowledges all answers, and their facts are learnt. */
    World acknowledge() {
        for (Action.Answer answer : List.copyOf(answers)) {
            answers.remove(answer);
            learn(answer.reply());
            frontier.answered(List.of(answer.ticket()), now);
        }
        passes.forEach(pass -> frontier.answered(List.of(pass.ticket()), now));
        passes.clear();
        unreadable.forEach(none -> frontier.answered(List.of(none.ticket()), now));
        return this;
    }

    void learn(Reply reply) {
        OptionalInt depth = reply.factDepth();
        depth.ifPresent(d -> facts.merge(reply.request().url(), UrlFacts.responded(d, ++ids), UrlFacts::and));
    }

    static Fetched page(Duration took) {
        return new Fetched(new Outcome.Page(200, false), Map.of(), Body.EMPTY, took, Optional.empty(), Instant.EPOCH);
    }

    static Fetched status(int status, Optional<Duration> retryAfter) {
        return new Fetched(new Outcome.HttpError(status), Map.of(), Body.EMPTY, Duration.ZERO, retryAfter, Instant.EPOCH);
    }

    static Fetched failure(FailureReason reason) {
        return Fetched.without(new Outcome.Failure(reason, "for a test"), Duration.ZERO, Instant.EPOCH);
    }

    /** Rules that say the same of every URL whose path does not begin with {@code /private}. */
    record Rules(boolean allowed, Optional<Duration> crawlDelay, Optional<Fetched> trouble) implements RobotsRules {
        @Override
        public boolean isAllowed(String url) {
            return allowed && !url.contains("/private");
        }

        @Override
        public boolean unavailable() {
            return trouble.isPresent();
        }
    }
}
