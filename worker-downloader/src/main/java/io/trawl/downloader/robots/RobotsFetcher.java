package io.trawl.downloader.robots;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.http.FetchRequest;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.RequestHeaders;
import io.trawl.downloader.fetch.http.WebClient;
import io.trawl.downloader.robots.LocalRobotsCache.Key;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.ProductToken;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Requests robots.txt from sites and follows up to five redirects. A redirect leads to a host whose turn it is not, and
 * many hosts may redirect to the same one. So a known file is not requested again, concurrent callers share one fetch
 * of a URL, a redirected request waits for its {@link RedirectThrottle}, and the final result is kept for every host of
 * the redirect chain. Thread-safe.
 */
final class RobotsFetcher {
    private static final String FILE = "/robots.txt";
    private static final int REDIRECTS = 5;
    private static final String ACCEPT = "text/plain,*/*;q=0.5";
    private final WebClient web;
    private final RedirectThrottle throttle;
    private final RobotsCache robotsCache;
    private final Executor parsing;
    private final Time time;
    private final Map<FetchRequest, CompletableFuture<Step>> flights = new ConcurrentHashMap<>();

    /** The cache of results. */
    interface RobotsCache {
        /** A valid result; never fails. */
        CompletableFuture<Optional<RobotsResult>> of(Key key);

        /** The same, from the memory of this process. */
        Optional<RobotsResult> now(Key key);

        /** Keeps a result. */
        void keep(Key key, RobotsResult robotsResult);
    }

    /** The result of one exchange. */
    private sealed interface Step {}

    private record Leads(String location) implements Step {}

    private record Ends(RobotsResult robotsResult) implements Step {}

    /**
     * A chain of redirects.
     *
     * @param permit checked before the bytes of each fetch are sent
     * @param hops the hosts whose file this is: the first host, and each redirect target; a target that is not the
     * robots.txt of a host counts for the one before
     */
    private record Way(FetchProfile profile, String token, FetchPermit permit, List<Key> hops) {
        Way to(Key next) {
            List<Key> further = new ArrayList<>(hops);
            further.add(next);
            return new Way(profile, token, permit, List.copyOf(further));
        }

        boolean isFirst() { return hops.size() == 1; }
    }

    /** @param parsing runs what takes time in proportion to a file */
    RobotsFetcher(WebClient web, RedirectThrottle throttle, RobotsCache robotsCache, Executor parsing, Time time) {
        this.web = web;
        this.throttle = throttle;
        this.robotsCache = robotsCache;
        this.parsing = parsing;
        this.time = time;
    }

    /** The URL of a host's file. */
    private static String url(HostKey host, String scheme) {
        return scheme + "://" + host.value() + FILE;
    }

    /** Requests the file of a host, in its turn. Never fails. */
    CompletableFuture<RobotsResult> ask(Key key, String scheme, FetchProfile profile, FetchPermit fetchPermit) {
        Way way = new Way(profile, ProductToken.of(profile.userAgent()), fetchPermit, List.of(key));
        return switch (UrlNormalizer.normalize(url(key.host(), scheme))) {
            case NormalUrl url -> get(url, way);
            case Refusal refusal -> CompletableFuture.completedFuture(unreadable(refusal, way));
        };
    }

    private CompletableFuture<RobotsResult> get(NormalUrl url, Way way) {
        return share(url, way).thenCompose(step -> switch (step) {
            case Leads leads -> way.hops().size() <= REDIRECTS
                    ? follow(BaseUrl.of(url).resolve(leads.location()), way).thenApply(RobotsResult::redirected)
                    : CompletableFuture.completedFuture(RobotsResult.none());
            case Ends ends -> {
                way.hops().stream().skip(1).distinct().filter(_ -> !ends.robotsResult().withdrawn())
                        .forEach(hop -> robotsCache.keep(hop, ends.robotsResult()));
                yield CompletableFuture.completedFuture(ends.robotsResult());
            }
        });
    }

