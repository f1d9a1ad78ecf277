package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Pending.UrlKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/** Requests that will be fetched again, by the time from which that may happen. Belongs to the frontier's thread. */
final class Retries {
    private final PriorityQueue<Retry> queue = new PriorityQueue<>(
            Comparator.comparingLong(Retry::at).thenComparingLong(Retry::number));
    private long numbers;

    /** @param at from when on it may be fetched again */
    record Retry(Pending request, long at, long number) {}

    void add(Pending p, long at) {
        queue.add(new Retry(p, at, ++numbers));
    }

    /** Takes out those whose time has come. */
    List<Pending> due(long now) {
        List<Pending> due = new ArrayList<>(0);
        for (Retry first = queue.peek(); first != null && first.at() <= now; first = queue.peek()) {
            due.add(queue.remove().request());
        }
        return due;
    }

    /** Takes out those that match. */
    List<Pending> take(Predicate<Pending> which) {
        List<Pending> taken = queue.stream().map(Retry::request).filter(which).toList();
        queue.removeIf(retry -> which.test(retry.request()));
        return taken;
    }

    /** The one of a URL. */
    Optional<Retry> of(UrlKey url) {
        return queue.stream().filter(retry -> retry.request().url().equals(url)).findFirst();
    }

    Optional<Long> next() {
        return Optional.ofNullable(queue.peek()).map(Retry::at);
    }
}
