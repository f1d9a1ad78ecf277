package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.fairness.FairTurns;
import io.trawl.downloader.frontier.fairness.RunWeights;
import io.trawl.downloader.frontier.queue.HostQueue.FoundRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pending requests of one host and one priority: a queue per run, which take turns by {@link FairTurns}. There may
 * be a hundred thousand of these, nearly all with one run. Belongs to the frontier's thread.
 */
public final class LevelQueue {
    private final RunWeights weights;
    /** None of them is empty. */
    private List<RunQueue> runs = List.of();
    /** Absent until there was a choice. */
    private @Nullable FairTurns turns;

    LevelQueue(RunWeights weights) {
        this.weights = weights;
    }

    /** The queue of the run whose turn is next. */
    Optional<RunQueue> top() {
        if (runs.size() > 1 && turns != null) {
            return of(turns.next(names()));
        }
        return runs.isEmpty() ? Optional.empty() : Optional.of(runs.getFirst());
    }

    private List<Optional<CrawlRun>> names() {
        List<Optional<CrawlRun>> names = new ArrayList<>(runs.size());
        for (RunQueue queue : runs) {
            names.add(queue.run());
        }
        return names;
    }

    /** The runs that have requests. */
    Stream<CrawlRun> runs() {
        return runs.stream().flatMap(queue -> queue.run().stream());
    }

    /** The queue of a run, if it has requests. */
    public Optional<RunQueue> of(Optional<CrawlRun> run) {
        for (RunQueue queue : runs) {
            if (queue.run().equals(run)) {
                return Optional.of(queue);
            }
        }
        return Optional.empty();
    }

    /** The queue of a run, to which the caller adds a request. */
    RunQueue open(Optional<CrawlRun> run) {
        return of(run).orElseGet(() -> begin(weights.named(run)));
    }

    private RunQueue begin(Optional<CrawlRun> run) {
        RunQueue queue = new RunQueue(run);
        List<RunQueue> more = new ArrayList<>(runs);
        more.add(queue);
        runs = List.copyOf(more);
        if (turns != null) {
            turns.begins(run);
        } else if (runs.size() > 1) {
            turns = new FairTurns(weights);
            names().forEach(turns::begins);
        }
        return queue;
    }

    /** A fetch begins for a request of this run that has been removed; the run has used its turn. */
    void served(CrawlRun ofRun) {
        if (turns != null) {
            Optional<CrawlRun> run = Optional.of(ofRun);
            Set<Optional<CrawlRun>> waiting = new HashSet<>(names());
            waiting.add(run);
            turns.served(run, waiting);
            forgetTurns();
        }
    }

    private void forgetTurns() {
        if (turns != null && runs.size() == 1 && turns.forgettable(runs.getFirst().run())) {
            turns = null;
        }
    }

    /** The queues of the runs, that whose turn is next first. */
    List<RunQueue> inOrder() {
        if (runs.size() < 2) {
            return runs;
        }
        List<RunQueue> ordered = new ArrayList<>(runs);
        top().ifPresent(first -> {
            ordered.remove(first);
            ordered.addFirst(first);
        });
        return ordered;
    }

    /** Whether this offset is the next one without a body in the queue of its run. */
    public boolean nextUnread(Optional<CrawlRun> run, Assignment assignment, long offset) {
        return of(run).filter(queue -> queue.nextUnread(assignment, offset)).isPresent();
    }

    /** Removes the next offset without a body, because the request was added with its body, or is gone. */
    public void removeFirstUnread(Optional<CrawlRun> run) {
        of(run).ifPresent(queue -> {
            queue.removeFirstUnread();
            prune();
        });
    }

    /** Removes the next request, if its body is in memory. */
    Optional<PendingRequest> removeFirst() {
        Optional<PendingRequest> first = top().flatMap(RunQueue::removeFirst);
        prune();
        return first;
    }

    /** See {@link RunQueue#take}. */
    Set<Long> take(Optional<CrawlRun> run, Assignment assignment, Set<Long> offsets, Consumer<PendingRequest> removed) {
        Set<Long> taken = of(run).map(queue -> queue.take(assignment, offsets, removed)).orElse(Set.of());
        prune();
        return taken;
    }

    private void prune() {
        for (RunQueue queue : runs) {
            if (queue.isEmpty()) {
                runs = runs.stream().filter(q -> !q.isEmpty()).toList();
                return;
            }
        }
    }

    /** Drops the body of the last request of the run with most bodies, of those whose state is all in the log. */
    Optional<PendingRequest> unload() {
        List<RunQueue> most = new ArrayList<>(runs);
        most.sort((a, b) -> Integer.compare(b.loaded(), a.loaded()));
        for (RunQueue queue : most) {
            Optional<PendingRequest> unloaded = queue.unload();
            if (unloaded.isPresent()) {
                return unloaded;
            }
        }
        return Optional.empty();
    }

    /** Removes matching requests; true if there was any. {@code removed} gets those with bodies. */
    boolean removeIf(Predicate<PendingRequest> gone, Consumer<PendingRequest> removed) {
        boolean any = false;
        for (RunQueue queue : runs) {
            any |= queue.removeIf(gone, removed);
        }
        prune();
        return any;
    }

    /** The number of requests with bodies that come before those without. */
    int loaded() {
        return runs.stream().mapToInt(RunQueue::loaded).sum();
    }

    /** The number of requests of which only the offset is kept. */
    long unreadCount() {
        return runs.stream().mapToLong(RunQueue::unreadCount).sum();
    }

    /** The number of all requests. */
    long size() {
        long size = 0;
        for (RunQueue queue : runs) {
            size += queue.size();
        }
        return size;
    }

    /** Adds the number of requests of each run. */
    void addSizes(Map<Optional<CrawlRun>, Long> sizes) {
        runs.forEach(queue -> sizes.merge(queue.run(), queue.size(), Long::sum));
    }

    /** The request of a URL, if its body is in memory, and how many requests of each run come before it. */
    Optional<FoundRequest> find(RequestKey key) {
        return of(Optional.of(key.run())).flatMap(own -> own.find(key).map(place -> {
            Map<Optional<CrawlRun>, Long> ahead = new LinkedHashMap<>();
            ahead.put(own.run(), place.ahead());
            for (RunQueue other : runs) {
                if (other != own && turns != null) {
                    ahead.put(other.run(),
                            Math.min(other.size(), turns.before(own.run(), place.ahead() + 1, other.run())));
                }
            }
            return new FoundRequest(place.request(), ahead);
        }));
    }

    boolean isEmpty() { return runs.isEmpty(); }
}
