package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.trawl.codec.Codec;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.control.StopSign;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.StoppedCrawlOffsets.RelocationRules;
import io.trawl.downloader.frontier.queue.StragglerOffsets.StragglerRules;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.RetryPolicy;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.TraceContext;
import io.trawl.module.Counters;
import io.trawl.pattern.UrlPattern;
import io.trawl.politeness.HostBudgetStore.BudgetVerdict;
import io.trawl.politeness.InheritedPauses;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A frontier with a manual clock and a simulated environment: facts, robots rules and crawls are plain maps. Tests and
 * simulations move its clock, and end what it has begun.
 */
final class World {
    static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    static final long MS = 1_000_000L;
    final Map<CrawlRun, Terms> crawls = new HashMap<>();
    final Map<HostKey, RobotsRules> robots = new HashMap<>();
    /** The rules of hosts without rules of their own; empty: they have to be loaded. */
    Optional<RobotsRules> usualRobots = Optional.empty();
    /** The hosts whose rules the fleet's cache has, so that they are loaded without a request. */
    final Set<HostKey> inFleet = new HashSet<>();
    /** How long {@link #settle} lets loaded rules be valid; empty: forever. */
    Optional<Duration> robotsKept = Optional.empty();
    /** Until when rules are valid, if not forever. */
    final Map<HostKey, Long> robotsUntil = new HashMap<>();
    final Map<String, UrlFacts> facts = new HashMap<>();
    final Counters counters = new Counters();
    final Frontier frontier;
    final List<FrontierAction> all = new ArrayList<>();
    final List<FrontierAction.LookUp> asked = new ArrayList<>();
    final List<FrontierAction.BeginFetch> fetches = new ArrayList<>();
    final List<FrontierAction.TakeBudget> claims = new ArrayList<>();
    final List<FrontierAction.TakePermit> takes = new ArrayList<>();
    final List<PermittedPage> spent = new ArrayList<>();
    /** The permits that are left. */
    long permits = Long.MAX_VALUE / 2;
    /** What was used of the budgets of hosts. */
    final Map<HostKey, Long> used = new HashMap<>();
    final Map<UrlPattern, Long> patterns = new HashMap<>();
    final Map<HostKey, Long> failures = new HashMap<>();
    final Map<HostKey, Long> firsts = new HashMap<>();
    final List<FrontierAction.LoadRobots> loads = new ArrayList<>();
    final List<FrontierAction.CheckRobots> checks = new ArrayList<>();
    final List<FrontierAction.ResolveNames> resolves = new ArrayList<>();
    /** The names that must be looked up. */
    final Set<String> unknownNames = new HashSet<>();
    final List<FrontierAction.SendAnswer> sendAnswers = new ArrayList<>();
    final Map<Integer, FetchPermit> leases = new HashMap<>();
    final List<FrontierAction.RecordPause> closures = new ArrayList<>();
    final List<FrontierAction.Reread> rereads = new ArrayList<>();
    final List<FrontierAction.ReadBodies> readBodiess = new ArrayList<>();
    final List<FrontierAction.ReportUnreadable> reportUnreadable = new ArrayList<>();
    final List<FrontierAction.Pass> passes = new ArrayList<>();
    final List<FrontierAction.Forward> forwards = new ArrayList<>();
    final Map<RequestPartition, Long> committed = new HashMap<>();
    private final Map<RequestPartition, List<DeliveredRecord>> log = new HashMap<>();
    /** The records at some offsets, for {@link FrontierAction.ReadBodies}. */
    private BiFunction<RequestPartition, List<Long>, List<DeliveredRecord>> topics = this::logged;
    private final Map<RequestPartition, Long> positions = new HashMap<>();
    private final Map<RequestPartition, Long> assignments = new HashMap<>();
    /** While true {@link #settle} leaves reads unanswered. */
    boolean logAway;
    /** Gets every action when the frontier returns it. */
    Consumer<FrontierAction> watch = all::add;
    private long ids;
    long now;

    World(Map<String, String> settings, int levels, int concurrency, int pending) {
        this(settings, levels, concurrency, pending, 1 << 20);
    }

    World(Map<String, String> settings, int levels, int concurrency, int pending, long bodies) {
        this(settings, levels, concurrency, pending, bodies,
                QueueKeys.by(SettingsReader.from(settings).politenessKey()));
    }

