package io.trawl.downloader.trap;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges hosts by their pages: whether the new pages of a run are still new ({@link PageHistory}). Keeps at most
 * {@value #MOST_HOSTS} hosts, and forgets those of which it has seen no page for the longest time; the forgotten begin
 * again. Thread-safe.
 */
public final class SpiderTraps {
    private static final Logger LOG = LoggerFactory.getLogger(SpiderTraps.class);
    static final int MOST_HOSTS = 4096;
    private final LinkedHashMap<HostOfRun, PageHistory> histories = new LinkedHashMap<>(16, 0.75f, true);

    /** A host in one run: a later run gets the same pages again. */
    public record HostOfRun(CrawlRun run, HostKey host) {}

    /** From now on the pages of a host repeat each other, or no longer do. */
    public record Change(HostOfRun host, boolean trap) {}

    /** A fetch has ended; returns what has changed. Takes some microseconds. */
    public List<Change> fetched(Request request, FetchResult fetchResult) {
        if (!(fetchResult.outcome() instanceof Outcome.Success) || request.options().requisite()) {
            return List.of();
        }
        HostOfRun host = new HostOfRun(request.run(), request.host());
        List<Change> changes = new ArrayList<>(0);
        PageHistory history = history(host, changes);
        synchronized (history) {
            if (history.add(request.url(), fetchResult.body().bytes(), html(fetchResult))) {
                changes.add(new Change(host, history.trap()));
                log(host, history);
            }
        }
        return changes;
    }

    /** The history of a host, which may replace that of another. */
    private PageHistory history(HostOfRun host, List<Change> changes) {
        synchronized (histories) {
            PageHistory history = histories.computeIfAbsent(host, h -> new PageHistory());
            if (histories.size() > MOST_HOSTS) {
                Map.Entry<HostOfRun, PageHistory> eldest = histories.pollFirstEntry();
                if (eldest.getValue().trap()) {
                    changes.add(new Change(eldest.getKey(), false));
                }
            }
            return history;
        }
    }

    private static boolean html(FetchResult fetchResult) {
        return fetchResult.headers().getOrDefault("content-type", "").toLowerCase(Locale.ROOT).contains("html");
    }

    private static void log(HostOfRun host, PageHistory history) {
        if (history.trap()) {
            LOG.info(
                    "{} of the last pages of {} in {} repeat earlier ones: its requests come after those of other hosts",
                    history.repetitions(), host.host(), host.run());
        } else {
            LOG.info("the pages of {} in {} are new again", host.host(), host.run());
        }
    }
}
