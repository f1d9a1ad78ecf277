package io.trawl.downloader.frontier;

import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.queue.Assignment;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.DeliveredRecord.RecordBody;
import io.trawl.downloader.frontier.queue.HostState;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.module.Deal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Has waiting requests go on elsewhere in the log: those that hold it, and those that an operator moves to another
 * priority. It reads them, takes them out of their queues, and has them written anew; where they come to is read like
 * any other request. Belongs to the frontier's thread.
 */
final class Forwarding {
    /** While so many requests of a partition are on their way, no more are looked at. */
    private static final int MOST_LEAVING = 2000;
    private final FrontierState state;
    private final HostPlacement hostPlacement;
    private final Map<Long, Asked> asks = new HashMap<>();
    private Map<CrawlRun, QueueMoves> orders = Map.of();
    private int generation;

    /** Why requests are read. */
    private enum Cause {
        /** Their crawl is stopped, and only their offsets are kept. */
        STOPPED,
        /** They have waited for long, and hold the log. */
        STRAGGLER,
        /** There is an order to move some of what waits. */
        ORDER
    }

    private record Asked(Assignment assignment, List<Long> offsets, Cause cause) {}

    /** A place in the index: only requests of one place are taken out of it together. */
    private record Place(HostKey host, Optional<CrawlRun> run) {}

    Forwarding(FrontierState state, HostPlacement hostPlacement) {
        this.state = state;
        this.hostPlacement = hostPlacement;
    }

    /** The orders in force. @param ofGeneration of the request topics that this process serves */
    void orders(Collection<QueueMoves> latest, int ofGeneration) {
        Map<CrawlRun, QueueMoves> byRun = new HashMap<>();
        latest.forEach(moves -> byRun.put(moves.run(), moves));
        orders = Map.copyOf(byRun);
        generation = ofGeneration;
        assigned();
    }

    /** There are new assignments, or orders. */
    void assigned() {
        state.assignedPartitions.orders(orders.values(), generation);
    }

    /** Has the requests read that hold a log. */
    void release(long now) {
        state.assignedPartitions.leaving().forEach((assignment, offsets) -> ask(assignment, offsets, Cause.STOPPED));
        state.assignedPartitions.stragglers(now).forEach((assignment, offsets) -> {
            if (!reads(assignment)) {
                ask(assignment, offsets, Cause.STRAGGLER);
            }
        });
    }

    /** Has the next requests read that an order may move. */
    void move() {
        if (!orders.isEmpty()) {
            state.assignedPartitions
                    .toLookAt(assignment -> assignment.leaving().size() < MOST_LEAVING && !reads(assignment))
                    .forEach((assignment, offsets) -> ask(assignment, offsets, Cause.ORDER));
        }
    }

    /** How far this process is with the orders of each run. */
    List<Deal> deals() {
        if (orders.isEmpty()) {
            return List.of();
        }
        // What is being read is neither left to look at nor on its way yet.
        long read = asks.values().stream().filter(asked -> asked.cause() == Cause.ORDER)
                .mapToLong(asked -> asked.offsets().size()).sum();
        int left = (int) Math.min(Integer.MAX_VALUE, state.assignedPartitions.leftToMove() + read);
        return orders.values().stream()
                .map(moves -> left == 0
                        ? Deal.done(moves.key(), moves.version(), Duration.ZERO, 0)
                        : Deal.waiting(moves.key(), moves.version(), left, Optional.empty()))
                .toList();
    }

    private boolean reads(Assignment assignment) {
        return asks.values().stream().anyMatch(asked -> asked.assignment() == assignment);
    }

    private void ask(Assignment assignment, List<Long> offsets, Cause cause) {
        List<Long> idle = new ArrayList<>(offsets);
        idle.removeAll(assignment.leaving());
        idle.removeAll(busy(assignment));
        if (!idle.isEmpty()) {
            long number = state.actionQueue.ticket();
            asks.put(number, new Asked(assignment, idle, cause));
            state.actionQueue.add(
                    new FrontierAction.ReadBodies(number, assignment.requestPartition(), assignment.number(), idle));
        }
    }