    World(Map<String, String> settings, int levels, int concurrency, int pending, long bodies, QueueKeys keys) {
        this(settings, levels, concurrency, pending, bodies, RelocationRules.USUAL,
                new StragglerRules(Duration.ofMinutes(10), 10_000, 16), keys);
    }

    World(Map<String, String> settings, int levels, int concurrency, int pending, long bodies,
            RelocationRules relocationRules, StragglerRules stragglerRules, QueueKeys keys) {
        Settings read = SettingsReader.from(settings);
        Settings.DownloaderSettings all = read.downloader();
        FrontierSettings own = new FrontierSettings(levels, PriorityShares.of(all.shares().orElse(List.of()), levels),
                concurrency, all.perHost(), pending, bodies, 1 << 20, relocationRules, stragglerRules,
                new Politeness(all.adaptiveFactor(), all.longestPause(), all.perHost()),
                FrontierSettings.of(all, concurrency, levels, keys).giveUpRules(), keys);
        frontier = new Frontier(own, run -> crawls.getOrDefault(run, Terms.absent(RunStatus.UNKNOWN)),
                (host, agent) -> robots(host), name -> !unknownNames.contains(name), new RetryPolicy(all, () -> 0.5),
                counters);
        crawls.put(RUN, terms(Duration.ZERO));
    }

    /** The valid robots.txt rules of a host. */
    Optional<RobotsRules> robots(HostKey host) {
        return Optional.ofNullable(robots.get(host)).filter(r -> now < robotsUntil.getOrDefault(host, Long.MAX_VALUE))
                .or(() -> usualRobots);
    }

    /** Three levels, four slots, one crawl without delay. */
    World() {
        this(Map.of(), 3, 4, 10_000);
        assign(0);
    }

    /**
     * A world without obstacles, for simulations with many requests: robots.txt allows everything, and no record, fact
     * or action is kept.
     *
     * @param topics the records to deliver, on one partition of each level
     */
    static World of(RequestLog topics, int slots, Duration delay) {
        World world = new World(Map.of(), topics.levels(), slots, Integer.MAX_VALUE,
                SettingsReader.from(Map.of()).downloader().pendingBytes(), RelocationRules.USUAL,
                StragglerRules.of(Duration.ZERO, 1), QueueKeys.by(PolitenessKey.HOST));
        world.topics = (requestPartition, offsets) -> offsets.stream()
                .map(offset -> topics.record(requestPartition, offset).decoded()).toList();
        world.watch = _ -> {};
        world.usualRobots = Optional.of(new Rules(true, Optional.empty(), Optional.empty()));
        topics.runs().forEach(run -> world.crawls.put(run, terms(delay)));
        for (int level = 0; level < topics.levels(); level++) {
            world.assign(new RequestPartition(level, 0), 0);
        }
        return world;
    }

    static Terms terms(Duration delay) {
        return new Terms(RunStatus.PRESENT, true, delay, "Trawl/0.1", DepthMode.EXACT);
    }

    void assign(int partition) {
        for (int p = 0; p < 3; p++) {
            assign(new RequestPartition(p, partition), 0);
        }
    }

    void assign(RequestPartition requestPartition, long position) {
        lease(requestPartition.partition(), InheritedPauses.nothing());
        long assignment = ++ids;
        assignments.put(requestPartition, assignment);
        positions.put(requestPartition, position);
        frontier.assigned(requestPartition, assignment, position);
    }

    /** Leases the partition forever. */
    void lease(int partition, InheritedPauses inheritedPauses) {
        FetchPermit lease = () -> true;
        leases.put(partition, lease);
        frontier.leased(partition, lease, inheritedPauses, now);
    }

    Request request(CrawlRun run, String url, int depth, Optional<Duration> wait) {
        String host = url.substring(url.indexOf("//") + 2).split("/")[0];
        FetchOptions options = FetchOptions.NONE.withWaitTime(wait);
        return RequestBuilder.builder().id(new RequestId(++ids)).run(run).url(url).host(new HostKey(host)).depth(depth)
                .domains(1).options(options).build();
    }

    /** Delivers one request at the next offset of a request partition; returns the offset. */
    long deliver(RequestPartition requestPartition, Request request) {
        return deliver(requestPartition, request.host().value().getBytes(UTF_8), Codec.encode(request));
    }

