package io.trawl.downloader.fetch.http;

import io.trawl.definition.ProxyAddress;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One request through the first of several proxies that lets it through, within one total time-out. A proxy that cannot
 * be reached, or that refuses the crawler, rests, and the next one gets the request, which has not reached the host. A
 * proxy that opens no tunnel rests only if another one opens it: else it is the host that does not answer. If all rest,
 * the one whose rest ends first is tried.
 */
final class ProxiedFetch {
    /** Begins an exchange through a proxy. */
    interface Way {
        Exchange begin(FetchRequest within, ProxyAddress proxy);
    }

    private final FetchRequest fetchRequest;
    private final List<ProxyAddress> left;
    private final boolean alone;
    private final Duration limit;
    private final RestingProxies restingProxies;
    private final Time time;
    private final Way way;
    private final long began;
    private final List<Refusal> withoutTunnel = new ArrayList<>();

    /** A proxy that has opened no tunnel. */
    private record Refusal(ProxyAddress proxy, long began, String cause) {}

    ProxiedFetch(FetchRequest fetchRequest, List<ProxyAddress> proxies, Duration limit, RestingProxies restingProxies,
            Time time, Way way) {
        this.fetchRequest = fetchRequest;
        this.left = new ArrayList<>(proxies);
        this.alone = proxies.size() == 1;
        this.limit = limit;
        this.restingProxies = restingProxies;
        this.time = time;
        this.way = way;
        this.began = time.nanos();
    }

    /** Begins. Never completes exceptionally. */
    CompletableFuture<FetchResult> result() {
        return alone
                ? way.begin(fetchRequest, left.getFirst()).result()
                : through(restingProxies.next(left).orElseGet(() -> restingProxies.soonest(left)), fetchRequest);
    }

    private CompletableFuture<FetchResult> through(ProxyAddress proxy, FetchRequest within) {
        left.remove(proxy);
        Exchange exchange = way.begin(within, proxy);
        return exchange.result().thenCompose(result -> {
            String cause = result.outcome().detail();
            switch (exchange.proxyState()) {
                case WORKS -> {
                    restingProxies.answered(proxy);
                    withoutTunnel.forEach(other -> restingProxies.failed(other.proxy(), other.began(), other.cause()));
                }
                case FAILS -> restingProxies.failed(proxy, exchange.began(), cause);
                case NO_TUNNEL -> withoutTunnel.add(new Refusal(proxy, exchange.began(), cause));
                case UNKNOWN -> {
                    // What it says, it says about the host.
                }
            }
            boolean again = exchange.proxyState() == ProxyState.FAILS || exchange.proxyState() == ProxyState.NO_TUNNEL;
            Duration rest = limit.minusNanos(time.nanos() - began);
            Optional<ProxyAddress> next = again && !result.withdrawn() && rest.isPositive()
                    ? restingProxies.next(left)
                    : Optional.empty();
            return next.map(other -> through(other, fetchRequest.within(rest)))
                    .orElseGet(() -> CompletableFuture.completedFuture(result));
        });
    }
}
