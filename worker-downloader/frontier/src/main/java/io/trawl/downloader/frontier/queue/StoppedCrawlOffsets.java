package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.queue.OpenOffsets.OffsetSet;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The requests of one assignment of which only the offset is kept, since their crawl does not fetch: they cost a bit
 * each. When the crawl fetches again, they are awaited: the partition is read again, and the delivered ones are removed
 * here. Meanwhile they must not hold the log for ever: when they keep many other records from being deleted, they
 * leave, lowest first, to be copied to the end of the log. Belongs to the frontier's thread.
 */
public final class StoppedCrawlOffsets {
    /**
     * When copies are worth it.
     *
     * @param least fewer records that can be deleted are not worth a copy
     * @param perCopy each copy must let this many records be deleted, so that copies are a small part of what is
     * written
     */
    public record RelocationRules(int least, int perCopy) {
        /** The rules of every process. */
        public static final RelocationRules USUAL = new RelocationRules(1000, 4);
    }

    /** The offsets that leave together are this near to each other: one sequential read. */
    public static final int SPAN = 4096;
    private static final int MOST_AT_ONCE = 256;
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

    /**
     * Removes and returns the offsets that must be copied to the end of the log now, in ascending order; empty if that
     * would not free enough of the log. While copies are not acknowledged, there are no others.
     */
    List<Long> leave(OpenOffsets open, RelocationRules rules) {
        if (stoppedCount == 0) {
            return List.of();
        }
        long low = open.lowWater();
        long freed = open.lowWaterWithout(stoppedByRun.values());
        if (freed - low < rules.least()) {
            return List.of();
        }
        int copies = stoppedByRun.values().stream().mapToInt(offsets -> offsets.sizeBelow(freed)).sum();
        if (freed - low < (long) rules.perCopy() * copies) {
            return List.of();
        }
        // Those near the end hold little; the last copies are among them.
        long below = Math.min(freed - rules.least() + 1, low + SPAN);
        List<Long> leaving = new ArrayList<>();
        stoppedByRun.values()
                .forEach(offsets -> leaving.addAll(offsets.removeBelow(below, MOST_AT_ONCE - leaving.size())));
        leaving.sort(null);
        stoppedByRun.values().removeIf(offsets -> offsets.lowest().isEmpty());
        stoppedCount -= leaving.size();
        return leaving;
    }

    /** Whether only the offset of this request is kept; true once. */
    public boolean remove(long offset) {
        for (Map.Entry<CrawlRun, OffsetSet> stopped : stoppedByRun.entrySet()) {
            if (stopped.getValue().remove(offset)) {
                stoppedCount--;
                if (stopped.getValue().lowest().isEmpty()) {
                    stoppedByRun.remove(stopped.getKey());
                }
                return true;
            }
        }
        return take(offset);
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
