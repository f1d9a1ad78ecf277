package io.trawl.pipeline.store;

import io.trawl.api.Item;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.ProcessRules;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.pipeline.process.ChainOutcome;
import io.trawl.pipeline.process.ChainOutcome.ProcessorFailure;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.ItemAccount;
import io.trawl.pipeline.sink.ItemOutputs;
import io.trawl.worker.WorkerContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Handles records of {@code items}: decode, process, store. A record that fails does not affect the others. Confined to
 * one thread.
 */
public final class ItemHandler implements RecordHandler<HandledRecord> {
    /** The kind of error of a record that cannot be decoded. */
    static final String MALFORMED = "MALFORMED";
    /** The kind of error of an item that a processor failed on. */
    static final String PROCESSOR = "PROCESSOR";
    /** What the items are counted by that no sink of their crawl takes or has chunks of. */
    static final String SINKS = "sinks";
    private final WorkerContext context;
    private final FileSink sink;
    private final ProcessorChain chain;
    private final StoringSpans spans;
    private final UniqueItems unique;
    private final SimilarityMarks similar;
    private final CrawlSinks.Cache sinks = new CrawlSinks.Cache();
    private final Set<CrawlRun> unknown = new HashSet<>();

    /** @param chain the processors of all crawls */
    public ItemHandler(WorkerContext context, FileSink sink, ProcessorChain chain, StoringSpans spans) {
        this.context = context;
        this.sink = sink;
        this.chain = chain;
        this.spans = spans;
        this.unique = new UniqueItems(context.store().firstItems());
        this.similar = new SimilarityMarks(context.store().firstItems());
    }

    /**
     * Processes records that will be stored one after the other, and asks once which of their items are the first ones
     * with their content. Stores nothing.
     *
     * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer
     */
    @Override
    public List<HandledRecord> process(List<ConsumerRecord<byte[], byte[]>> records) throws InterruptedException {
        List<HandledRecord> handled = new ArrayList<>(records.size());
        for (ConsumerRecord<byte[], byte[]> record : records) {
            handled.add(process(record));
        }
        Function<CrawlRun, CrawlSinks> crawlSinks = run -> context.control().crawl(run.crawl()).map(sinks::of)
                .orElse(CrawlSinks.NONE);
        return similar.marked(unique.decided(handled, crawlSinks), crawlSinks);
    }

    private HandledRecord process(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
        Item item;
        try {
            item = Codec.item(record.value());
        } catch (MalformedRecordException e) {
            return new HandledRecord.UnreadableItem(record, String.valueOf(e.getMessage()));
        }
        CrawlRun run = CrawlRun.parse(item.run());
        if (!sink.wants(record.partition(), record.offset(), item.crawl()) || status(run) == RunStatus.OVER) {
            return new HandledRecord.PastItem(record);
        }
        Optional<CrawlStatus> status = context.control().crawl(run.crawl());
        ChainOutcome outcome = chain.process(item,
                status.map(CrawlStatus::definition).map(CrawlDefinition::process).orElse(ProcessRules.DEFAULT));
        return written(record, run, item, outcome, status.map(sinks::of).orElse(CrawlSinks.NONE));
    }

    /**
     * A processor may have added a value that has no JSON form: then the item cannot be stored, even without failFast.
     */
    private static HandledRecord written(ConsumerRecord<byte[], byte[]> record, CrawlRun run, Item item,
            ChainOutcome outcome, CrawlSinks crawlSinks) {
        if (!(outcome instanceof ChainOutcome.PassedItem passed)) {
            return new HandledRecord.ChainedItem(record, run, item, outcome, ItemOutputs.NONE);
        }
        try {
            ItemOutputs outputs = crawlSinks.outputs(passed.item());
            return new HandledRecord.ChainedItem(record, run, item,
                    outputs.isEmpty()
                            ? new ChainOutcome.DroppedItem(SINKS, crawlSinks.refusal(passed.item()), passed.failures())
                            : outcome,
                    outputs);
        } catch (IllegalArgumentException e) {
            return new HandledRecord.ChainedItem(record, run, item,
                    new ChainOutcome.RejectedItem(
                            new ProcessorFailure("pipeline", "NO_JSON", String.valueOf(e.getMessage()))),
                    ItemOutputs.NONE);
        }
    }