    /** Delivers one record. */
    long deliver(RequestPartition requestPartition, byte @Nullable [] key, byte @Nullable [] value) {
        long offset = requireNonNull(positions.get(requestPartition));
        positions.put(requestPartition, offset + 1);
        log.computeIfAbsent(requestPartition, l -> new ArrayList<>())
                .add(new DeliveredRecord(offset, key, value, TraceContext.NONE));
        frontier.delivered(requestPartition, requireNonNull(assignments.get(requestPartition)),
                List.of(new DeliveredRecord(offset, key, value, TraceContext.NONE)), offset + 1, now);
        return offset;
    }

    /** Delivers the records of a log from one offset up to another. */
    void deliver(RequestLog topics, RequestPartition requestPartition, int from, int to) {
        frontier.delivered(requestPartition, requireNonNull(assignments.get(requestPartition)),
                IntStream.range(from, to).mapToObj(offset -> topics.record(requestPartition, offset)).toList(), to,
                now);
    }

    long deliver(int priority, String url) {
        return deliver(new RequestPartition(priority, 0), request(RUN, url, 1, Optional.empty()));
    }

    /** Carries out the {@link FrontierAction.Reread}s. */
    World reread() {
        for (FrontierAction.Reread reread : List.copyOf(rereads)) {
            rereads.remove(reread);
            reread.from()
                    .forEach((requestPartition, mark) -> frontier.delivered(
                            requestPartition, mark.assignment(), requireNonNull(log.get(requestPartition)).stream()
                                    .filter(d -> d.offset() >= mark.offset()).toList(),
                            requireNonNull(positions.get(requestPartition)), now));
        }
        return this;
    }

    void crawlsChanged(Collection<StopSign> signs) {
        frontier.crawlsChanged(signs, now);
    }

    /** One step; adds the actions to the lists. */
    World step() {
        for (FrontierAction frontierAction : frontier.advance(now)) {
            watch.accept(frontierAction);
            switch (frontierAction) {
                case FrontierAction.LookUp lookUp -> asked.add(lookUp);
                case FrontierAction.BeginFetch beginFetch -> fetches.add(beginFetch);
                case FrontierAction.TakeBudget take -> claims.add(take);
                case FrontierAction.TakePermit take -> takes.add(take);
                case FrontierAction.ReturnPermit _ -> permits++;
                case FrontierAction.SpendPermit spend -> spent.add(spend.page());
                case FrontierAction.CountFailure failure -> failures.merge(failure.host(), 1L, Long::sum);
                case FrontierAction.LoadRobots load -> loads.add(load);
                case FrontierAction.CheckRobots check -> checks.add(check);
                case FrontierAction.ResolveNames resolve -> resolves.add(resolve);
                case FrontierAction.SendAnswer sendAnswer -> sendAnswers.add(sendAnswer);
                case FrontierAction.Pass pass -> passes.add(pass);
                case FrontierAction.Forward forward -> forwards.add(forward);
                case FrontierAction.RecordPause recordPause -> closures.add(recordPause);
                case FrontierAction.CommitOffset commitOffset -> commitOffset.offsets()
                        .forEach((requestPartition, mark) -> committed.put(requestPartition, mark.offset()));
                case FrontierAction.Reread reread -> rereads.add(reread);
                case FrontierAction.ReadBodies readBodies -> readBodiess.add(readBodies);
                case FrontierAction.ReportUnreadable none -> reportUnreadable.add(none);
                case FrontierAction.Refresh _,FrontierAction.Scan _ -> {
                }
            }
        }
        return this;
    }

