package io.trawl.downloader.robots;

import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.WebClient;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.downloader.robots.LocalRobotsCache.Key;
import io.trawl.model.HostKey;
import io.trawl.model.ProductToken;
import io.trawl.politeness.RobotsStore;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The {@link RobotsSource} of a process: a local cache before the fleet's cache before the sites. The meaning of
 * answers (RFC 9309 section 2.3.1):
 * <table>
 * <caption>Answers</caption>
 * <tr>
 * <th>answer</th>
 * <th>meaning</th>
 * <th>valid for</th>
 * </tr>
 * <tr>
 * <td>2xx</td>
 * <td>the rules in its first 1 MiB</td>
 * <td>{@code robotsTtl}</td>
 * </tr>
 * <tr>
 * <td>4xx except 429; a sixth redirect</td>
 * <td>unavailable: everything is allowed</td>
 * <td>{@code robotsTtl}</td>
 * </tr>
 * <tr>
 * <td>refused by the address guard, there or after a redirect</td>
 * <td>unreachable; pages at a refused address are refused for the same reason</td>
 * <td>5 minutes, by this process alone</td>
 * </tr>
 * <tr>
 * <td>429 (a temporary refusal), 5xx, no or a broken answer, 3xx without a target, or with one that is not an http or
 * https URL</td>
 * <td>unreachable: the last known rules, however old; without any, nothing is allowed</td>
 * <td>5 minutes, or {@code Retry-After} if that is longer, at most {@code robotsTtl}</td>
 * </tr>
 * </table>
 * This process shares its results with the fleet for as long as they are valid. It does not use the fleet's cache for a
 * file that it has just found unreachable: a retry asks the site.
 * <p>
 * Files are parsed, and large ones matched, by half of the cores at most: what hostile files cost is bounded per file
 * and URL, and leaves the other half to everything else. These threads end when they are idle.
 */
public final class CachedRobots implements RobotsSource {
    /** How long an unreachable file is not requested again. */
    static final Duration UNREACHABLE_KEPT = Duration.ofMinutes(5);
    /**
     * How long a failure of a redirect's target also counts for other files that redirect to it: shorter than the
     * back-off, so that a retry reaches the target.
     */
    private static final Duration FAILURE_SHARED = Duration.ofSeconds(1);
    private static final Duration THREAD_KEPT = Duration.ofSeconds(10);
    private final SharedRobotsCache fleet;
    private final LocalRobotsCache memory = new LocalRobotsCache();
    private final RobotsFetcher web;
    private final Executor executor = executor();
    private final Duration ttl;
    private final Time time;

    private final class Kept implements RobotsFetcher.RobotsCache {
        @Override
        public CompletableFuture<Optional<RobotsResult>> of(Key key) {
            if (believed(key).filter(k -> k.rules().unreachable()).isPresent()) {
                return completed(now(key));
            }
            // The fleet's cache first: it still has the file, which is then kept for the redirecting host, too.
            return shared(key).thenApply(found -> found.filter(f -> !f.rules().unreachable()).or(() -> now(key)));
        }

        @Override
        public Optional<RobotsResult> now(Key key) {
            return believed(key)
                    .filter(k -> !k.rules().unreachable() || k.since() + FAILURE_SHARED.toNanos() - time.nanos() > 0)
                    .map(CachedRobots.this::recalled);
        }

        @Override
        public void keep(Key key, RobotsResult robotsResult) {
            CachedRobots.this.keep(key, robotsResult);
        }
    }

    /**
     * @param web sends the requests
     * @param fleet the fleet's cache
     * @param ttl how long a file is valid
     */
    public CachedRobots(WebClient web, RobotsStore fleet, Duration ttl, Time time) {
        this.fleet = new SharedRobotsCache(fleet, time);
        this.web = new RobotsFetcher(web, new RedirectThrottle(FetchRules.DEFAULT_DELAY, time), new Kept(), executor,
                time);
        this.ttl = ttl;
        this.time = time;
    }

    @Override
    public Optional<RobotsRules> cached(HostKey host, String userAgent) {
        return believed(new Key(host, ProductToken.of(userAgent))).map(LocalRobotsCache.Kept::rules);
    }

    private Optional<LocalRobotsCache.Kept> believed(Key key) {
        return memory.known(key).filter(k -> k.until() - time.nanos() > 0);
    }

    @Override
    public CompletableFuture<LoadedRobots> load(HostKey host, String scheme, FetchProfile profile,
            FetchPermit fetchPermit) {
        Key key = new Key(host, ProductToken.of(profile.userAgent()));
        boolean again = memory.known(key).filter(k -> k.rules().unreachable()).isPresent();
        return (again ? completed(Optional.<RobotsResult>empty()) : shared(key)).thenCompose(found -> found.isPresent()
                ? completed(new LoadedRobots(remember(key, found.get()), false))
                : web.ask(key, scheme, profile, fetchPermit)
                        .thenApply(robotsResult -> new LoadedRobots(keep(key, robotsResult), true)));
    }

    @Override
    public CompletableFuture<List<RobotsVerdict>> check(RobotsRules rules, List<String> urls) {
        return CompletableFuture.supplyAsync(
                () -> urls.stream().map(url -> rules.check(url, RobotsRules.MOST_STEPS)).toList(), executor);
    }

    private static Executor executor() {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        ThreadPoolExecutor executor = new ThreadPoolExecutor(threads, threads, THREAD_KEPT.toMillis(),
                TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name("robots-", 0).factory());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private CompletableFuture<Optional<RobotsResult>> shared(Key key) {
        return fleet.find(key).thenApplyAsync(
                storedRobots -> storedRobots.map(f -> RobotsResult.of(f, key.token(), time.now())), executor);
    }

    private RobotsResult recalled(LocalRobotsCache.Kept kept) {
        return new RobotsResult(kept.rules(), Optional.empty(),
                Optional.of(Duration.ofNanos(kept.until() - time.nanos())));
    }

    private RobotsRules keep(Key key, RobotsResult robotsResult) {
        if (robotsResult.withdrawn()) {
            return robotsResult.rules();
        }
        RobotsRules rules = remember(key, robotsResult);
        robotsResult.answer().ifPresent(answer -> fleet.keep(key, answer, believed(robotsResult)));
        return rules;
    }

    private RobotsRules remember(Key key, RobotsResult robotsResult) {
        RobotsRules rules = robotsResult.rules();
        if (rules.unreachable()) {
            rules = memory.known(key).map(LocalRobotsCache.Kept::rules).filter(known -> !known.unreachable())
                    .orElse(rules);
        }
        long now = time.nanos();
        memory.put(key, new LocalRobotsCache.Kept(rules, now, now + believed(robotsResult).toNanos()));
        return rules;
    }

    private Duration believed(RobotsResult robotsResult) {
        Duration own = ttl;
        if (robotsResult.rules().unreachable()) {
            Duration requestedDelays = robotsResult.rules().trouble().flatMap(FetchResult::retryAfter)
                    .orElse(Duration.ZERO);
            own = min(max(UNREACHABLE_KEPT, requestedDelays), ttl);
        }
        return min(own, robotsResult.left().orElse(own));
    }

    private static <T> CompletableFuture<T> completed(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration max(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
