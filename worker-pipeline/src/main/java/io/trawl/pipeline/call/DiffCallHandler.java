package io.trawl.pipeline.call;

import io.trawl.direct.DiffListing;
import io.trawl.http.Call;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.model.CrawlId;
import io.trawl.pipeline.diff.ItemDifference.PageDifference;
import io.trawl.pipeline.diff.MissingRunException;
import io.trawl.pipeline.diff.RunDiff;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * {@code GET /diff}: what finished runs have changed, as a list or in one page. Runs on the threads of the endpoint,
 * one call at a time, and never on the one that stores items. Thread-safe.
 */
public final class DiffCallHandler {
    /** Less than a coordinator waits. */
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int MOST = 1000;
    private final Path root;
    private final LongSupplier nanos;
    private final Semaphore room = new Semaphore(1);

    /** The items of a page that were compared. */
    private record ComparedPage(CrawlId crawl, int epoch, int since, String url, List<PageDifference> items) {}

    /** @param root the output folder */
    public DiffCallHandler(Path root, LongSupplier nanos) {
        this.root = root;
        this.nanos = nanos;
    }

    /** The route that it answers. */
    public Route call() {
        return Route.get(DiffListing.PATH, this::answer);
    }

    private CallResponse answer(Call call) throws InterruptedException {
        CrawlId crawl = new CrawlId(call.text("crawl").orElse(""));
        long until = nanos.getAsLong() + LIMIT.toNanos();
        room.acquire();
        try {
            RunDiff diff = RunDiff.of(root, crawl,
                    call.text("epoch").map(_ -> call.number("epoch", 1, 0, Integer.MAX_VALUE)), call.text("since"));
            Optional<String> url = call.text("url");
            return CallResponse.json(url.isEmpty()
                    ? diff.list(call.text("cursor"), call.number("limit", 100, 1, MOST))
                    : new ComparedPage(crawl, diff.newest().run().epoch(), diff.since(), url.get(),
                            diff.page(url.get(), () -> nanos.getAsLong() - until >= 0)));
        } catch (MissingRunException e) {
            // Callers need not know where the folder is.
            throw new CallRefusedException(404,
                    String.valueOf(e.getMessage()).replace(root.toString(), "the output folder"));
        } catch (IOException e) {
            throw new CallRefusedException(503, "the files cannot be read: " + e.getMessage());
        } finally {
            room.release();
        }
    }
}
