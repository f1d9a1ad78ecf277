package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Requests, by run, that cannot get a turn now: their crawl does not fetch, or is unknown. Belongs to the frontier's
 * thread.
 */
public final class ParkedRequests {
    private final Map<CrawlRun, List<PendingRequest>> runs = new LinkedHashMap<>();
    private int size;

    /** Keeps a request; true if it is the first of its run. */
    public boolean add(PendingRequest p) {
        List<PendingRequest> parked = runs.computeIfAbsent(p.run(), r -> new ArrayList<>());
        parked.add(p);
        size++;
        return parked.size() == 1;
    }

    public Set<CrawlRun> runs() {
        return Set.copyOf(runs.keySet());
    }

    /** Removes and returns the requests of a run, in order of arrival. */
    public List<PendingRequest> release(CrawlRun run) {
        List<PendingRequest> parked = runs.remove(run);
        if (parked == null) {
            return List.of();
        }
        size -= parked.size();
        return parked;
    }

    public void removeIf(Predicate<PendingRequest> gone) {
        runs.values().forEach(parked -> parked.removeIf(gone));
        runs.values().removeIf(List::isEmpty);
        size = runs.values().stream().mapToInt(List::size).sum();
    }

    /** The parked request of a URL. */
    public Optional<PendingRequest> of(RequestKey key) {
        return runs.getOrDefault(key.run(), List.of()).stream().filter(p -> p.key().equals(key)).findFirst();
    }

    public int size() {
        return size;
    }
}
