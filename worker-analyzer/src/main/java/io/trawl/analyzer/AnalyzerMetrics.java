package io.trawl.analyzer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.trawl.analyzer.batch.Journal;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.channel.BatchHandler;
import io.trawl.channel.Outgoing;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The analyzer's figures for Prometheus. Thread-safe. */
final class AnalyzerMetrics {
    private static final Duration[] STEPS = {Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(20),
            Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1),
            Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(60)};
    private final MeterRegistry meters;
    private final Timer parsing;
    private final Timer batches;
    private final Timer transactions;
    private final DistributionSummary sizes;
    private final Counter givenUp;

    AnalyzerMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.parsing = timer("trawl.analyzer.parsing", "Parsing of a page, all its parsers together");
        this.batches = timer("trawl.analyzer.batches",
                "What a batch of responses leads to, before its transaction: the ledger, parsing");
        this.transactions = timer("trawl.analyzer.transactions", "Transactions that were committed, from the first record on");
        this.sizes = DistributionSummary.builder("trawl.analyzer.batch.size").description("Responses in a batch")
                .register(meters);
        this.givenUp = Counter.builder("trawl.analyzer.given.up")
                .description("Responses that failed every time, and were given up")
                .register(meters);
    }

    private Timer timer(String name, String what) {
        return Timer.builder(name).description(what).serviceLevelObjectives(STEPS).register(meters);
    }

    void measure(Journal journal, ParseThreads threads) {
        FunctionCounter.builder("trawl.analyzer.pages", journal, Journal::pages).description("Pages analysed and committed")
                .register(meters);
        FunctionCounter.builder("trawl.analyzer.requests", journal, Journal::requests)
                .description("Requests written and committed").register(meters);
        Gauge.builder("trawl.analyzer.stuck", threads, ParseThreads::stuck)
                .description("Parsing jobs that were given up and still run").register(meters);
    }

    void parsed(Duration took) {
        parsing.record(took);
    }

    /** The same handler, with its batches timed. */
    BatchHandler timing(BatchHandler handler) {
        return new BatchHandler() {
            @Override
            public Outgoing handle(List<ConsumerRecord<byte[], byte[]>> batch) {
                sizes.record(batch.size());
                Timer.Sample sample = Timer.start();
                Outgoing outgoing = handler.handle(batch);
                sample.stop(batches);
                return committing(outgoing);
            }

            @Override
            public Outgoing giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
                givenUp.increment();
                return committing(handler.giveUp(record, cause));
            }
        };
    }

    private Outgoing committing(Outgoing outgoing) {
        Timer.Sample sample = Timer.start();
        return new Outgoing(outgoing.records(), () -> {
            sample.stop(transactions);
            outgoing.committed().run();
        });
    }
}