    /** Stores the item of a record, or says why not. @return false if the record's partition turned out to be lost */
    @Override
    public boolean store(HandledRecord handled) throws InterruptedException {
        context.telemetry().counters().called(1);
        ConsumerRecord<byte[], byte[]> record = handled.record();
        switch (handled) {
            case HandledRecord.UnreadableItem(_, String cause) -> {
                sink.unreadable(record.partition(), record.offset(),
                        error(record, Optional.empty(), Optional.empty(), MALFORMED, cause));
                return true;
            }
            case HandledRecord.PastItem _ -> {
                sink.skip(record.partition(), record.offset());
                return true;
            }
            case HandledRecord.ChainedItem processed -> {
                context.telemetry().counters().accepted(1);
                return store(processed);
            }
        }
    }

    private boolean store(HandledRecord.ChainedItem processed) throws InterruptedException {
        ConsumerRecord<byte[], byte[]> record = processed.record();
        Item item = processed.item();
        if (!sink.ready(record.partition(), record.offset(), item, processed.outputs().lines())) {
            return false;
        }
        ItemAccount account = account(processed);
        boolean stored = switch (processed.outcome()) {
            case ChainOutcome.PassedItem passed ->
                sink.add(record.partition(), record.offset(), passed.item(), processed.outputs(), account);
            case ChainOutcome.DroppedItem _ -> {
                context.telemetry().counters().completed(1);
                yield sink.leaveOut(record.partition(), record.offset(), item, account);
            }
            case ChainOutcome.RejectedItem _ -> {
                context.telemetry().counters().failed(1);
                yield sink.leaveOut(record.partition(), record.offset(), item, account);
            }
        };
        if (stored) {
            spans.handled(record, processed.run(), item, processed.outcome());
        }
        return stored;
    }

    /** The errors of processors, whatever became of the item, and why it is not stored. */
    private ItemAccount account(HandledRecord.ChainedItem processed) {
        List<CrawlerError> errors = processed.outcome().failures().stream()
                .map(failure -> error(processed.record(), Optional.of(processed.run().crawl()),
                        Optional.of(processed.item().url()), PROCESSOR, failure.explanation()))
                .toList();
        ItemCounts counts = errors.stream().map(_ -> ItemCounts.error(PROCESSOR)).reduce(ItemCounts.NONE,
                ItemCounts::plus);
        return new ItemAccount(switch (processed.outcome()) {
            case ChainOutcome.PassedItem _ -> counts;
            case ChainOutcome.DroppedItem(String processor, String reason, var _) ->
                counts.plus(ItemCounts.dropped(processor, reason));
            case ChainOutcome.RejectedItem(var failure) ->
                counts.plus(ItemCounts.rejected(failure.processor(), failure.kind()));
        }, errors);
    }

    /**
     * Reads the control topic once for an unknown run. If the run stays unknown, its crawl was removed; its items are
     * still stored.
     */
    private RunStatus status(CrawlRun run) throws InterruptedException {
        RunStatus runStatus = context.control().status(run);
        if (runStatus == RunStatus.UNKNOWN && unknown.add(run)) {
            context.control().refresh();
            runStatus = context.control().status(run);
        }
        return runStatus;
    }

    private CrawlerError error(ConsumerRecord<byte[], byte[]> record, Optional<CrawlId> crawl, Optional<String> url,
            String kind, String cause) {
        return CrawlerError.of(context.mid(), crawl, url, kind, cause, 1, context.time().now()).from(record.topic(),
                record.partition(), record.offset());
    }
}
