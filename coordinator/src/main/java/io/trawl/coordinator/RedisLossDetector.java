package io.trawl.coordinator;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.trawl.coordinator.leader.LeaderLookup;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.store.StoreGeneration;
import io.trawl.model.CrawlerError;
import io.trawl.time.PeriodicTask;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects that Redis was emptied, or restarted with older data, by a counter that must grow, and reports the loss to
 * the log, the {@code errors} topic, the metrics and the summary. It does not repair anything: Trawl rebuilds the lost
 * state and may repeat work for that (docs/protocol.md, section The one idea). Every coordinator runs one. Thread-safe.
 */
final class RedisLossDetector implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "REDIS_LOST_DATA";
    /** The kind of the error that is reported when Redis begins to refuse writes. */
    static final String REFUSAL = "REDIS_REFUSES_WRITES";
    private static final Logger LOG = LoggerFactory.getLogger(RedisLossDetector.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration SETTLED = Duration.ofMinutes(1);
    /** How many looks there are for each one at the memory: metrics are read more rarely. */
    private static final int MEASURED = 10;
    private final WorkerContext context;
    private final StoreGeneration storeGeneration;
    private final BooleanSupplier used;
    private final LeaderLookup leader;
    private final Counter losses;
    private final PeriodicTask task;
    private volatile Optional<Instant> latest = Optional.empty();
    private volatile double bytes = Double.NaN;
    private long last;
    private long looks;
    /** Whether it is reported that Redis refuses writes; belongs to the thread. */
    private boolean refused;
    /** The evidence of a loss that nobody has reported, since none led; belongs to the thread. */
    private Optional<String> unreported = Optional.empty();

    /**
     * @param used whether crawls were started in this deployment before, so that an empty Redis means a loss
     * @param leader only the leader writes the error record; while none is known, who leads next
     */
    RedisLossDetector(WorkerContext context, StoreGeneration storeGeneration, BooleanSupplier used,
            LeaderLookup leader) {
        this.context = context;
        this.storeGeneration = storeGeneration;
        this.used = used;
        this.leader = leader;
        this.losses = Counter.builder("trawl.redis.losses").description("How often Redis was found to have lost data")
                .register(context.telemetry().meters());
        Gauge.builder("trawl.redis.memory", this, w -> w.bytes).description("Memory that Redis uses").baseUnit("bytes")
                .register(context.telemetry().meters());
        this.task = new PeriodicTask("losses", EVERY, context.time(), this::check);
    }

    void start() {
        task.start();
    }

    /** When the last loss was detected. */
    Optional<Instant> latest() {
        return latest;
    }

    private void check() {
        try {
            boolean before = last == 0 && used.getAsBoolean();
            long now = storeGeneration.increment();
            if (now <= last || before && now == 1) {
                lost("the counter in Redis is " + now + " and was " + Math.max(last, 1) + " or more");
            }
            last = now;
            refused = false;
            report();
            if (looks++ % MEASURED == 0) {
                measure();
            }
        } catch (WritesRefusedException e) {
            if (!refused && leader.leading()) {
                refused = true;
                context.kafka().errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(),
                        REFUSAL, String.valueOf(e.getMessage()), 1, context.time().now()));
            }
        } catch (LedgerUnavailableException e) {
            LOG.debug("Redis does not answer, which is not a loss: {}", e.getMessage());
        }
    }

    /** Some servers do not report their memory; the detector continues without it. */
    private void measure() {
        try {
            bytes = storeGeneration.bytes();
        } catch (RuntimeException e) {
            bytes = Double.NaN;
            LOG.debug("cannot read the memory usage of Redis: {}", e.getMessage());
        }
    }

    private void lost(String evidence) {
        latest = Optional.of(context.time().now());
        losses.increment();
        LOG.error("Redis has lost data ({}): the crawls are complete, but pages may be fetched and stored again."
                + " Check appendonly, appendfsync and maxmemory-policy", evidence);
        unreported = Optional.of(evidence);
    }

    /**
     * Every coordinator detects a loss, and the leader reports it. This one may lead next; Redis may know a leader that
     * is gone for as long as its registration lasts.
     */
    private void report() {
        boolean settled = latest.filter(at -> at.isBefore(context.time().now().minus(SETTLED))).isPresent();
        if (unreported.isPresent() && (leader.leading() || settled && leader.known())) {
            if (leader.leading()) {
                context.kafka().errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND,
                        unreported.get(), 1, context.time().now()));
            }
            unreported = Optional.empty();
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