    /**
     * Answers all lookups from {@link #facts}, loads all robots.txt files and reads all bodies, until the frontier
     * requests no more.
     */
    World settle() {
        step();
        for (int i = 0; !asked.isEmpty() || !claims.isEmpty() || !takes.isEmpty() || !checks.isEmpty()
                || !loads.isEmpty() || !logAway && !readBodiess.isEmpty(); i++) {
            if (i == 1000) {
                throw new IllegalStateException("a thousand rounds of look-ups");
            }
            for (FrontierAction.ReadBodies readBodies : logAway
                    ? List.<FrontierAction.ReadBodies>of()
                    : List.copyOf(readBodiess)) {
                readBodiess.remove(readBodies);
                frontier.read(readBodies.ask(), stored(readBodies.requestPartition(), readBodies.offsets()), now);
            }
            answerLookUps();
            check();
            takeBudgets();
            takePermits();
            for (FrontierAction.LoadRobots load : List.copyOf(loads)) {
                loads.remove(load);
                robots.putIfAbsent(load.host(), new Rules(true, Optional.empty(), Optional.empty()));
                robotsKept.ifPresent(kept -> robotsUntil.put(load.host(), now + kept.toNanos()));
                frontier.robotsLoaded(load.ticket(),
                        new LoadedRobots(requireNonNull(robots.get(load.host())), !inFleet.contains(load.host())), now);
            }
            step();
        }
        return this;
    }

    private void takeBudgets() {
        for (FrontierAction.TakeBudget take : List.copyOf(claims)) {
            claims.remove(take);
            frontier.budgetTaken(take.ticket(), verdict(take), now);
        }
    }

    private void takePermits() {
        for (FrontierAction.TakePermit take : List.copyOf(takes)) {
            takes.remove(take);
            boolean taken = permits > 0;
            permits -= taken ? 1 : 0;
            frontier.permitTaken(take.ticket(), taken, now);
        }
    }

    private BudgetVerdict verdict(FrontierAction.TakeBudget take) {
        long urls = used.getOrDefault(take.host(), 0L);
        if (take.limits().maxUrls().filter(most -> urls >= most).isPresent()) {
            return BudgetVerdict.URLS;
        }
        if (take.limits().maxErrors().filter(most -> failures.getOrDefault(take.host(), 0L) >= most).isPresent()) {
            return BudgetVerdict.ERRORS;
        }
        long first = firsts.computeIfAbsent(take.host(), host -> now);
        if (take.limits().maxTime().filter(most -> urls > 0 && now - first >= most.toNanos()).isPresent()) {
            return BudgetVerdict.TIME;
        }
        if (take.pattern().filter(rule -> patterns.getOrDefault(rule.match(), 0L) >= rule.pages()).isPresent()) {
            return BudgetVerdict.PATTERN;
        }
        take.pattern().ifPresent(rule -> patterns.merge(rule.match(), 1L, Long::sum));
        used.put(take.host(), urls + 1);
        return BudgetVerdict.GRANTED;
    }

    /** Makes the verdicts of robots.txt that the frontier has asked for. */
    void check() {
        for (FrontierAction.CheckRobots check : List.copyOf(checks)) {
            checks.remove(check);
            frontier.robotsChecked(check.ticket(),
                    check.urls().stream().map(url -> check.rules().check(url, RobotsRules.MOST_STEPS)).toList(), now);
        }
    }

    void answerLookUps() {
        for (FrontierAction.LookUp lookUp : List.copyOf(asked)) {
            asked.remove(lookUp);
            frontier.lookedUp(lookUp.ask(),
                    lookUp.identities().stream().map(url -> facts.getOrDefault(url, UrlFacts.NOTHING)).toList(), now);
        }
    }

    /**
     * The look-ups of names that are under way end; what they have found counts from now on, or does not count any
     * more.
     */
    World resolve(boolean counts) {
        for (FrontierAction.ResolveNames resolve : List.copyOf(resolves)) {
            resolves.remove(resolve);
            if (counts) {
                unknownNames.removeAll(resolve.names());
            }
            frontier.namesResolved(resolve.ticket(), now);
        }
        return settle();
    }

    /** Answers only lookups. */
    World answerAllLookUps() {
        step();
        while (!asked.isEmpty()) {
            answerLookUps();
            step();
        }
        return this;
    }

    /** The records at these offsets. */
    List<DeliveredRecord> stored(RequestPartition requestPartition, List<Long> offsets) {
        return topics.apply(requestPartition, offsets);
    }

