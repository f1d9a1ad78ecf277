package io.trawl.coordinator.probe;

import io.trawl.definition.CrawlDefinition;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Response;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The pages that this coordinator has previewed last, so that selectors can be tried on one without fetching it again:
 * for ten minutes, at most twenty, and at most 16 MiB of them. Thread-safe.
 */
final class PreviewedPages {
    private static final int MOST = 20;
    private static final long MOST_BYTES = 16L << 20;
    private static final Duration KEPT = Duration.ofMinutes(10);
    private final Deque<PreviewedPage> pages = new ArrayDeque<>();
    private final Time time;
    private final LongSupplier ids;

    /** A page. @param definition that its preview followed */
    record PreviewedPage(String id, Response response, CrawlDefinition definition, long until) {}

    /** @param ids random numbers */
    PreviewedPages(Time time, LongSupplier ids) {
        this.time = time;
        this.ids = ids;
    }

    /** Keeps a page, and returns its id; empty if it is too large. */
    synchronized Optional<String> keep(Response response, CrawlDefinition definition) {
        if (response.body().length() > MOST_BYTES) {
            return Optional.empty();
        }
        String id = Long.toHexString(ids.getAsLong());
        pages.addLast(new PreviewedPage(id, response, definition, time.nanos() + KEPT.toNanos()));
        while (pages.size() > MOST
                || pages.stream().mapToLong(page -> page.response().body().length()).sum() > MOST_BYTES) {
            pages.removeFirst();
        }
        forgetOld();
        return Optional.of(id);
    }

    /** @throws InvalidValueException if it is not kept any more, or was never */
    synchronized PreviewedPage page(String id) {
        forgetOld();
        return pages.stream().filter(page -> page.id().equals(id)).findFirst()
                .orElseThrow(() -> new InvalidValueException("page", id,
                        "a page that this coordinator has previewed in the last ten minutes; preview it again"));
    }

    private void forgetOld() {
        long now = time.nanos();
        pages.removeIf(page -> page.until() - now < 0);
    }
}
