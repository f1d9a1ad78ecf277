package io.trawl.pipeline.sink;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The end offsets of {@code items} that the leader has noted. The sink closes a file that reaches one at once, so that
 * the leader soon knows the end of a run. Thread-safe.
 */
public final class NotedEnds {
    private final Map<CrawlId, Noted> latest = new ConcurrentHashMap<>();

    private record Noted(long version, Map<Integer, Long> ends) {}

    /**
     * Records the end offsets of a run.
     *
     * @param version of the crawl's ends; an older version than the known one is ignored
     * @param ends the offsets by partition
     */
    public void note(CrawlRun run, long version, Map<Integer, Long> ends) {
        latest.merge(run.crawl(), new Noted(version, Map.copyOf(ends)),
                (old, fresh) -> fresh.version() >= old.version() ? fresh : old);
    }

    /** Whether the position has reached a noted end that is above the stored offset. */
    boolean reached(int partition, long stored, long position) {
        for (Noted noted : latest.values()) {
            long end = noted.ends().getOrDefault(partition, 0L);
            if (stored < end && end <= position) {
                return true;
            }
        }
        return false;
    }
}
