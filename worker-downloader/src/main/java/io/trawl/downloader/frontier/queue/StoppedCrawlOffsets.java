package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.queue.OpenOffsets.OffsetSet;
import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one assignment of which only the offset is kept, since their crawl does not fetch: they cost a bit
 * each. When the crawl fetches again, they are awaited: the partition is read again, and the delivered ones are removed
 * here. Belongs to the frontier's thread.
 */
public final class StoppedCrawlOffsets {
    private final Map<CrawlRun, OffsetSet> stoppedByRun = new HashMap<>();
    private final OffsetSet awaited = new OffsetSet();
    private int stoppedCount;
    private int awaitedCount;

    void add(CrawlRun run, long offset) {
        stoppedByRun.computeIfAbsent(run, r -> new OffsetSet()).add(offset);
        stoppedCount++;
    }

    Set<CrawlRun> runs() {
        return stoppedByRun.keySet();
    }

    /** Awaits the requests of a run from now on; returns the offset from which the partition must be read again. */
    Optional<Long> resume(CrawlRun run) {
        OffsetSet resumed = stoppedByRun.remove(run);
        if (resumed == null) {
            return Optional.empty();
        }
        int count = resumed.size();
        stoppedCount -= count;
        awaitedCount += count;
        awaited.addAll(resumed);
        return resumed.lowest();
    }

    /** Whether a record that was delivered again is awaited; true once. */
    public boolean take(long offset) {
        boolean taken = awaited.remove(offset);
        if (taken) {
            awaitedCount--;
        }
        return taken;
    }

    /** The number of offsets that are not awaited. */
    int stopped() {
        return stoppedCount;
    }

    /** The number of awaited offsets. */
    int awaited() {
        return awaitedCount;
    }
}
