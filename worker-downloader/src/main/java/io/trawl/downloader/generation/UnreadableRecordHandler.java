package io.trawl.downloader.generation;

import io.trawl.codec.SalvagedHeader;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.generation.UnreadableRecordHandler.UnreadableRecord;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.ResponseWriter;
import io.trawl.downloader.response.Unwritten;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.RefusalReason;
import io.trawl.worker.WorkerContext;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Handles records that are not requests. Each is reported with its topic, partition and offset. If its header shows
 * which request of a present run it was, the ledger gets an answer to it, because its crawl would never end otherwise;
 * then the offset is marked like any other. Called by one thread.
 */
final class UnreadableRecordHandler implements Consumer<List<UnreadableRecord>> {
    private final WorkerContext context;
    private final ResponseWriter answers;
    private final Consumer<AcknowledgedAnswer> settling;
    private final LongAdder count = new LongAdder();

    /** @param settling marks the offsets of records that need no answer */
    UnreadableRecordHandler(WorkerContext context, ResponseWriter answers, Consumer<AcknowledgedAnswer> settling) {
        this.context = context;
        this.answers = answers;
        this.settling = settling;
    }

    @Override
    public void accept(List<UnreadableRecord> batch) {
        try {
            for (UnreadableRecord unreadable : batch) {
                handle(unreadable);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(UnreadableRecord unreadable) throws InterruptedException {
        Optional<SalvagedHeader> salvagedHeader = unreadable.salvaged();
        if (salvagedHeader.isPresent() && present(salvagedHeader.get().run())) {
            answers.write(new Unwritten.Entry(List.of(unreadable.settled()), salvagedHeader.get().answer()));
        } else {
            settling.accept(unreadable.settled());
        }
        count.increment();
        context.kafka().errors()
                .report(CrawlerError
                        .of(context.mid(), salvagedHeader.map(r -> r.run().crawl()), Optional.empty(),
                                RefusalReason.MALFORMED.name(), unreadable.cause(), 0, context.time().now())
                        .from(unreadable.log().topic(), unreadable.log().partition(), unreadable.offset()));
    }

    /** Such records may have invented runs; only runs that were started may get into the ledger. */
    private boolean present(CrawlRun run) throws InterruptedException {
        if (context.control().status(run) != RunStatus.PRESENT) {
            context.control().refresh();
        }
        return context.control().status(run) == RunStatus.PRESENT;
    }

    /** The number of unreadable records since the start. */
    long count() {
        return count.sum();
    }

    /**
     * An offset without a fetchable request.
     *
     * @param salvaged the header of the request, if it could be salvaged
     */
    record UnreadableRecord(long ticket, LogPartition log, long offset, String why, Optional<SalvagedHeader> salvaged) {
        private AcknowledgedAnswer settled() {
            return new AcknowledgedAnswer(ticket, log, offset, Optional.empty());
        }

        /** The problem, for people. */
        String cause() {
            return "the request " + why + (salvaged.isPresent()
                    ? ""
                    : "; which one it is cannot be read either, and if it belongs to a crawl, the crawl waits for it");
        }
    }
}
