package io.trawl.downloader.frontier.inflight;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.model.CrawlId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work in flight per crawl, and the stop signs for which this process has drained (S4): those for which nothing is in
 * flight and no answer awaits its acknowledgement. The thread that begins fetches learns of a sign itself, so none
 * begins after it. Belongs to the frontier's thread.
 */
public final class StopSignProgress {
    private final Map<CrawlId, Integer> busy = new HashMap<>();
    private List<StopSign> signs = List.of();

    public void begins(CrawlId crawl) {
        busy.merge(crawl, 1, Integer::sum);
    }

    public void ends(CrawlId crawl) {
        busy.computeIfPresent(crawl, (c, n) -> n > 1 ? n - 1 : null);
    }

    public void signs(Collection<StopSign> latest) {
        signs = latest.stream().filter(StopSign::signed).toList();
    }

    /** The stop signs for which this process has drained: key to version. */
    public Map<String, Long> deals() {
        if (signs.isEmpty()) {
            return Map.of();
        }
        Map<String, Long> deals = new HashMap<>();
        for (StopSign sign : signs) {
            boolean idle = sign.crawl().map(c -> !busy.containsKey(c)).orElse(busy.isEmpty());
            if (idle) {
                deals.put(sign.key(), sign.version());
            }
        }
        return deals;
    }

    int total() {
        return busy.values().stream().mapToInt(Integer::intValue).sum();
    }
}