    private List<DeliveredRecord> logged(RequestPartition requestPartition, List<Long> offsets) {
        return requireNonNull(log.get(requestPartition)).stream().filter(d -> offsets.contains(d.offset())).toList();
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

    /** The URLs of the fetches that began since the last call, in order. */
    List<String> begun() {
        return fetches.stream().map(f -> f.request().url()).toList();
    }

    /** The fetches that began since the last call, in order; no longer listed. */
    List<FrontierAction.BeginFetch> takeFetches() {
        List<FrontierAction.BeginFetch> taken = List.copyOf(fetches);
        fetches.clear();
        return taken;
    }

    /** Ends the oldest fetch. */
    World end(FetchResult fetchResult) {
        frontier.fetched(fetches.removeFirst().ticket(), fetchResult, now);
        return this;
    }

    World endWithPage() {
        return end(page(Duration.ZERO));
    }

    /** Kafka acknowledges all answers, and their facts are learnt. */
    World acknowledge() {
        for (FrontierAction.SendAnswer sendAnswer : List.copyOf(sendAnswers)) {
            sendAnswers.remove(sendAnswer);
            learn(sendAnswer.answer());
            frontier.answered(List.of(sendAnswer.ticket()), now);
        }
        passes.forEach(pass -> frontier.answered(List.of(pass.ticket()), now));
        passes.clear();
        reportUnreadable.forEach(none -> frontier.answered(List.of(none.ticket()), now));
        return this;
    }

    /** Kafka acknowledges all answers, whose facts are not learnt, nor are pauses kept; returns their number. */
    int acknowledgeOnly() {
        List<Long> tickets = Stream.concat(sendAnswers.stream().map(FrontierAction.SendAnswer::ticket),
                passes.stream().map(FrontierAction.Pass::ticket)).toList();
        if (!tickets.isEmpty()) {
            frontier.answered(tickets, now);
        }
        sendAnswers.clear();
        passes.clear();
        closures.clear();
        return tickets.size();
    }

    /**
     * Kafka appends all copies, which are delivered; then their originals are marked. All servers are in one partition.
     */
    World forward() {
        for (FrontierAction.Forward forward : List.copyOf(forwards)) {
            forwards.remove(forward);
            switch (forward.copy()) {
                case ForwardedRequest.AtEnd(DeliveredRecord original) ->
                    deliver(forward.requestPartition(), original.key(), original.value());
                case ForwardedRequest.AtPriority(var _, Request request, int _) ->
                    deliver(new RequestPartition(request.priority(), forward.requestPartition().partition()), request);
                case ForwardedRequest.AtServer(var _, Request request) -> deliver(forward.requestPartition(), request);
            }
            frontier.answered(List.of(forward.ticket()), now);
        }
        return this;
    }

    void learn(RequestAnswer requestAnswer) {
        OptionalInt depth = requestAnswer.factDepth();
        depth.ifPresent(
                d -> facts.merge(requestAnswer.request().identity(), UrlFacts.responded(d, ++ids), UrlFacts::and));
    }

    static FetchResult page(Duration took) {
        return new FetchResult(new Outcome.Success(200, false), Map.of(), Body.EMPTY, took, Optional.empty(),
                Instant.EPOCH);
    }

    static FetchResult page(String body) {
        return new FetchResult(new Outcome.Success(200, false), Map.of(), new Body(body.getBytes(UTF_8)), Duration.ZERO,
                Optional.empty(), Instant.EPOCH);
    }

    static FetchResult status(int status, Optional<Duration> retryAfter) {
        return new FetchResult(new Outcome.HttpError(status), Map.of(), Body.EMPTY, Duration.ZERO, retryAfter,
                Instant.EPOCH);
    }

    static FetchResult failure(FailureReason reason) {
        return FetchResult.without(new Outcome.Failure(reason, "for a test"), Duration.ZERO, Instant.EPOCH);
    }

    /**
     * Rules with the same answer for every URL whose path does not begin with {@code /private}.
     *
     * @param cost the steps that a verdict takes
     */
    record Rules(boolean allowed, Optional<Duration> crawlDelay, Optional<FetchResult> trouble, int cost,
            Version version) implements RobotsRules {
        Rules(boolean allowed, Optional<Duration> crawlDelay, Optional<FetchResult> trouble) {
            this(allowed, crawlDelay, trouble, 1, new Version(Optional.empty()));
        }

        @Override
        public RobotsVerdict check(String url, int steps) {
            if (steps < cost) {
                return RobotsVerdict.TOO_COSTLY;
            }
            return allowed && !url.contains("/private") ? RobotsVerdict.ALLOWED : RobotsVerdict.FORBIDDEN;
        }

        @Override
        public boolean unreachable() {
            return trouble.isPresent();
        }
    }
}
