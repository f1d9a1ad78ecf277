package io.trawl.pipeline;

import io.trawl.api.Item;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.sink.SinkDefinition;
import io.trawl.control.CrawlDefinition.ProcessRules;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.pipeline.process.ChainOutcome.ProcessorFailure;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Handles records of {@code items}: decode, process, store. A record that fails does not affect the others. Confined to one thread. */
final class ItemHandler {
    /** The kind of error of a record that cannot be decoded. */
    static final String MALFORMED = "MALFORMED";
    /** The kind of error of an item that a processor failed on. */
    static final String PROCESSOR = "PROCESSOR";
    /** What the items are counted by that no sink of their crawl takes. */
    static final String SINKS = "sinks";
    private final FileSink sink;
    private final ProcessorChain chain;
    private final ControlView control;
    private final Counters counters;
    private final MID mid;
    private final Time time;
    private final StoringSpans spans;
    private final UniqueItems unique;
    private final Set<CrawlRun> unknown = new HashSet<>();

    ItemHandler(FileSink sink, ProcessorChain chain, ControlView control, Counters counters, MID mid, Time time,
            StoringSpans spans, UniqueItems unique) {
        this.sink = sink;
        this.chain = chain;
        this.control = control;
        this.counters = counters;
        this.mid = mid;
        this.time = time;
        this.spans = spans;
        this.unique = unique;
    }

    /**
     * Processes records that will be stored one after the other, and asks once which of their items are the first ones with their content. Stores nothing.
     *
     * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer
     */
    List<HandledRecord> process(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
        List<HandledRecord> handled = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            handled.add(process(record));
        }
        return unique.decided(handled);
    }

    private HandledRecord process(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        Item item;
        try {
            item = Codec.item(record.value());
        } catch (MalformedRecordException e) {
            return new HandledRecord.UnreadableItem(record, String.valueOf(e.getMessage()));
        }
        CrawlRun run = CrawlRun.parse(item.run());
        if (standing(run) == RunStatus.OVER) {
            return new HandledRecord.PastItem(record);
        }
        Optional<CrawlDefinition> definition = control.crawl(run.crawl()).map(CrawlStatus::definition);
        ChainOutcome outcome = chain.process(item,
                definition.map(CrawlDefinition::process).orElse(ProcessRules.DEFAULT));
        return written(record, run, item, outcome, definition.map(CrawlDefinition::sinks).orElse(List.of()));
    }

    /** A processor may have added a value that has no JSON form: then the item cannot be stored, even without failFast. */
    private static HandledRecord written(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item, ChainOutcome outcome,
            List<SinkDefinition> sinks) {
        if (!(outcome instanceof ChainOutcome.PassedItem passed)) {
            return new HandledRecord.ChainedItem(record, run, item, outcome, List.of());
        }
        try {
            List<FileLine> lines = lines(passed.item(), sinks);
            return new HandledRecord.ChainedItem(record, run, item, lines.isEmpty()
                    ? new ChainOutcome.DroppedItem(SINKS, "none takes " + SinkDefinition.type(passed.item()), passed.failures())
                    : outcome, lines);
        } catch (IllegalArgumentException e) {
            return new HandledRecord.ChainedItem(record, run, item, new ChainOutcome.RejectedItem(
                    new ProcessorFailure("pipeline", "NO_JSON", String.valueOf(e.getMessage()))), List.of());
        }
    }

    private static List<FileLine> lines(Item item, List<SinkDefinition> sinks) {
        return sinks.isEmpty()
                ? List.of(FileFormat.DEFAULT.line(item))
                : sinks.stream().filter(sink -> sink.takes(item)).map(sink -> FileFormat.of(sink).line(item)).toList();
    }

    /** Stores the item of a record, or says why not. @return false if the record's partition turned out to be lost */
    boolean store(HandledRecord handled) throws InterruptedException {
        counters.called(1);
        ConsumerRecord<byte[], byte[]> record = handled.record();
        switch (handled) {
            case HandledRecord.UnreadableItem(_, String cause) -> {
                report(record, Optional.empty(), Optional.empty(), MALFORMED, cause);
                sink.skip(record.partition(), record.offset());
                return true;
            }
            case HandledRecord.PastItem _ -> {
                sink.skip(record.partition(), record.offset());
                return true;
            }
            case HandledRecord.ChainedItem processed -> {
                counters.accepted(1);
                return store(processed);
            }
        }
    }

    private boolean store(HandledRecord.ChainedItem processed) throws InterruptedException {
        ConsumerRecord<byte[], byte[]> record = processed.record();
        Item item = processed.item();
        if (!sink.ready(record.partition(), item, processed.lines())) {
            return false;
        }
        // Before the item, since it may fill its file, which is then committed at once.
        processed.outcome().failures().forEach(failure -> report(record, processed.run(), item, failure.explanation()));
        boolean stored = switch (processed.outcome()) {
            case ChainOutcome.PassedItem passed ->
                sink.add(record.partition(), record.offset(), passed.item(), processed.lines());
            case ChainOutcome.DroppedItem(String processor, String reason, var _) -> {
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
            spans.handled(record, processed.run(), item, processed.outcome());
        }
        return stored;
    }

    private void reject(ConsumerRecord<byte[], byte[]> record, Item item, ItemCounts why) {
        sink.leaveOut(record.partition(), record.offset(), item, why);
        counters.failed(1);
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
