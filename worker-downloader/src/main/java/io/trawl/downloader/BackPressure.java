package io.trawl.downloader;

import io.trawl.module.StageState.HoldReason;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds this downloader while analyzers are behind (S14), or while its own memory is nearly full. A thread of its own checks
 * both every second: the memory first, and how many responses wait for analyzers. Above a limit no fetch begins; below 80 % of
 * it fetching resumes. Exchanges in flight end and are answered, so the backlog may exceed the limit by what all downloaders
 * fetch within a second, and by what they have in flight. While the broker does not answer, the state does not change.
 * Thread-safe.
 */
final class BackPressure implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackPressure.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final double RESUME_BELOW = 0.8;
    private final Limits limits;
    private final Backlog backlog;
    private final DoubleSupplier meanSize;
    private final BooleanSupplier full;
    private final Consumer<Boolean> hold;
    private final Time time;
    private final Thread thread;
    private volatile Optional<HoldReason> reason = Optional.empty();
    /** Belongs to the checking thread; limits the log to one message per outage. */
    private boolean readable = true;

    /**
     * The limits of the backlog of analyzers.
     *
     * @param records the number of responses; 0: no limit
     * @param bytes the size of their bodies; 0: no limit
     */
    record Limits(long records, long bytes) {
        /** Whether there are none. */
        boolean none() {
            return records == 0 && bytes == 0;
        }

        /** The fill level; 1 is the limit. */
        double fill(long waiting, double meanSize) {
            double byRecords = records == 0 ? 0 : (double) waiting / records;
            double byBytes = bytes == 0 ? 0 : waiting * meanSize / bytes;
            return Math.max(byRecords, byBytes);
        }
    }

    /** The number of responses that wait, as the broker reports it. */
    @FunctionalInterface
    interface Backlog {
        /** @throws KafkaException if the broker does not answer */
        long now() throws InterruptedException;
    }

    /**
     * @param meanSize of a body, in bytes; 0 while it is unknown
     * @param full whether this process has no memory for more
     * @param hold called with true when no fetch may begin any more, with false when it may again; must not block
     */
    BackPressure(Limits limits, Backlog backlog, DoubleSupplier meanSize, BooleanSupplier full, Consumer<Boolean> hold,
            Time time) {
        this.limits = limits;
        this.backlog = backlog;
        this.meanSize = meanSize;
        this.full = full;
        this.hold = hold;
        this.time = time;
        this.thread = Thread.ofVirtual().name("back-pressure").unstarted(this::run);
    }

    /** Starts to check. */
    void start() {
        thread.start();
    }

    /** Why fetching is held; empty if it is not. */
    Optional<HoldReason> reason() {
        return reason;
    }

    private void run() {
        try {
            while (true) {
                look();
                time.pause(EVERY);
            }
        } catch (InterruptedException e) {
            LOG.debug("stopped checking the backlog of responses");
        }
    }

    /** Checks once. */
    void look() throws InterruptedException {
        if (full.getAsBoolean()) {
            become(Optional.of(HoldReason.MEMORY), "there is no memory for more pages: no fetch begins until there is");
            return;
        }
        boolean behind = reason.equals(Optional.of(HoldReason.ANALYZERS));
        OptionalLong waiting = limits.none() ? OptionalLong.of(0) : waiting();
        if (waiting.isPresent()) {
            double fill = limits.fill(waiting.getAsLong(), meanSize.getAsDouble());
            behind = behind ? fill >= RESUME_BELOW : fill > 1;
        }
        become(behind ? Optional.of(HoldReason.ANALYZERS) : Optional.empty(), behind
                ? waiting.orElse(0) + " responses wait for analyzers: no fetch begins until there are fewer"
                : "fetching resumes");
    }

    private OptionalLong waiting() throws InterruptedException {
        try {
            long now = backlog.now();
            readable = true;
            return OptionalLong.of(now);
        } catch (KafkaException e) {
            if (readable) {
                readable = false;
                LOG.warn("cannot read the backlog of responses: {}", e.getMessage());
            }
            return OptionalLong.empty();
        }
    }

    private void become(Optional<HoldReason> now, String line) {
        Optional<HoldReason> before = reason;
        if (!now.equals(before)) {
            reason = now;
            LOG.info(line);
        }
        if (now.isPresent() != before.isPresent()) {
            hold.accept(now.isPresent());
        }
    }

    /** Stops checking; the last state remains. */
    @Override
    public void close() {
        thread.interrupt();
    }
}
