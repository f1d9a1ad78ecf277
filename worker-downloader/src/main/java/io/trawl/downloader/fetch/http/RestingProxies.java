package io.trawl.downloader.fetch.http;

import io.trawl.definition.ProxyAddress;
import io.trawl.model.Durations;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The proxies that this process takes out because they fail. Each rests for a time that doubles with each failure. Then
 * one request tries it, and the others wait for what that brings; after an answer it is back. Thread-safe.
 */
public final class RestingProxies {
    /** The first rest. */
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    /** How long a trial may take before another request tries it. */
    private static final Duration TRIAL = Duration.ofMinutes(1);
    /** Proxies of crawls that are long over are forgotten. */
    private static final int MOST = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(RestingProxies.class);
    private final Time time;
    private final Map<ProxyAddress, Rest> rests = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ProxyAddress, Rest> eldest) {
            return size() > MOST;
        }
    };

    /** @param since when it failed last; @param until when a request may try it */
    private record Rest(int failures, long since, long until) {}

    /** None rests. */
    public RestingProxies(Time time) {
        this.time = time;
    }

    /** The first that does not rest; the request that gets it after its rest tries it. */
    public synchronized Optional<ProxyAddress> next(List<ProxyAddress> route) {
        for (ProxyAddress proxy : route) {
            Rest rest = rests.get(proxy);
            if (rest == null) {
                return Optional.of(proxy);
            }
            if (rest.until - time.nanos() <= 0) {
                rests.put(proxy, new Rest(rest.failures, rest.since, time.nanos() + TRIAL.toNanos()));
                return Optional.of(proxy);
            }
        }
        return Optional.empty();
    }

    /** The one that may be tried first, of proxies that all rest. */
    public synchronized ProxyAddress soonest(List<ProxyAddress> route) {
        ProxyAddress first = route.getFirst();
        for (ProxyAddress proxy : route) {
            if (until(proxy) - until(first) < 0) {
                first = proxy;
            }
        }
        return first;
    }

    private long until(ProxyAddress proxy) {
        Rest rest = rests.get(proxy);
        return rest == null ? time.nanos() : rest.until;
    }

    /**
     * A proxy has failed.
     *
     * @param began when the exchange began: of many that fail at once, the first counts
     */
    public synchronized void failed(ProxyAddress proxy, long began, String cause) {
        Rest before = rests.get(proxy);
        if (before != null && began - before.since < 0) {
            return;
        }
        int failures = before == null ? 1 : Math.min(before.failures + 1, 32);
        Duration rest = Duration
                .ofNanos((long) Math.min(LONGEST.toNanos(), Math.scalb((double) FIRST.toNanos(), failures - 1)));
        long now = time.nanos();
        rests.put(proxy, new Rest(failures, now, now + rest.toNanos()));
        LOG.warn("the proxy {} rests for {}: {}", proxy, Durations.format(rest), cause);
    }

    /** A proxy has let a request through. */
    public synchronized void answered(ProxyAddress proxy) {
        if (rests.remove(proxy) != null) {
            LOG.info("the proxy {} is back", proxy);
        }
    }

    /** Those that are not used now. */
    public synchronized List<String> names() {
        long now = time.nanos();
        return rests.entrySet().stream().filter(entry -> entry.getValue().until - now > 0)
                .map(entry -> entry.getKey().toString()).sorted().toList();
    }
}
