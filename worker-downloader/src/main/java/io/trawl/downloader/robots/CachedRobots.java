package io.trawl.downloader.robots;

import io.trawl.control.CrawlDefinition;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.fetch.WebClient;
import io.trawl.downloader.robots.RobotsMemory.Key;
import io.trawl.model.HostKey;
import io.trawl.model.ProductToken;
import io.trawl.robots.FleetRobots;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The {@link RobotsSource} of a process: memory in front of the fleet's cache in front of the sites. What an answer means (RFC 9309 section 2.3.1):
 * <table>
 * <caption>Answers</caption>
 * <tr><th>answer</th><th>meaning</th><th>believed</th></tr>
 * <tr><td>2xx</td><td>the rules in it, of its first 1 MiB</td><td>{@code robotsTtl}</td></tr>
 * <tr><td>4xx but 429; 3xx without a target; a sixth redirect; a redirect to what is no web address</td><td>no file: everything is allowed</td><td>{@code robotsTtl}</td></tr>
 * <tr><td>refused by the address guard, there or after a redirect</td><td>no file; pages at a refused address are refused by the guard itself</td><td>{@code robotsTtl}</td></tr>
 * <tr><td>429 (a 4xx by number, a "not now" by meaning), 5xx, no or a broken answer</td><td>the rules known before, however old; if there are none, nothing is allowed</td><td>5 minutes, or {@code Retry-After} if that is longer, at most {@code robotsTtl}</td></tr>
 * </table>
 * The fleet is told whatever this process finds out, for as long as it believes it. It is not asked where this process itself has just met a file that
 * cannot be had: trying again is asking the site.
 */
public final class CachedRobots implements RobotsSource {
    /** How long a file that cannot be had is not asked for again. */
    static final Duration UNAVAILABLE_KEPT = Duration.ofMinutes(5);
    /** How long a failure of a redirect's target holds for others that lead there: shorter than the back-off, so that trying again is trying. */
    private static final Duration FAILURE_SHARED = Duration.ofSeconds(1);
    private final SharedRobots fleet;
    private final RobotsMemory memory = new RobotsMemory();
    private final RobotsWeb web;
    private final Duration ttl;
    private final Time time;

    private final class Kept implements RobotsWeb.Shelf {
        @Override
        public CompletableFuture<Optional<Finding>> of(Key key) {
            if (believed(key).filter(k -> k.rules().unavailable()).isPresent()) {
                return completed(now(key));
            }
            // The fleet first: it still has what the rules were read from, which is then kept for the host that led here, too.
            return shared(key).thenApply(found -> found.filter(f -> !f.rules().unavailable()).or(() -> now(key)));
        }

        @Override
        public Optional<Finding> now(Key key) {
            return believed(key)
                    .filter(k -> !k.rules().unavailable() || k.since() + FAILURE_SHARED.toNanos() - time.nanos() > 0)
                    .map(CachedRobots.this::recalled);
        }

        @Override
        public void keep(Key key, Finding finding) {
            CachedRobots.this.keep(key, finding);
        }
    }

    /**
     * @param web makes the requests
     * @param fleet what other processes know
     * @param ttl how long a file is believed
     */
    public CachedRobots(WebClient web, FleetRobots fleet, Duration ttl, Time time) {
        this.fleet = new SharedRobots(fleet, time);
        this.web = new RobotsWeb(web, new HopGate(CrawlDefinition.DEFAULT_DELAY, time), new Kept(), time);
        this.ttl = ttl;
        this.time = time;
    }

    @Override
    public Optional<RobotsRules> cached(HostKey host, String userAgent) {
        return believed(new Key(host, ProductToken.of(userAgent))).map(RobotsMemory.Kept::rules);
    }

    private Optional<RobotsMemory.Kept> believed(Key key) {
        return memory.known(key).filter(k -> k.until() - time.nanos() > 0);
    }

    @Override
    public CompletableFuture<RobotsRules> load(HostKey host, String scheme, FetchProfile profile, Clearance clearance) {
        Key key = new Key(host, ProductToken.of(profile.userAgent()));
        boolean again = memory.known(key).filter(k -> k.rules().unavailable()).isPresent();
        return (again ? completed(Optional.<Finding>empty()) : shared(key)).thenCompose(found -> found.isPresent()
                ? CompletableFuture.completedFuture(remember(key, found.get()))
                : web.ask(key, scheme, profile, clearance).thenApply(finding -> keep(key, finding)));
    }

    private CompletableFuture<Optional<Finding>> shared(Key key) {
        return fleet.find(key).thenApply(found -> found
                .map(f -> Finding.of(RobotsWeb.url(key.host(), "http"), f, key.token(), time.now())));
    }

    private Finding recalled(RobotsMemory.Kept kept) {
        return new Finding(kept.rules(), Optional.empty(), Optional.of(Duration.ofNanos(kept.until() - time.nanos())));
    }

    private RobotsRules keep(Key key, Finding finding) {
        if (finding.withdrawn()) {
            return finding.rules();
        }
        RobotsRules rules = remember(key, finding);
        finding.answer().ifPresent(answer -> fleet.keep(key, answer, believed(finding)));
        return rules;
    }

    private RobotsRules remember(Key key, Finding finding) {
        RobotsRules rules = finding.rules();
        if (rules.unavailable()) {
            rules = memory.known(key).map(RobotsMemory.Kept::rules).filter(known -> !known.unavailable()).orElse(rules);
        }
        long now = time.nanos();
        memory.put(key, new RobotsMemory.Kept(rules, now, now + believed(finding).toNanos()));
        return rules;
    }

    private Duration believed(Finding finding) {
        Duration own = ttl;
        if (finding.rules().unavailable()) {
            Duration wish = finding.rules().trouble().flatMap(Fetched::retryAfter).orElse(Duration.ZERO);
            own = min(max(UNAVAILABLE_KEPT, wish), ttl);
        }
        return min(own, finding.left().orElse(own));
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
