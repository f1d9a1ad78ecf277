package io.trawl.downloader;

import io.trawl.codec.Remains;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.answer.Acknowledged;
import io.trawl.downloader.answer.AnswerWriter;
import io.trawl.downloader.answer.AnswerWriter.Unwritten;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.RefusalReason;
import io.trawl.worker.WorkerContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Deals with records that are no requests: each is reported with its coordinates. If it can be said which request of a present run it was, that is
 * answered in the ledger, or its crawl would never end; then the offset is marked like any other. Called by one thread.
 */
final class Unreadables implements Consumer<List<Unreadable>> {
    private final WorkerContext context;
    private final AnswerWriter answers;
    private final Consumer<Acknowledged> settling;
    private final LongAdder count = new LongAdder();

    /** @param settling marks the offsets of those that need no answer */
    Unreadables(WorkerContext context, AnswerWriter answers, Consumer<Acknowledged> settling) {
        this.context = context;
        this.answers = answers;
        this.settling = settling;
    }

    @Override
    public void accept(List<Unreadable> batch) {
        try {
            for (Unreadable none : batch) {
                deal(none);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deal(Unreadable none) throws InterruptedException {
        Optional<Remains> remains = none.remains();
        if (remains.isPresent() && present(remains.get().run())) {
            answers.write(new Unwritten.Entry(none.ticket(), none.log(), none.offset(), remains.get().answer()));
        } else {
            settling.accept(new Acknowledged(none.ticket(), none.log(), none.offset(), Optional.empty()));
        }
        count.increment();
        context.errors().report(CrawlerError
                .of(context.mid(), remains.map(r -> r.run().crawl()), Optional.empty(), RefusalReason.MALFORMED.name(),
                        none.cause(), 0, context.time().now())
                .from(none.log().topic(), none.log().partition(), none.offset()));
    }

    /** Whoever writes such records may invent runs too: those that nobody has started must not come into the ledger. */
    private boolean present(CrawlRun run) throws InterruptedException {
        if (context.control().standing(run) != Standing.PRESENT) {
            context.control().refresh();
        }
        return context.control().standing(run) == Standing.PRESENT;
    }

    /** How many there were since the start. */
    long count() {
        return count.sum();
    }
}
