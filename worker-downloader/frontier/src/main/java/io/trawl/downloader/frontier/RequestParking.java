package io.trawl.downloader.frontier;

import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.frontier.CrawlTerms.Terms;
import io.trawl.downloader.frontier.queue.AssignedPartitions;
import io.trawl.downloader.frontier.queue.Assignment;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Parks requests that cannot be fetched now: their crawl does not fetch or is unknown, or another request reserves
 * their URL. Belongs to the frontier's thread.
 */
final class RequestParking {
    /**
     * This many requests of unknown runs are kept while the control records are read; of the others only the offsets.
     */
    private static final int MOST_UNKNOWN = 10_000;
    private final KnownTerms terms;
    private final AssignedPartitions assignedPartitions;
    private final PendingAnswers pendingAnswers;
    private final ActionQueue actionQueue;
    private final RequestsByRun stopped = new RequestsByRun();
    private final RequestsByRun unknown = new RequestsByRun();
    private final Map<RequestKey, PendingRequest> active = new HashMap<>();

    /** Requests, by run, in order of arrival. */
    private static final class RequestsByRun {
        private final Map<CrawlRun, List<PendingRequest>> runs = new LinkedHashMap<>();
        private int size;

        /** Keeps a request; true if it is the first of its run. */
        boolean add(PendingRequest p) {
            List<PendingRequest> ofRun = runs.computeIfAbsent(p.run(), r -> new ArrayList<>());
            ofRun.add(p);
            size++;
            return ofRun.size() == 1;
        }

        List<PendingRequest> take(Predicate<CrawlRun> which) {
            List<PendingRequest> taken = runs.entrySet().stream().filter(run -> which.test(run.getKey()))
                    .flatMap(run -> run.getValue().stream()).toList();
            runs.keySet().removeIf(which);
            size -= taken.size();
            return taken;
        }

        void removeIf(Predicate<PendingRequest> gone) {
            runs.values().forEach(ofRun -> ofRun.removeIf(gone));
            runs.values().removeIf(List::isEmpty);
            size = runs.values().stream().mapToInt(List::size).sum();
        }

        Optional<PendingRequest> find(RequestKey key) {
            return runs.getOrDefault(key.run(), List.of()).stream().filter(p -> p.key().equals(key)).findFirst();
        }
    }

    RequestParking(KnownTerms terms, AssignedPartitions assignedPartitions, PendingAnswers pendingAnswers,
            ActionQueue actionQueue) {
        this.terms = terms;
        this.assignedPartitions = assignedPartitions;
        this.pendingAnswers = pendingAnswers;
        this.actionQueue = actionQueue;
    }

    /** Whether a request may be fetched; else it is to be {@link #park parked}. */
    boolean admits(PendingRequest p) {
        return terms.of(p.run()).fetches() && active.getOrDefault(p.key(), p) == p;
    }

    /** Takes a request that is in no queue any more. */
    void park(PendingRequest p) {
        Terms runTerms = terms.of(p.run());
        if (runTerms.status() == RunStatus.OVER) {
            pendingAnswers.pass(p);
        } else if (runTerms.status() == RunStatus.UNKNOWN) {
            if (unknown.size >= MOST_UNKNOWN) {
                assignedPartitions.keepOffset(p);
            } else if (unknown.add(p)) {
                actionQueue.add(new FrontierAction.Refresh(p.run()));
            }
        } else if (!runTerms.fetches() && p.accepted()) {
            // There are few of these, and they have state: attempts, a URL, followers.
            stopped.add(p);
        } else if (!runTerms.fetches()) {
            assignedPartitions.keepOffset(p);
        } else {
            active.getOrDefault(p.key(), p).followers().add(p);
        }
    }

    /** Reserves the URL: no other request with it may be fetched. */
    void activate(PendingRequest p) {
        active.put(p.key(), p);
    }

    /** Frees the URL, if this request reserves it; returns those that waited for it, in their order. */
    List<PendingRequest> free(PendingRequest p) {
        if (!active.remove(p.key(), p)) {
            return List.of();
        }
        List<PendingRequest> followers = List.copyOf(p.followers());
        p.followers().clear();
        return followers;
    }

    /**
     * Removes requests of an assignment, by their offsets, that wait behind another one with their URL; returns the
     * offsets that were there.
     */
    Set<Long> takeFollowers(Assignment assignment, Set<Long> offsets) {
        Set<Long> taken = new HashSet<>();
        active.values().forEach(p -> p.followers().removeIf(follower -> follower.assignment() == assignment
                && offsets.contains(follower.offset()) && !follower.tried() && taken.add(follower.offset())));
        return taken;
    }

    /** Requests of ended assignments that reserve a URL. */
    Stream<PendingRequest> endedActive() {
        return active.values().stream().filter(p -> p.assignment().ended());
    }

    /** Removes matching requests, except those that reserve a URL. */
    void removeIf(Predicate<PendingRequest> gone) {
        stopped.removeIf(gone);
        unknown.removeIf(gone);
        active.values().forEach(p -> p.followers().removeIf(gone));
    }

    /** Removes and returns the requests whose runs have changed so that there is no reason for parking them. */
    List<PendingRequest> takeChanged() {
        List<PendingRequest> taken = new ArrayList<>(unknown.take(run -> terms.of(run).status() != RunStatus.UNKNOWN));
        taken.addAll(stopped.take(run -> terms.of(run).fetches() || terms.of(run).status() == RunStatus.OVER));
        return taken;
    }

    /** Removes and returns the requests of stopped crawls in partitions whose log is held. */
    List<PendingRequest> takeHolding() {
        List<PendingRequest> holding = new ArrayList<>();
        stopped.removeIf(p -> assignedPartitions.isHeld(p.assignment()) && holding.add(p));
        return holding;
    }

    /** Removes and returns the requests of an unknown run. */
    List<PendingRequest> takeUnknown(CrawlRun run) {
        return unknown.take(run::equals);
    }

    /** The request of a URL whose crawl does not fetch or is unknown. */
    Optional<PendingRequest> parked(RequestKey key) {
        return stopped.find(key).or(() -> unknown.find(key));
    }

    /** The request that reserves the URL. */
    Optional<PendingRequest> active(RequestKey key) {
        return Optional.ofNullable(active.get(key));
    }

    /** Requests of crawls that do not fetch now. */
    int parked() {
        return stopped.size + unknown.size + assignedPartitions.stopped();
    }
}
