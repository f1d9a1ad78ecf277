package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.fetch.Get;
import io.trawl.downloader.fetch.RequestHeaders;
import io.trawl.downloader.fetch.WebClient;
import io.trawl.downloader.robots.RobotsMemory.Key;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.ProductToken;
import io.trawl.robots.RobotsAnswer;
import io.trawl.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks sites for their robots.txt and follows up to five redirects. A redirect leads to a host whose turn it is not, and many hosts may lead to the same:
 * so what is known of a host is not asked for again, a URL is fetched once at a time, whoever wants it, a hop waits for its {@link HopGate}, and what the
 * end of the way says is kept for every host on it. Thread-safe.
 */
final class RobotsWeb {
    private static final String FILE = "/robots.txt";
    private static final int REDIRECTS = 5;
    private static final String ACCEPT = "text/plain,*/*;q=0.5";
    private final WebClient web;
    private final HopGate gate;
    private final Shelf shelf;
    private final Time time;
    private final Map<Get, CompletableFuture<Step>> flights = new ConcurrentHashMap<>();

    /** Where findings are kept. */
    interface Shelf {
        /** What need not be asked for again; never fails. */
        CompletableFuture<Optional<Finding>> of(Key key);

        /** The same, as far as this process knows it. */
        Optional<Finding> now(Key key);

        /** Keeps a finding. */
        void keep(Key key, Finding finding);
    }

    /** What one exchange came to. */
    private sealed interface Step {}

    private record Leads(String location) implements Step {}

    private record Ends(Finding finding) implements Step {}

    /**
     * One way through redirects.
     *
     * @param clearance asked before the bytes of each fetch leave
     * @param hops whose file this is: the host that was asked first, and each to which that led; a hop that is no host's own file counts for the one before
     */
    private record Way(FetchProfile profile, String token, Clearance clearance, List<Key> hops) {
        Way to(Key next) {
            List<Key> further = new ArrayList<>(hops);
            further.add(next);
            return new Way(profile, token, clearance, List.copyOf(further));
        }

        boolean isFirst() { return hops.size() == 1; }
    }

    RobotsWeb(WebClient web, HopGate gate, Shelf shelf, Time time) {
        this.web = web;
        this.gate = gate;
        this.shelf = shelf;
        this.time = time;
    }

    /** The URL of a host's file. */
    static String url(HostKey host, String scheme) {
        return scheme + "://" + host.value() + FILE;
    }

    /** Asks a host, in its turn. Never fails. */
    CompletableFuture<Finding> ask(Key key, String scheme, FetchProfile profile, Clearance clearance) {
        return get(url(key.host(), scheme), new Way(profile, ProductToken.of(profile.userAgent()), clearance, List.of(key)));
    }

    private CompletableFuture<Finding> get(String url, Way way) {
        return share(url, way).thenCompose(step -> switch (step) {
            case Leads leads -> {
                Optional<String> target = way.hops().size() <= REDIRECTS ? resolve(url, leads.location()) : Optional.empty();
                yield target.map(t -> follow(t, way)).orElseGet(() -> CompletableFuture.completedFuture(Finding.none()));
            }
            case Ends ends -> {
                way.hops().stream().skip(1).distinct().filter(_ -> !ends.finding().withdrawn())
                        .forEach(hop -> shelf.keep(hop, ends.finding()));
                yield CompletableFuture.completedFuture(ends.finding());
            }
        });
    }

    private CompletableFuture<Finding> follow(String target, Way way) {
        Optional<Key> owner = owner(target, way.token());
        Way further = way.to(owner.orElse(way.hops().getLast()));
        CompletableFuture<Optional<Finding>> known = owner.map(shelf::of)
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
        return known.thenCompose(
                finding -> finding.map(CompletableFuture::completedFuture).orElseGet(() -> get(target, further)));
    }

    /** One fetch of a URL at a time, whoever wants it. Only the fetch is shared, not what it leads to: two files may redirect to each other. */
    private CompletableFuture<Step> share(String url, Way way) {
        Get get = new Get(url, RequestHeaders.defaults(way.profile().userAgent(), ACCEPT), way.profile().proxy(),
                RobotsAnswer.LIMIT);
        CompletableFuture<Step> promise = new CompletableFuture<>();
        CompletableFuture<Step> before = flights.putIfAbsent(get, promise);
        if (before != null) {
            return before;
        }
        // Another flight may have landed since this hop looked.
        Optional<Finding> landed = way.isFirst() ? Optional.empty() : owner(url, way.token()).flatMap(shelf::now);
        landed.map(finding -> CompletableFuture.<Step>completedFuture(new Ends(finding)))
                .orElseGet(() -> send(get, way).thenApply(fetched -> step(url, fetched, way)))
                .whenComplete((step, problem) -> {
                    // Kept before it ends here, and ended before it is told: who comes later finds it kept, and nobody joins what is over.
                    flights.remove(get);
                    if (problem == null) {
                        promise.complete(step);
                    } else {
                        promise.completeExceptionally(problem);
                    }
                });
        return promise;
    }

    private Step step(String url, Fetched fetched, Way way) {
        if (fetched.outcome() instanceof Outcome.Redirect redirect) {
            return new Leads(redirect.location());
        }
        Finding finding = Finding.of(url, fetched, way.token());
        if (!finding.withdrawn()) {
            owner(url, way.token()).ifPresent(own -> shelf.keep(own, finding));
        }
        return new Ends(finding);
    }

    private CompletableFuture<Fetched> send(Get get, Way way) {
        if (way.isFirst()) {
            return web.get(get, way.clearance()).whenComplete((_, _) -> gate.visited(way.hops().getFirst().host()));
        }
        Optional<HostKey> target = host(get.url());
        return target
                .map(host -> gate.pass(host, () -> web.get(get, way.clearance()))
                        .thenApply(passed -> passed.orElseGet(() -> crowded(host))))
                .orElseGet(() -> web.get(get, way.clearance()));
    }

    private Fetched crowded(HostKey host) {
        return Fetched.without(new Outcome.Failure(FailureReason.TIMEOUT,
                "too many robots.txt lead to " + host + " to ask for them all now"), Duration.ZERO, time.now());
    }

    /** The host whose own robots.txt this URL is. */
    private static Optional<Key> owner(String file, String token) {
        URI url = URI.create(file);
        boolean own = FILE.equals(url.getRawPath()) && url.getRawQuery() == null;
        return own ? host(file).map(host -> new Key(host, token)) : Optional.empty();
    }

    private static Optional<HostKey> host(String text) {
        URI url = URI.create(text);
        if (url.getHost() == null) {
            return Optional.empty();
        }
        int port = url.getPort() >= 0 ? url.getPort() : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
        return Optional.of(new HostKey(url.getHost().toLowerCase(Locale.ROOT) + ":" + port));
    }

    private static Optional<String> resolve(String base, String location) {
        try {
            URI target = URI.create(base).resolve(location.replace(" ", "%20"));
            boolean web = "http".equalsIgnoreCase(target.getScheme()) || "https".equalsIgnoreCase(target.getScheme());
            return web ? Optional.of(target.toString()) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
