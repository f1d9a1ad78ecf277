package io.trawl.pipeline.sink;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The ends of {@code items} that the leader has noted: a file that reaches one is closed at once, so that the end of a run is known promptly. Thread-safe. */
public final class NotedEnds {
    private final Map<CrawlId, Noted> latest = new ConcurrentHashMap<>();

    private record Noted(long version, Map<Integer, Long> ends) {}

    /**
     * Takes note of the ends of a run.
     *
     * @param version of the crawl's ends; what is older than known is ignored
     * @param ends by partition
     */
    public void note(CrawlRun run, long version, Map<Integer, Long> ends) {
        latest.merge(run.crawl(), new Noted(version, Map.copyOf(ends)),
                (old, fresh) -> fresh.version() >= old.version() ? fresh : old);
    }

    /** Whether a noted end lies above what is stored and is reached by the position. */
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
