package io.trawl.bench.floor;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The URLs of a crawl, in memory: each is handed out once. It is over when all of them are done, or when the crawl has
 * failed. Thread-safe.
 */
final class UrlQueue {
    private static final String END = "";
    /** Whether each URL is done. */
    private final Map<String, Boolean> seen = new ConcurrentHashMap<>();
    private final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final AtomicLong open = new AtomicLong();
    private volatile @Nullable Throwable failure;

    /** @param seeds URLs in normal form */
    UrlQueue(List<String> seeds) {
        seeds.forEach(this::add);
    }

    /** Adds a URL in normal form; one that was added before has no effect. */
    void add(String url) {
        if (seen.putIfAbsent(url, false) == null) {
            open.incrementAndGet();
            waiting.add(url);
        }
    }

    /**
     * Waits for the next URL; empty when all are done.
     *
     * @throws IllegalStateException if the crawl has failed
     */
    Optional<String> next() throws InterruptedException {
        String url = waiting.take();
        Throwable why = failure;
        if (why != null) {
            throw new IllegalStateException("the crawl has failed: " + why, why);
        }
        return Optional.of(url).filter(next -> !next.equals(END));
    }

    /**
     * A URL that was handed out is done; what it leads to was added before.
     *
     * @throws IllegalStateException if it was done before
     */
    void done(String url) {
        if (!seen.replace(url, false, true)) {
            throw new IllegalStateException(url + " is done twice");
        }
        if (open.decrementAndGet() == 0) {
            waiting.add(END);
        }
    }

    /** Ends the crawl. */
    void fail(Throwable why) {
        failure = why;
        waiting.add(END);
    }

    /** Whether nothing is left to do. */
    boolean over() {
        return open.get() == 0 || failure != null;
    }
}
