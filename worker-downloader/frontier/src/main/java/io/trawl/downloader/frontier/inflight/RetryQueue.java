package io.trawl.downloader.frontier.inflight;

import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Requests that will be retried, ordered by their earliest time. Belongs to the frontier's thread. */
public final class RetryQueue {
    private final PriorityQueue<Retry> queue = new PriorityQueue<>(
            Comparator.comparingLong(Retry::at).thenComparingLong(Retry::number));
    private long numbers;

    /** @param at the earliest time of the retry */
    public record Retry(PendingRequest request, long at, long number) {}

    public void add(PendingRequest p, long at) {
        queue.add(new Retry(p, at, ++numbers));
    }

    /** Removes and returns the requests that are due. */
    public List<PendingRequest> due(long now) {
        List<PendingRequest> due = new ArrayList<>(0);
        for (Retry first = queue.peek(); first != null && first.at() <= now; first = queue.peek()) {
            due.add(queue.remove().request());
        }
        return due;
    }

    /** Removes and returns the requests that match. */
    public List<PendingRequest> take(Predicate<PendingRequest> which) {
        List<PendingRequest> taken = queue.stream().map(Retry::request).filter(which).toList();
        queue.removeIf(retry -> which.test(retry.request()));
        return taken;
    }

    /** The retry of a URL. */
    public Optional<Retry> of(RequestKey key) {
        return queue.stream().filter(retry -> retry.request().key().equals(key)).findFirst();
    }

    /** All that wait here, in no order. */
    Stream<PendingRequest> all() {
        return queue.stream().map(Retry::request);
    }

    public Optional<Long> next() {
        return Optional.ofNullable(queue.peek()).map(Retry::at);
    }
}
