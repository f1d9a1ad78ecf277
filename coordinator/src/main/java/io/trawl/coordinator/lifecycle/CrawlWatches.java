package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.lifecycle.CrawlWatch.WatchContext;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The watches of all crawls during one term. Belongs to the leader's thread; {@link #wake} may be called by any. */
public final class CrawlWatches implements AutoCloseable {
    private final WatchContext context;
    private final Map<CrawlId, RunningWatch> watches = new ConcurrentHashMap<>();
    /** The crawls that have watches. */
    private List<CrawlStatus> watched = List.of();

    private record RunningWatch(CrawlWatch watch, Thread thread) {}

    /** @param context of each watch */
    public CrawlWatches(WatchContext context) {
        this.context = context;
    }

    /** Watches all these crawls, and ends the watches of deleted ones. */
    public void follow(List<CrawlStatus> crawls) {
        if (!crawls.equals(watched)) {
            crawls.forEach(status -> watches.computeIfAbsent(status.run().crawl(), this::watch));
            endOthers(crawls);
            watched = crawls;
        }
    }

    private RunningWatch watch(CrawlId crawl) {
        CrawlWatch watch = new CrawlWatch(crawl, context);
        return new RunningWatch(watch, Thread.ofVirtual().name("watch " + crawl).start(watch));
    }

    private void endOthers(List<CrawlStatus> crawls) {
        if (watches.size() > crawls.size()) {
            Set<CrawlId> there = crawls.stream().map(c -> c.run().crawl()).collect(Collectors.toSet());
            watches.entrySet().removeIf(watch -> {
                boolean gone = !there.contains(watch.getKey());
                if (gone) {
                    watch.getValue().thread().interrupt();
                    context.seeds().forget(watch.getKey());
                }
                return gone;
            });
        }
    }

    /** The crawl, or the ledger of its run, has changed. Never blocks. */
    public void wake(CrawlRun run) {
        RunningWatch watch = watches.get(run.crawl());
        if (watch != null) {
            watch.watch().wake();
        }
    }

    /** Ends all watches. */
    @Override
    public void close() {
        watches.values().forEach(watch -> watch.thread().interrupt());
    }
}
