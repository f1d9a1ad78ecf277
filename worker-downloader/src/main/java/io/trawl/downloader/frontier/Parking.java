package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Requests, by run, whose turn cannot come now: their crawl does not fetch, or is not known yet. Belongs to the frontier's thread. */
final class Parking {
    private final Map<CrawlRun, List<Pending>> runs = new LinkedHashMap<>();
    private int size;

    /** Keeps a request; true if it is the first of its run. */
    boolean add(Pending p) {
        List<Pending> parked = runs.computeIfAbsent(p.run(), r -> new ArrayList<>());
        parked.add(p);
        size++;
        return parked.size() == 1;
    }

    Set<CrawlRun> runs() {
        return Set.copyOf(runs.keySet());
    }

    /** Hands out the requests of a run in the order in which they came. */
    List<Pending> release(CrawlRun run) {
        List<Pending> parked = runs.remove(run);
        if (parked == null) {
            return List.of();
        }
        size -= parked.size();
        return parked;
    }

    void removeIf(Predicate<Pending> gone) {
        runs.values().forEach(parked -> parked.removeIf(gone));
        runs.values().removeIf(List::isEmpty);
        size = runs.values().stream().mapToInt(List::size).sum();
    }

    /** The one of a URL. */
    Optional<Pending> of(UrlKey url) {
        return runs.getOrDefault(url.run(), List.of()).stream().filter(p -> p.url().equals(url)).findFirst();
    }

    int size() {
        return size;
    }
}