    /** A read is done; false if it was not asked for here. */
    boolean read(long ask, List<DeliveredRecord> found, long now) {
        Asked asked = asks.remove(ask);
        if (asked == null) {
            return false;
        }
        Assignment assignment = asked.assignment();
        if (!assignment.ended()) {
            switch (asked.cause()) {
                case STOPPED -> stopped(asked, found);
                case STRAGGLER -> {
                    // Before any is taken out of its queue: one whose robots.txt is being loaded stands there, and is
                    // busy.
                    Set<Long> busy = busy(assignment);
                    forward(assignment, found.stream()
                            .filter(record -> waits(assignment, record) && !busy.contains(record.offset())).toList(),
                            true, now);
                }
                case ORDER -> forward(assignment, found.stream()
                        .filter(record -> waits(assignment, record) && order(assignment, record).isPresent()).toList(),
                        false, now);
            }
        }
        return true;
    }

    private void stopped(Asked asked, List<DeliveredRecord> found) {
        Set<Long> gone = new HashSet<>(asked.offsets());
        found.forEach(record -> {
            gone.remove(record.offset());
            if (waits(asked.assignment(), record)) {
                forward(asked.assignment(), record);
            }
        });
        gone.forEach(offset -> state.pendingAnswers.unreadable(asked.assignment(), offset, LoadedBodies.GONE));
    }

    private static boolean waits(Assignment assignment, DeliveredRecord record) {
        return assignment.offsets().contains(record.offset()) && !assignment.leaving().contains(record.offset());
    }

    /** The order that moves a request, of the last one that is about it. */
    private Optional<MoveOrder> order(Assignment assignment, DeliveredRecord record) {
        RequestPartition at = assignment.requestPartition();
        return record.run().map(orders::get)
                .flatMap(moves -> record.body() instanceof RecordBody.Sound(Request request)
                        ? moves.last(generation, at.priority(), at.partition(), record.offset(), request.url())
                        : Optional.empty())
                .filter(move -> move.to() != at.priority());
    }

    /**
     * Takes requests out of the index, and has them written anew.
     *
     * @param all also those that are under way here, and wait for a retry: what they leave in the log is a duplicate
     * then, but no longer holds it
     */
    private void forward(Assignment assignment, List<DeliveredRecord> records, boolean all, long now) {
        Set<Long> rest = new HashSet<>();
        Map<Place, Set<Long>> places = new HashMap<>();
        for (DeliveredRecord record : records) {
            if (assignment.stoppedCrawlOffsets().remove(record.offset())) {
                forward(assignment, record);
            } else {
                if (record.body() instanceof RecordBody.Sound) {
                    rest.add(record.offset());
                }
                hosts(record).distinct().forEach(host -> places
                        .computeIfAbsent(new Place(host, record.run()), p -> new HashSet<>()).add(record.offset()));
            }
        }
        Set<Long> taken = new HashSet<>();
        places.forEach((place, offsets) -> state.hostTable.find(place.host()).ifPresent(host -> {
            Set<Long> own = host.take(place.run(), assignment, offsets, p -> {
                state.pendingAnswers.drop(p);
                hostPlacement.release(p, now);
            });
            if (!own.isEmpty() && host.state() != HostState.BUSY) {
                hostPlacement.place(host, now);
            }
            taken.addAll(own);
        }));
        taken.addAll(state.requestParking.takeFollowers(assignment, rest));
        if (all) {
            taken.addAll(rest);
        }
        records.stream().filter(record -> taken.contains(record.offset()))
                .forEach(record -> forward(assignment, record));
    }

    /** Where a request stands: by its key while only its offset is kept, then by its server. */
    private Stream<HostKey> hosts(DeliveredRecord record) {
        Stream<HostKey> server = record.body() instanceof RecordBody.Sound(Request request)
                ? Stream.of(request.host())
                : Stream.empty();
        return Stream.concat(record.host().stream(), server).map(state.settings.keys()::of);
    }

    /** The requests that have an exchange in flight or an answer on its way: they hold the log for a moment only. */
    private Set<Long> busy(Assignment assignment) {
        Set<Long> busy = new HashSet<>();
        Consumer<PendingRequest> add = p -> {
            if (p.assignment() == assignment) {
                busy.add(p.offset());
            }
        };
        state.inFlightRequests.forEach(add);
        state.pendingAnswers.forEach(add);
        return busy;
    }

    private void forward(Assignment assignment, DeliveredRecord record) {
        ForwardedRequest copy = order(assignment, record).filter(_ -> record.body() instanceof RecordBody.Sound)
                .<ForwardedRequest>map(move -> new ForwardedRequest.AtPriority(record,
                        ((RecordBody.Sound) record.body()).request().withPriority(move.to()), move.number()))
                .orElseGet(() -> new ForwardedRequest.AtEnd(record));
        state.pendingAnswers.forward(assignment, record.offset(), copy);
    }
}
