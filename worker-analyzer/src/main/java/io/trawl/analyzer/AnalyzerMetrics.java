package io.trawl.analyzer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.trawl.analyzer.batch.AnalysisReport;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.loop.BatchHandler;
import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The analyzer's metrics. Thread-safe. */
final class AnalyzerMetrics {
    private static final Duration[] STEPS = {Duration.ofMillis(1), Duration.ofMillis(5), Duration.ofMillis(20),
            Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500),
            Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(10), Duration.ofSeconds(60)};
    private final MeterRegistry meters;
    private final Timer parsing;
    private final Timer batches;
    private final Timer transactions;
    private final DistributionSummary sizes;
    private final Counter abandonedResponses;

    AnalyzerMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.parsing = timer("trawl.analyzer.parsing", "Time to parse a page with all parsers");
        this.batches = timer("trawl.analyzer.batches",
                "Time to process a batch of responses before its transaction: ledger look-ups and parsing");
        this.transactions = timer("trawl.analyzer.transactions", "Duration of committed transactions");
        this.sizes = DistributionSummary.builder("trawl.analyzer.batch.size").description("Responses in a batch")
                .register(meters);
        this.abandonedResponses = Counter.builder("trawl.analyzer.given.up")
                .description("Responses that failed on every attempt and were given up").register(meters);
    }

    private Timer timer(String name, String description) {
        return Timer.builder(name).description(description).serviceLevelObjectives(STEPS).register(meters);
    }

    void measure(AnalysisReport analysisReport, ParseThreads threads) {
        FunctionCounter.builder("trawl.analyzer.pages", analysisReport, AnalysisReport::pages)
                .description("Analysed pages whose batch is committed").register(meters);
        FunctionCounter.builder("trawl.analyzer.requests", analysisReport, AnalysisReport::requests)
                .description("New requests whose batch is committed").register(meters);
        for (PageBudget budget : PageBudget.values()) {
            FunctionCounter.builder("trawl.analyzer.cuts", analysisReport, report -> report.cuts(budget))
                    .tag("budget", budget.word()).description("Pages that exceeded a budget and were cut")
                    .register(meters);
        }
        Gauge.builder("trawl.analyzer.stuck", threads, ParseThreads::stuck)
                .description("Abandoned parsing jobs that still run").register(meters);
    }

    void parsed(Duration took) {
        parsing.record(took);
    }

    /** Wraps the handler and measures its batches. */
    BatchHandler timing(BatchHandler handler) {
        return new BatchHandler() {
            @Override
            public BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch) {
                sizes.record(batch.size());
                Timer.Sample sample = Timer.start();
                BatchOutput batchOutput = handler.handle(batch);
                sample.stop(batches);
                return committing(batchOutput);
            }

            @Override
            public boolean alone(ConsumerRecord<byte[], byte[]> record) {
                return handler.alone(record);
            }

            @Override
            public BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
                abandonedResponses.increment();
                return committing(handler.giveUp(record, cause));
            }
        };
    }

    private BatchOutput committing(BatchOutput batchOutput) {
        Timer.Sample sample = Timer.start();
        return new BatchOutput(batchOutput.records(), () -> {
            sample.stop(transactions);
            batchOutput.committed().run();
        });
    }
}
