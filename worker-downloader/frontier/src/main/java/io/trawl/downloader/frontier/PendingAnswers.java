package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.frontier.inflight.StopSignProgress;
import io.trawl.downloader.frontier.queue.AssignedPartitions;
import io.trawl.downloader.frontier.queue.Assignment;
import io.trawl.downloader.frontier.queue.DeliveredRecord.RecordBody;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.module.Counters;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The answers that Kafka has not acknowledged, and the counters that depend on them. Belongs to the frontier's thread.
 */
final class PendingAnswers {
    private final Map<Long, Answering> answers = new HashMap<>();
    private final AssignedPartitions assignedPartitions;
    private final StopSignProgress stopSignProgress;
    private final Counters counters;
    private final ActionQueue actionQueue;
    private long unacknowledged;

    /** @param pending the answered request; empty if the offset has no readable request */
    private record Answering(Assignment assignment, long offset, Optional<PendingRequest> pending, int bytes,
            boolean statesFact, boolean failed) {}

    PendingAnswers(AssignedPartitions assignedPartitions, StopSignProgress stopSignProgress, Counters counters,
            ActionQueue actionQueue) {
        this.assignedPartitions = assignedPartitions;
        this.stopSignProgress = stopSignProgress;
        this.counters = counters;
        this.actionQueue = actionQueue;
    }

    /** The first decision about a request; counted once. */
    void accept(PendingRequest p) {
        if (p.accept()) {
            counters.accepted(1);
        }
    }

    void answer(PendingRequest p, RequestAnswer requestAnswer) {
        accept(p);
        long ticket = begin(p, requestAnswer.bytes(), requestAnswer.factDepth().isPresent(),
                requestAnswer.outcome() instanceof Outcome.Failure);
        actionQueue.add(
                new FrontierAction.SendAnswer(ticket, p.assignment().requestPartition(), p.offset(), requestAnswer));
    }

    /** Has a request continue at another address of its page, which takes the place of an answer. */
    void move(PendingRequest p, RequestAnswer redirect, Request moved) {
        accept(p);
        actionQueue.add(new FrontierAction.Forward(begin(p, 0, false, false), p.assignment().requestPartition(),
                p.offset(), new ForwardedRequest.AtServer(redirect, moved)));
    }

    /** Marks a request of a run that is over as answered, without an answer. */
    void pass(PendingRequest p) {
        accept(p);
        actionQueue
                .add(new FrontierAction.Pass(begin(p, 0, false, false), p.assignment().requestPartition(), p.offset()));
    }

    /** Has a waiting request go on elsewhere, which takes the place of an answer at this offset. */
    void forward(Assignment assignment, long offset, ForwardedRequest copy) {
        long ticket = actionQueue.ticket();
        answers.put(ticket, new Answering(assignment, offset, Optional.empty(), 0, false, false));
        assignment.leaving().add(offset);
        actionQueue.add(new FrontierAction.Forward(ticket, assignment.requestPartition(), offset, copy));
    }

    /** This offset has no readable request. It counts as called, but is never accepted. */
    void unreadable(Assignment assignment, long offset, RecordBody.Broken broken) {
        long ticket = actionQueue.ticket();
        answers.put(ticket, new Answering(assignment, offset, Optional.empty(), 0, false, false));
        assignment.leaving().add(offset);
        actionQueue.add(new FrontierAction.ReportUnreadable(ticket, assignment.requestPartition(), offset, broken.why(),
                broken.salvaged()));
    }

    private long begin(PendingRequest p, int bytes, boolean statesFact, boolean failed) {
        long ticket = actionQueue.ticket();
        answers.put(ticket, new Answering(p.assignment(), p.offset(), Optional.of(p), bytes, statesFact, failed));
        unacknowledged += bytes;
        stopSignProgress.begins(p);
        return ticket;
    }

    /**
     * An answer is acknowledged; returns its request. An unknown ticket, or one that was acknowledged before, is
     * ignored.
     */
    Optional<Acknowledged> acknowledged(long ticket) {
        Answering answer = answers.remove(ticket);
        if (answer == null) {
            return Optional.empty();
        }
        assignedPartitions.answered(answer.assignment(), answer.offset());
        unacknowledged -= answer.bytes();
        return answer.pending().map(p -> {
            stopSignProgress.ends(p);
            if (answer.failed()) {
                counters.failed(1);
            } else {
                counters.completed(1);
            }
            return new Acknowledged(p, answer.statesFact(), answer.bytes());
        });
    }

    /**
     * @param statesFact whether the ledger has learnt its fact
     * @param bytes of the body
     */
    record Acknowledged(PendingRequest request, boolean statesFact, int bytes) {}

    /** Whether the request's partition was revoked; then it is {@link #drop dropped}. */
    boolean dropIfRevoked(PendingRequest p) {
        if (!p.assignment().ended()) {
            return false;
        }
        drop(p);
        return true;
    }

    /**
     * Nothing is done with this request any more, until it is read from the log again: it counts as given back if it
     * was accepted.
     */
    void drop(PendingRequest p) {
        if (p.accepted()) {
            counters.returned(1);
        }
    }

    /** Whether there is an answer for this partition. */
    boolean any(int partition) {
        return answers.values().stream()
                .anyMatch(answer -> answer.assignment().requestPartition().partition() == partition);
    }

    void forEach(Consumer<PendingRequest> action) {
        answers.values().forEach(answer -> answer.pending().ifPresent(action));
    }

    /** The request of a URL whose answer is not acknowledged. */
    Optional<PendingRequest> of(RequestKey key) {
        return answers.values().stream().flatMap(answer -> answer.pending().stream()).filter(p -> p.key().equals(key))
                .findFirst();
    }

    int size() {
        return answers.size();
    }

    /** Body bytes that Kafka has not acknowledged. */
    long unacknowledged() {
        return unacknowledged;
    }
}
