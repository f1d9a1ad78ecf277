package io.trawl.analyzer;

import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.loop.BatchHandler;
import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.worker.WorkerContext.FailureHandler;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Ends the process when too many parsing threads are stuck: a JVM cannot stop a thread that ignores interrupts, only a
 * new process is rid of it. The process ends after the commit of a batch, with whose transaction the pages that got
 * stuck are answered as failures, so the next process does not meet them again, and no other page is lost. Thread-safe.
 */
final class StuckThreadLimit {
    private final ParseThreads threads;
    private final int most;
    private final FailureHandler failures;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param most the largest number of stuck threads with which the process continues */
    StuckThreadLimit(ParseThreads threads, int most, FailureHandler failures) {
        this.threads = threads;
        this.most = most;
        this.failures = failures;
    }

    /** Ends the process, once, if too many threads are stuck now. */
    void check() {
        int stuck = threads.stuck();
        if (stuck > most && ended.compareAndSet(false, true)) {
            StuckThreadsException cause = new StuckThreadsException(stuck, most);
            failures.fatal(cause.getMessage(), cause);
        }
    }

    /** The handler, with a check after each commit. */
    BatchHandler checking(BatchHandler handler) {
        return new BatchHandler() {
            @Override
            public BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch) {
                return checked(handler.handle(batch));
            }

            @Override
            public boolean alone(ConsumerRecord<byte[], byte[]> record) {
                return handler.alone(record);
            }

            @Override
            public BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
                return checked(handler.giveUp(record, cause));
            }
        };
    }

    private BatchOutput checked(BatchOutput output) {
        return new BatchOutput(output.records(), () -> {
            output.committed().run();
            check();
        });
    }

    /** Without a stack trace: the place of the check says nothing. */
    private static final class StuckThreadsException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final String message;

        StuckThreadsException(int stuck, int most) {
            super(null, null, false, false);
            this.message = stuck + " parsing threads are stuck in pages that exceeded their time, more than"
                    + " TRAWL_ANALYZER_STUCK_THREADS (" + most + "); these pages are stored as errors";
        }

        @Override
        public String getMessage() { return message; }
    }
}
