package io.trawl.pipeline;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.Standing;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.Item;
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

/** What is done with one record of {@code items}: decode, process, store. A record that does not survive that costs only itself. One thread. */
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
            item = Codec.item(record.value() == null ? new byte[0] : record.value());
        } catch (MalformedRecord e) {
            sink.skip(record.partition(), record.offset());
            report(record, Optional.empty(), Optional.empty(), MALFORMED, e.getMessage());
            return true;
        }
        if (standing(item.run()) == Standing.OVER) {
            sink.skip(record.partition(), record.offset());
            return true;
        }
        counters.accepted(1);
        return process(record, item);
    }

    private boolean process(ConsumerRecord<byte[], byte[]> record, Item item) throws InterruptedException {
        ChainOutcome outcome = chain.process(item, failFast(item.run()));
        boolean kept = switch (outcome) {
            case ChainOutcome.Passed(Item result, var failures) -> store(record, result);
            case ChainOutcome.Dropped dropped -> {
                sink.skip(record.partition(), record.offset());
                counters.completed(1);
                yield true;
            }
            case ChainOutcome.Rejected rejected -> {
                sink.skip(record.partition(), record.offset());
                counters.failed(1);
                yield true;
            }
        };
        if (kept) {
            spans.handled(record, item, outcome);
            outcome.failures().forEach(failure -> report(record, item, failure.explanation()));
        }
        return kept;
    }

    /** A processor may have put something into the item that has no JSON form: then the item cannot be stored, whatever failFast says. */
    private boolean store(ConsumerRecord<byte[], byte[]> record, Item item) throws InterruptedException {
        byte[] line;
        try {
            line = ItemLine.of(item);
        } catch (IllegalArgumentException e) {
            sink.skip(record.partition(), record.offset());
            counters.failed(1);
            report(record, item, e.getMessage());
            return true;
        }
        return sink.add(record.partition(), record.offset(), item, line);
    }

    private boolean failFast(CrawlRun run) {
        return control.crawl(run.crawl()).map(CrawlStatus::definition).map(definition -> definition.failFast()).orElse(true);
    }

    /** A run that stays unknown after a second look is that of a crawl that was removed; its items are stored all the same. */
    private Standing standing(CrawlRun run) throws InterruptedException {
        Standing standing = control.standing(run);
        if (standing == Standing.UNKNOWN && unknown.add(run)) {
            control.refresh();
            standing = control.standing(run);
        }
        return standing;
    }

    private void report(ConsumerRecord<byte[], byte[]> record, Item item, String cause) {
        report(record, Optional.of(item.run().crawl()), Optional.of(item.url()), PROCESSOR, cause);
    }

    private void report(ConsumerRecord<byte[], byte[]> record, Optional<CrawlId> crawl, Optional<String> url, String kind,
            String cause) {
        sink.error(record.partition(),
                CrawlerError.of(mid, crawl, url, kind, cause, 1, time.now()).from(record.topic(), record.partition(),
                        record.offset()));
    }
}
