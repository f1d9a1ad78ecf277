package io.trawl.downloader.call;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlVariables;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.http.HostCookies;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.politeness.HostPace;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.memory.HeapShares;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.plugin.Plugins;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import io.trawl.settings.Settings;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Fetches one URL after the other without Kafka and Redis, for a person who tries something: with the fetchers, the
 * address guard, the limits, robots.txt and the pauses of a downloader. Nothing is retried, and redirects are not
 * followed. Only what this object has fetched itself counts for pauses. Used by one thread.
 */
public final class SingleFetcher implements AutoCloseable {
    private static final MID ITSELF = new MID(ModuleKind.DOWNLOADER, 0, "localhost", 1);
    private final Time time;
    private final long origin;
    private final CrawlVariables variables = CrawlVariables.ofProcess();
    private final Politeness politeness;
    private final CachedRobots robots;
    private final NamedFetchers fetchers;
    private final Map<HostKey, HostPace> paces = new HashMap<>();
    private final Map<HostKey, HostCookies> cookies = new HashMap<>();

    /** Opens connections when they are needed. */
    public SingleFetcher(Settings settings, Plugins plugins, Time time) {
        this.time = time;
        this.origin = time.nanos();
        Settings.DownloaderSettings own = settings.downloader();
        this.politeness = new Politeness(own.adaptiveFactor(), own.longestPause());
        BodyMemory memory = BodyMemory.of(HeapShares.ofThisJvm().bodies(), 1, time);
        HttpFetcher http = HttpFetcher.open(settings, NameService.open(own, new Outage("name servers"), time), memory,
                time);
        this.robots = new CachedRobots(http.web(), new NoRobotsStore(), own.robotsTtl(), time);
        this.fetchers = NamedFetchers.among(plugins, new FetchBounds(http, robots, politeness, memory, own, time));
    }

    /** Waits for the turn of the host, and fetches. */
    public Response fetch(Request request, CrawlDefinition definition) throws InterruptedException {
        FetchRules rules = definition.fetch();
        FetchProfile profile = FetchProfile.of(rules, variables).withMediaTypes(definition.scope().wantedTypes())
                .through(request);
        FetchProfile own = profile.session().keeps(request.host())
                ? profile.withSession(profile.session()
                        .with(cookies.computeIfAbsent(request.host(), _ -> new HostCookies(List.of(), time))))
                : profile;
        RobotsRules allowed = profile.ignoresRobots(request.host())
                ? RobotsRules.IGNORED
                : rules(request, profile, rules.delay());
        if (allowed.unreachable()) {
            return without(request, allowed.withoutRules());
        }
        RobotsVerdict verdict = allowed.check(request.url(), RobotsRules.MOST_STEPS);
        if (verdict != RobotsVerdict.ALLOWED) {
            return without(request, verdict.forbidden());
        }
        RequestedDelays delays = new RequestedDelays(rules.delay(), allowed.crawlDelay(), request.options().waitTime());
        long began = awaitTurn(request.host(), delays);
        FetchResult fetched = await(fetchers.fetch(request, own, () -> true));
        ended(request.host(), began);
        fetched.retryAfter().ifPresent(pause -> pace(request.host()).close(now(), pause));
        return new RequestAnswer(request, fetched.outcome(), Optional.of(fetched), 1, OptionalInt.empty())
                .response(ITSELF, time.now());
    }

    private RobotsRules rules(Request request, FetchProfile profile, Duration delay) throws InterruptedException {
        Optional<RobotsRules> known = robots.cached(request.host(), profile.userAgent());
        if (known.isPresent()) {
            return known.get();
        }
        long began = awaitTurn(request.host(), new RequestedDelays(delay, Optional.empty(), Optional.empty()));
        String scheme = request.url().substring(0, request.url().indexOf(':'));
        RobotsRules loaded = await(robots.load(request.host(), scheme, profile, () -> true)).rules();
        // There is no fleet: the host was asked.
        ended(request.host(), began);
        return loaded;
    }

    private Response without(Request request, Outcome outcome) {
        return RequestAnswer.without(request, outcome, 0, OptionalInt.empty()).response(ITSELF, time.now());
    }

    private long awaitTurn(HostKey host, RequestedDelays delays) throws InterruptedException {
        long wait = pace(host).mayStart(delays, politeness) - now();
        if (wait > 0) {
            time.pause(Duration.ofNanos(wait));
        }
        pace(host).began(now(), delays, 0);
        return now();
    }

    private void ended(HostKey host, long began) {
        pace(host).ended(now(), now() - began);
    }

    private HostPace pace(HostKey host) {
        return paces.computeIfAbsent(host, _ -> new HostPace());
    }

    private long now() {
        return time.nanos() - origin;
    }

    private static <T> T await(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        fetchers.close();
    }

    /** There is no fleet. */
    private static final class NoRobotsStore implements RobotsStore {
        @Override
        public Optional<StoredRobots> find(HostKey host, String token) {
            return Optional.empty();
        }

        @Override
        public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {
            // There is no other process that could ask for it.
        }
    }
}
