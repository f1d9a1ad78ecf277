package io.trawl.coordinator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.Pulse;
import io.trawl.model.CrawlerError;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that Redis was emptied, or came back with older data than it had, by a number that must grow; tells the log, the {@code errors} topic, the
 * metrics and the summary. Nothing else is done about it: what Redis has forgotten is found out again, at the price of repeats (PROTOCOL, Redis).
 * Every coordinator keeps one. Thread-safe.
 */
final class LossWatch implements AutoCloseable {
    /** The kind of the error that is reported. */
    static final String KIND = "REDIS_LOST_DATA";
    private static final Logger LOG = LoggerFactory.getLogger(LossWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private final WorkerContext context;
    private final Pulse pulse;
    private final BooleanSupplier used;
    private final BooleanSupplier leading;
    private final Counter losses;
    private final Thread thread;
    private volatile Optional<Instant> latest = Optional.empty();
    private volatile double bytes = Double.NaN;
    private long last;

    /**
     * @param used whether crawls have been started here before, so that Redis cannot rightly be empty
     * @param leading whether this coordinator leads: one error record is enough
     */
    LossWatch(WorkerContext context, Pulse pulse, BooleanSupplier used, BooleanSupplier leading) {
        this.context = context;
        this.pulse = pulse;
        this.used = used;
        this.leading = leading;
        this.losses = Counter.builder("trawl.redis.losses").description("How often Redis was found to have lost data")
                .register(context.meters());
        Gauge.builder("trawl.redis.memory", this, w -> w.bytes).description("Memory that Redis uses").baseUnit("bytes")
                .register(context.meters());
        this.thread = Thread.ofVirtual().name("losses").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** When a loss was last noticed. */
    Optional<Instant> latest() {
        return latest;
    }

    private void run() {
        try {
            while (true) {
                look();
                context.time().pause(EVERY);
            }
        } catch (InterruptedException e) {
            LOG.debug("losses are no longer watched for");
        }
    }

    private void look() {
        try {
            boolean before = last == 0 && used.getAsBoolean();
            long now = pulse.beat();
            if (now <= last || before && now == 1) {
                lost("Redis stands at " + now + " and stood at " + Math.max(last, 1) + " or more");
            }
            last = now;
            measure();
        } catch (LedgerUnavailable e) {
            LOG.debug("Redis is away, which is no loss: {}", e.getMessage());
        }
    }

    /** Some servers do not tell: that must not end the watch. */
    private void measure() {
        try {
            bytes = pulse.bytes();
        } catch (RuntimeException e) {
            bytes = Double.NaN;
            LOG.debug("the memory of Redis is not known: {}", e.getMessage());
        }
    }

    private void lost(String evidence) {
        latest = Optional.of(context.time().now());
        losses.increment();
        LOG.error("Redis has lost data ({}): nothing is lost from the crawls, but pages may be fetched and stored again."
                + " Check appendonly, appendfsync and maxmemory-policy", evidence);
        if (leading.getAsBoolean()) {
            context.errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND, evidence, 1,
                    context.time().now()));
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
