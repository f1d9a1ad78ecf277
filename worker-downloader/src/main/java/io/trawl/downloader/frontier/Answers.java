package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.downloader.frontier.Delivered.Body;
import io.trawl.model.Outcome;
import io.trawl.module.Counters;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The answers that Kafka has not acknowledged, and the counts that move with them. Belongs to the frontier's thread. */
final class Answers {
    private final Map<Long, Answering> answers = new HashMap<>();
    private final Tenures tenures;
    private final Dealing dealing;
    private final Counters counters;
    private final Todo todo;
    private long unacknowledged;

    /** @param pending what is answered; empty if there was no request at the offset */
    private record Answering(Tenure tenure, long offset, Optional<Pending> pending, int bytes, boolean teaches, boolean failed) {}

    Answers(Tenures tenures, Dealing dealing, Counters counters, Todo todo) {
        this.tenures = tenures;
        this.dealing = dealing;
        this.counters = counters;
        this.todo = todo;
    }

    /** The first judgement of a request; counted once. */
    void accept(Pending p) {
        if (p.accept()) {
            counters.accepted(1);
        }
    }

    void answer(Pending p, Reply reply) {
        long ticket = begin(p, reply.bytes(), reply.factDepth().isPresent(), reply.outcome() instanceof Outcome.Failure);
        todo.add(new Action.Answer(ticket, p.tenure().lane(), p.offset(), reply));
    }

    /** Nobody wants an answer any more. */
    void pass(Pending p) {
        accept(p);
        todo.add(new Action.Pass(begin(p, 0, false, false), p.tenure().lane(), p.offset()));
    }

    /** There is no request at this offset. It was called, but is never accepted. */
    void unreadable(Tenure tenure, long offset, Body.Broken broken) {
        long ticket = todo.ticket();
        answers.put(ticket, new Answering(tenure, offset, Optional.empty(), 0, false, false));
        todo.add(new Action.Unreadable(ticket, tenure.lane(), offset, broken.why(), broken.remains()));
    }

    private long begin(Pending p, int bytes, boolean teaches, boolean failed) {
        long ticket = todo.ticket();
        answers.put(ticket, new Answering(p.tenure(), p.offset(), Optional.of(p), bytes, teaches, failed));
        unacknowledged += bytes;
        dealing.begins(p.run().crawl());
        return ticket;
    }

    /** An answer is acknowledged; returns its request. A ticket that is not known, or was acknowledged before, is no error. */
    Optional<Acknowledged> acknowledged(long ticket) {
        Answering answer = answers.remove(ticket);
        if (answer == null) {
            return Optional.empty();
        }
        tenures.answered(answer.tenure(), answer.offset());
        unacknowledged -= answer.bytes();
        return answer.pending().map(p -> {
            dealing.ends(p.run().crawl());
            if (answer.failed()) {
                counters.failed(1);
            } else {
                counters.completed(1);
            }
            return new Acknowledged(p, answer.teaches());
        });
    }

    /** @param teaches whether its fact has been learnt */
    record Acknowledged(Pending request, boolean teaches) {}

    /** The request's partition was revoked; what was accepted of it ends here. */
    boolean lost(Pending p) {
        if (!p.tenure().ended()) {
            return false;
        }
        if (p.accepted()) {
            counters.failed(1);
        }
        return true;
    }

    /** Whether there is one of this partition. */
    boolean any(int partition) {
        return answers.values().stream().anyMatch(answer -> answer.tenure().lane().partition() == partition);
    }

    void forEach(Consumer<Pending> action) {
        answers.values().forEach(answer -> answer.pending().ifPresent(action));
    }

    /** The request of a URL whose answer is not acknowledged. */
    Optional<Pending> of(UrlKey url) {
        return answers.values().stream().flatMap(answer -> answer.pending().stream()).filter(p -> p.url().equals(url))
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
