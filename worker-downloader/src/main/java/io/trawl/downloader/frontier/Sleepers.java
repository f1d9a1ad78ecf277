package io.trawl.downloader.frontier;

import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one tenure of which only the offset is remembered, since their crawl does not fetch: they cost a bit each, here. When it fetches again
 * they are awaited: the lane is read again, and what is delivered then is taken out. Belongs to the frontier's thread.
 */
final class Sleepers {
    private final Map<CrawlRun, OffsetSet> asleep = new HashMap<>();
    private final OffsetSet awaited = new OffsetSet();
    private int sleeping;
    private int waking;

    void add(CrawlRun run, long offset) {
        asleep.computeIfAbsent(run, r -> new OffsetSet()).add(offset);
        sleeping++;
    }

    Set<CrawlRun> runs() {
        return asleep.keySet();
    }

    /** Those of a run are awaited from now on; returns from where the lane must be read again. */
    Optional<Long> wake(CrawlRun run) {
        OffsetSet woken = asleep.remove(run);
        if (woken == null) {
            return Optional.empty();
        }
        int count = woken.size();
        sleeping -= count;
        waking += count;
        awaited.addAll(woken);
        return woken.lowest();
    }

    /** Whether a record that was delivered again is awaited; it is so once. */
    boolean take(long offset) {
        boolean taken = awaited.remove(offset);
        if (taken) {
            waking--;
        }
        return taken;
    }

    /** Those that nobody waits for. */
    int sleeping() {
        return sleeping;
    }

    /** Those that are awaited. */
    int waking() {
        return waking;
    }
}
