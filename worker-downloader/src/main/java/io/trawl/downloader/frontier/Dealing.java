package io.trawl.downloader.frontier;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.model.CrawlId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is under way per crawl, and with it the stop signs that are dealt with here (S4): those of which nothing is in flight and nothing waits to be
 * acknowledged. It is told of a sign by the thread that begins fetches, so after that none begins. Belongs to the frontier's thread.
 */
final class Dealing {
    private final Map<CrawlId, Integer> busy = new HashMap<>();
    private List<StopSign> signs = List.of();

    void begins(CrawlId crawl) {
        busy.merge(crawl, 1, Integer::sum);
    }

    void ends(CrawlId crawl) {
        busy.computeIfPresent(crawl, (c, n) -> n > 1 ? n - 1 : null);
    }

    void signs(Collection<StopSign> latest) {
        signs = latest.stream().filter(StopSign::signed).toList();
    }

    /** Key of the sign to its version. */
    Map<String, Long> deals() {
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