    private CompletableFuture<RobotsResult> follow(Normalized target, Way way) {
        return switch (target) {
            case NormalUrl url -> follow(url, way);
            case Refusal refusal -> CompletableFuture.completedFuture(unreadable(refusal, way));
        };
    }

    private CompletableFuture<RobotsResult> follow(NormalUrl target, Way way) {
        Optional<Key> owner = owner(target, way.token());
        Way further = way.to(owner.orElse(way.hops().getLast()));
        CompletableFuture<Optional<RobotsResult>> known = owner.map(robotsCache::of)
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
        return known.thenCompose(robotsResult -> robotsResult.map(CompletableFuture::completedFuture)
                .orElseGet(() -> get(target, further)));
    }

    /** A file at an unreadable address may exist, and may forbid everything. */
    private RobotsResult unreadable(Refusal address, Way way) {
        Outcome outcome = new Outcome.Failure(FailureReason.PROTOCOL,
                "robots.txt has no usable address: " + address.cause());
        return RobotsResult.of(FetchResult.without(outcome, Duration.ZERO, time.now()), way.token());
    }

    /**
     * Shares one fetch of a URL among concurrent callers. Only the fetch is shared, not its redirects: two files may
     * redirect to each other.
     */
    private CompletableFuture<Step> share(NormalUrl url, Way way) {
        FetchRequest fetchRequest = new FetchRequest(url.text(),
                RequestHeaders.defaults(way.profile().userAgent(), ACCEPT), way.profile().proxies(),
                RobotsAnswer.LIMIT);
        CompletableFuture<Step> promise = new CompletableFuture<>();
        CompletableFuture<Step> before = flights.putIfAbsent(fetchRequest, promise);
        if (before != null) {
            return before;
        }
        // Another fetch may have ended since this request checked the cache.
        Optional<RobotsResult> known = way.isFirst()
                ? Optional.empty()
                : owner(url, way.token()).flatMap(robotsCache::now);
        known.map(robotsResult -> CompletableFuture.<Step>completedFuture(new Ends(robotsResult)))
                .orElseGet(() -> send(fetchRequest, HostKeyFactory.of(url.text()), way)
                        .thenApplyAsync(fetchResult -> step(url, fetchResult, way), parsing))
                .whenComplete((step, problem) -> {
                    // The result is cached first, then the shared fetch is removed, then it completes: later callers
                    // find the cached result, and none joins a completed fetch.
                    flights.remove(fetchRequest);
                    if (problem == null) {
                        promise.complete(step);
                    } else {
                        promise.completeExceptionally(problem);
                    }
                });
        return promise;
    }

    private Step step(NormalUrl url, FetchResult fetchResult, Way way) {
        if (fetchResult.outcome() instanceof Outcome.Redirect redirect) {
            return new Leads(redirect.location());
        }
        RobotsResult robotsResult = RobotsResult.of(fetchResult, way.token());
        if (!robotsResult.withdrawn()) {
            owner(url, way.token()).ifPresent(own -> robotsCache.keep(own, robotsResult));
        }
        return new Ends(robotsResult);
    }

    private CompletableFuture<FetchResult> send(FetchRequest fetchRequest, HostKey host, Way way) {
        return way.isFirst()
                ? web.send(fetchRequest, way.permit())
                        .whenComplete((_, _) -> throttle.requested(way.hops().getFirst().host()))
                : throttle.pass(host, () -> web.send(fetchRequest, way.permit()))
                        .thenApply(passed -> passed.orElseGet(() -> crowded(host)));
    }

    private FetchResult crowded(HostKey host) {
        return FetchResult.without(
                new Outcome.Failure(FailureReason.TIMEOUT, "too many robots.txt files redirect to " + host),
                Duration.ZERO, time.now());
    }

    /** The host whose robots.txt this URL is. */
    private static Optional<Key> owner(NormalUrl file, String token) {
        String url = file.text();
        boolean own = url.substring(url.indexOf('/', "https://".length())).equals(FILE);
        return own ? Optional.of(new Key(HostKeyFactory.of(url), token)) : Optional.empty();
    }
}
