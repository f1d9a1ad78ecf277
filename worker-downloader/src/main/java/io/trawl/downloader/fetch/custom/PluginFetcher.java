package io.trawl.downloader.fetch.custom;

import io.trawl.api.PageFetcher;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.http.AnswerCache;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs the {@link PageFetcher} of a plug-in as a {@link Fetcher}: at most as many calls at a time as it says, each with
 * the total time-out, and each request of theirs through the bounds. A call that ignores its time-out costs its place,
 * not the request: that has failed by then. Thread-safe.
 */
final class PluginFetcher implements Fetcher, AutoCloseable {
    /** The time-out of an exchange goes first: it knows more. */
    private static final Duration MOMENT = Duration.ofMillis(500);
    private static final long LOOK_AGAIN_SECONDS = 1;
    private final PageFetcher plugin;
    private final FetchBounds bounds;
    private final AnswerCache cache;
    private final int places;
    private final Semaphore free;
    private final AtomicInteger overdue = new AtomicInteger();
    private final Set<PluginCall> open = ConcurrentHashMap.newKeySet();

    PluginFetcher(PageFetcher plugin, FetchBounds bounds, AnswerCache cache) {
        this.plugin = plugin;
        this.bounds = bounds;
        this.cache = cache;
        this.places = Math.clamp(plugin.concurrency(), 1, bounds.settings().concurrency().orElse(Integer.MAX_VALUE));
        this.free = new Semaphore(places, true);
    }

    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        PluginCall call = new PluginCall(plugin, bounds, cache, request, profile, fetchPermit);
        open.add(call);
        Thread.ofVirtual().name("fetcher-" + plugin.name()).start(() -> {
            try {
                if (awaitPlace(call)) {
                    runInPlace(call);
                }
            } catch (InterruptedException e) {
                call.fail(FailureReason.OTHER, "the downloader is closing");
            } finally {
                open.remove(call);
            }
        });
        return call.result();
    }

    /**
     * Whether the call has a place; without one it is over. The wait is no time of the server, so no time-out counts
     * it.
     */
    private boolean awaitPlace(PluginCall call) throws InterruptedException {
        while (!free.tryAcquire(LOOK_AGAIN_SECONDS, TimeUnit.SECONDS)) {
            if (call.isOver()) {
                return false;
            }
            if (overdue.get() >= places) {
                call.fail(FailureReason.OTHER, "all " + places + " calls that the fetcher '" + plugin.name()
                        + "' may run at a time are over their time and do not return");
                return false;
            }
        }
        return true;
    }

    private void runInPlace(PluginCall call) throws InterruptedException {
        Duration limit = call.limit();
        try {
            Thread running = call.begin();
            if (!running.join(limit.plus(MOMENT))) {
                overdue.incrementAndGet();
                call.fail(FailureReason.TIMEOUT,
                        "the fetcher '" + plugin.name() + "' did not return a page within " + Durations.format(limit));
                running.join();
                overdue.decrementAndGet();
            }
        } finally {
            call.release();
            free.release();
        }
    }

    /** Cuts all calls that began under this permit; they complete as withdrawn before this returns. */
    void cut(FetchPermit ended) {
        open.stream().filter(call -> call.under(ended)).forEach(PluginCall::withdraw);
    }

    @Override
    public void close() {
        open.forEach(call -> call.fail(FailureReason.OTHER, "the downloader is closing"));
        plugin.close();
    }
}
