package io.trawl.pipeline;

import io.trawl.api.Item;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlDefinition.ProcessRules;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.ItemLine;
import io.trawl.time.Time;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Handles one record of {@code items}: decode, process, store. A record that fails does not affect the others. Confined to one thread. */
final class ItemHandler {
    /** The kind of error of a record that cannot be decoded. */
    static final String MALFORMED = "MALFORMED";
    /** The kind of error of an item that a processor failed on. */
    static final String PROCESSOR = "PROCESSOR";
    private final FileSink sink;
    private final ProcessorChain chain;
    private final ControlView control;
    private final Counters counters;
    private final MID mid;
    private final Time time;
    private final StoringSpans spans;
    private final Set<CrawlRun> unknown = new HashSet<>();

    ItemHandler(FileSink sink, ProcessorChain chain, ControlView control, Counters counters, MID mid, Time time,
            StoringSpans spans) {
        this.sink = sink;
        this.chain = chain;
        this.control = control;
        this.counters = counters;
        this.mid = mid;
        this.time = time;
        this.spans = spans;
    }

    /** @return false if the record's partition turned out to be lost */
    boolean handle(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        counters.called(1);
        Item item;
        try {
            item = Codec.item(record.value());
        } catch (MalformedRecordException e) {
            report(record, Optional.empty(), Optional.empty(), MALFORMED, String.valueOf(e.getMessage()));
            sink.skip(record.partition(), record.offset());
            return true;
        }
        CrawlRun run = CrawlRun.parse(item.run());
        if (standing(run) == RunStatus.OVER) {
            sink.skip(record.partition(), record.offset());
            return true;
        }
        counters.accepted(1);
        return process(record, run, item);
    }

    private boolean process(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item) throws InterruptedException {
        ChainOutcome outcome = chain.process(item, rules(run));
        // Before the item, since it may fill its file, which is then committed at once.
        outcome.failures().forEach(processorFailure -> report(record, run, item, processorFailure.explanation()));
        boolean stored = switch (outcome) {
            case ChainOutcome.PassedItem(Item result, var processorFailures) -> store(record, run, result);
            case ChainOutcome.DroppedItem(String processor, String reason, var processorFailures) -> {
                sink.leaveOut(record.partition(), record.offset(), item, ItemCounts.dropped(processor, reason));
                counters.completed(1);
                yield true;
            }
            case ChainOutcome.RejectedItem(var failure) -> {
                reject(record, item, ItemCounts.rejected(failure.processor(), failure.kind()));
                yield true;
            }
        };
        if (stored) {
            spans.handled(record, run, item, outcome);
        }
        return stored;
    }

    /** A processor may have added a value that has no JSON form: then the item cannot be stored, even without failFast. */
    private boolean store(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item) throws InterruptedException {
        byte[] line;
        try {
            line = ItemLine.of(item);
        } catch (IllegalArgumentException e) {
            report(record, run, item, String.valueOf(e.getMessage()));
            reject(record, item, ItemCounts.rejected("pipeline", "NO_JSON"));
            return true;
        }
        return sink.add(record.partition(), record.offset(), item, line);
    }

    private void reject(ConsumerRecord<byte[], byte[]> record, Item item, ItemCounts why) {
        sink.leaveOut(record.partition(), record.offset(), item, why);
        counters.failed(1);
    }

    private ProcessRules rules(CrawlRun run) {
        return control.crawl(run.crawl()).map(CrawlStatus::definition).map(CrawlDefinition::process).orElse(ProcessRules.DEFAULT);
    }

    /** Reads the control topic once for an unknown run. If the run stays unknown, its crawl was removed; its items are still stored. */
    private RunStatus standing(CrawlRun run) throws InterruptedException {
        RunStatus runStatus = control.standing(run);
        if (runStatus == RunStatus.UNKNOWN && unknown.add(run)) {
            control.refresh();
            runStatus = control.standing(run);
        }
        return runStatus;
    }

    private void report(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item, String cause) {
        report(record, Optional.of(run.crawl()), Optional.of(item.url()), PROCESSOR, cause);
        sink.count(record.partition(), item, ItemCounts.error(PROCESSOR));
    }

    private void report(ConsumerRecord<byte[], byte[]> record, Optional<CrawlId> crawl, Optional<String> url, String kind,
            String cause) {
        sink.error(record.partition(),
                CrawlerError.of(mid, crawl, url, kind, cause, 1, time.now()).from(record.topic(), record.partition(),
                        record.offset()));
    }
}
