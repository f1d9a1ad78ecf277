package io.trawl.worker;

import io.trawl.api.Counts;
import io.trawl.module.StageState.HoldReason;
import io.trawl.settings.SettingsInForce;
import io.trawl.settings.SharedSetting;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds this stage while the next one is behind (S14), or while its own memory is nearly full. A thread of its own
 * checks both every second: the memory first, and how many records wait for the next stage. Above a limit no work
 * begins; below 80 % of it work resumes. What has begun ends and is written, so the backlog may exceed the limit by
 * what all processes of this stage write within a second, and by what they have begun. While the broker does not
 * answer, the state does not change. A stage that neither works nor holds does not ask it. Thread-safe.
 */
public final class BackPressure implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BackPressure.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final double RESUME_BELOW = 0.8;
    private final HoldReason behind;
    private final Supplier<Limits> limits;
    private final Backlog backlog;
    private final DoubleSupplier meanSize;
    private final Supplier<Counts> work;
    private final BooleanSupplier full;
    private final Consumer<Boolean> hold;
    private final PeriodicTask task;
    private volatile Optional<HoldReason> reason = Optional.empty();
    /** At the last look at the backlog; belongs to the checking thread. */
    private Optional<Counts> seen = Optional.empty();
    /** Belongs to the checking thread; limits the log to one message per outage. */
    private boolean readable = true;

    /**
     * The limits of the backlog of the next stage.
     *
     * @param records their number; 0: no limit
     * @param bytes their size; 0: no limit
     */
    public record Limits(long records, long bytes) {
        /** The limits that hold now. */
        public static Limits of(SettingsInForce settings, SharedSetting records, SharedSetting bytes) {
            return new Limits(settings.number(records), settings.number(bytes));
        }

        /** Whether there are none. */
        boolean none() {
            return records == 0 && bytes == 0;
        }

        /** The fill level; 1 is the limit. @param meanSize of a record, in bytes; 0 while it is unknown */
        double fill(long waiting, double meanSize) {
            double byRecords = records == 0 ? 0 : (double) waiting / records;
            double byBytes = bytes == 0 ? 0 : waiting * meanSize / bytes;
            return Math.max(byRecords, byBytes);
        }
    }

    /** The number of records that wait, as the broker reports it. */
    @FunctionalInterface
    public interface Backlog {
        /** @throws KafkaException if the broker does not answer */
        long now() throws InterruptedException;
    }

    /**
     * @param behind names the next stage
     * @param limits asked for at each check
     * @param meanSize of a record, in bytes; 0 while it is unknown
     * @param work what this stage has done and is doing
     * @param full whether this process has no memory for more
     * @param hold called with true when no work may begin any more, with false when it may again; must not block
     */
    public BackPressure(HoldReason behind, Supplier<Limits> limits, Backlog backlog, DoubleSupplier meanSize,
            Supplier<Counts> work, BooleanSupplier full, Consumer<Boolean> hold, Time time) {
        this.behind = behind;
        this.limits = limits;
        this.backlog = backlog;
        this.meanSize = meanSize;
        this.work = work;
        this.full = full;
        this.hold = hold;
        this.task = new PeriodicTask("back-pressure", EVERY, time, this::look);
    }

    /** Starts to check. */
    public void start() {
        task.start();
    }

    /** Why no work begins; empty if work may begin. */
    public Optional<HoldReason> reason() {
        return reason;
    }

    /** Checks once. */
    void look() throws InterruptedException {
        if (full.getAsBoolean()) {
            become(Optional.of(HoldReason.MEMORY), "there is no memory for more: no work begins until there is");
            return;
        }
        if (reason.isEmpty() && rests()) {
            return;
        }
        boolean holds = reason.equals(Optional.of(behind));
        Limits now = limits.get();
        OptionalLong waiting = now.none() ? OptionalLong.of(0) : waiting();
        if (waiting.isPresent()) {
            double fill = now.fill(waiting.getAsLong(), meanSize.getAsDouble());
            holds = holds ? fill >= RESUME_BELOW : fill > 1;
        }
        become(holds ? Optional.of(behind) : Optional.empty(),
                holds
                        ? waiting.orElse(0) + " records wait for " + stage() + ": no work begins until there are fewer"
                        : "work resumes");
    }

    /**
     * Whether it has done nothing since the last look at the backlog, so that what it writes until the next one is that
     * of a second.
     */
    private boolean rests() {
        Counts now = work.get();
        boolean same = now.handling() == 0 && seen.equals(Optional.of(now));
        seen = Optional.of(now);
        return same;
    }

    private String stage() {
        return behind.name().toLowerCase(Locale.ROOT);
    }

    private OptionalLong waiting() throws InterruptedException {
        try {
            long now = backlog.now();
            readable = true;
            return OptionalLong.of(now);
        } catch (KafkaException e) {
            if (readable) {
                readable = false;
                LOG.warn("cannot read the backlog of {}: {}", stage(), e.getMessage());
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
        task.close();
    }
}
