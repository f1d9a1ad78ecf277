package io.trawl.downloader;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds this downloader while analyzers are behind (S14): looks every second, on a thread of its own, how many responses wait for them. Above a limit no
 * fetch begins; below 80 % of it fetching goes on. What is in flight is finished and answered, so the backlog may exceed the limit by what all downloaders
 * fetch within a second, and by what they have in flight. While the broker does not answer all stays as it is. Thread-safe.
 */
final class BackPressure implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackPressure.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final double GO_ON = 0.8;
    private final Limits limits;
    private final Backlog backlog;
    private final DoubleSupplier meanSize;
    private final Consumer<Boolean> hold;
    private final Time time;
    private final Thread thread;
    private volatile boolean holding;
    /** Belongs to the looking thread, so that the log is told once. */
    private boolean readable = true;

    /**
     * What may wait for analyzers.
     *
     * @param records responses; 0: no limit
     * @param bytes of their bodies; 0: no limit
     */
    record Limits(long records, long bytes) {
        /** How full it is; 1 is the limit. */
        double fill(long waiting, double meanSize) {
            double byRecords = records == 0 ? 0 : (double) waiting / records;
            double byBytes = bytes == 0 ? 0 : waiting * meanSize / bytes;
            return Math.max(byRecords, byBytes);
        }
    }

    /** How many responses wait, by the broker. */
    @FunctionalInterface
    interface Backlog {
        /** @throws KafkaException if the broker does not answer */
        long now() throws InterruptedException;
    }

    /**
     * @param meanSize of a body, in bytes; 0 as long as it is not known
     * @param hold told true when no fetch may begin any more, false when it may again; must not block
     */
    BackPressure(Limits limits, Backlog backlog, DoubleSupplier meanSize, Consumer<Boolean> hold, Time time) {
        this.limits = limits;
        this.backlog = backlog;
        this.meanSize = meanSize;
        this.hold = hold;
        this.time = time;
        this.thread = Thread.ofVirtual().name("back-pressure").unstarted(this::run);
    }

    /** Begins to look; without any limit there is nothing to look at. */
    void start() {
        if (limits.records() > 0 || limits.bytes() > 0) {
            thread.start();
        }
    }

    /** Whether fetching is held back. */
    boolean holding() {
        return holding;
    }

    private void run() {
        try {
            while (true) {
                look();
                time.pause(EVERY);
            }
        } catch (InterruptedException e) {
            LOG.debug("the backlog of responses is no longer watched");
        }
    }

    /** Looks once. */
    void look() throws InterruptedException {
        long waiting;
        try {
            waiting = backlog.now();
        } catch (KafkaException e) {
            if (readable) {
                readable = false;
                LOG.warn("how many responses wait for analyzers cannot be read now: {}", e.getMessage());
            }
            return;
        }
        readable = true;
        double fill = limits.fill(waiting, meanSize.getAsDouble());
        boolean wanted = holding ? fill >= GO_ON : fill > 1;
        if (wanted != holding) {
            holding = wanted;
            LOG.info(
                    wanted
                            ? "{} responses wait for analyzers: no fetch begins until there are fewer"
                            : "{} responses wait for analyzers: fetching goes on",
                    waiting);
            hold.accept(wanted);
        }
    }

    /** Ends the looking; what was told last stays. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
