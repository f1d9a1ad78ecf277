package io.trawl.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.ParseJob;
import io.trawl.analyzer.loop.BatchHandler;
import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class StuckThreadLimitTest {
    private final List<String> events = new ArrayList<>();
    private final AtomicBoolean release = new AtomicBoolean();

    @Test
    void moreStuckThreadsThanAllowedEndTheProcessOnceAndAfterTheCommit() throws Exception {
        try (ParseThreads threads = Fixtures.threads(2, Duration.ofMillis(50), Time.system())) {
            StuckThreadLimit limit = new StuckThreadLimit(threads, 2, (explanation, cause) -> {
                assertThat(cause.getStackTrace()).isEmpty();
                events.add(explanation);
            });
            BatchHandler handler = limit.checking(new Sticking(threads));
            handler.handle(List.of()).committed().run();
            handler.handle(List.of()).committed().run();
            assertThat(events).as("two are stuck, two are allowed").containsExactly("committed", "committed");
            BatchOutput third = handler.handle(List.of());
            assertThat(events).as("nothing happens before the commit").hasSize(2);
            third.committed().run();
            limit.check();
            assertThat(events).hasSize(4).element(2).isEqualTo("committed");
            assertThat(events.getLast()).contains("3 parsing threads are stuck")
                    .contains("TRAWL_ANALYZER_STUCK_THREADS (2)").doesNotContain("\n");
        } finally {
            release.set(true);
        }
    }

    @Test
    void aRecordThatNeedsABatchOfItsOwnGetsItBehindTheCheckAndTheMeasurement() {
        try (ParseThreads threads = Fixtures.threads(1, Duration.ofMillis(50), Time.system())) {
            BatchHandler handler = new StuckThreadLimit(threads, 2, (_, _) -> {})
                    .checking(new AnalyzerMetrics(new SimpleMeterRegistry()).timing(new Sticking(threads)));

            assertThat(handler.alone(new ConsumerRecord<>("responses", 0, 7, new byte[0], new byte[0]))).isTrue();
            assertThat(handler.alone(new ConsumerRecord<>("responses", 0, 8, new byte[0], new byte[0]))).isFalse();
        }
    }

    /** Each batch has one page that ignores interrupts, like a plug-in's regular expression. */
    private final class Sticking implements BatchHandler {
        private final ParseThreads threads;

        Sticking(ParseThreads threads) {
            this.threads = threads;
        }

        @Override
        public BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch) {
            try {
                threads.runAll(List.of(new ParseJob<>(1, _ -> {
                    while (!release.get()) {
                        Thread.onSpinWait();
                    }
                    return "";
                })), threads.budget(Duration.ofSeconds(30)));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new BatchOutput(List.of(), () -> events.add("committed"));
        }

        @Override
        public boolean alone(ConsumerRecord<byte[], byte[]> record) {
            return record.offset() == 7;
        }

        @Override
        public BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
