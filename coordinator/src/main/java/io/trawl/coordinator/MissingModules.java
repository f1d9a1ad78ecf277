package io.trawl.coordinator;

import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlerError;
import io.trawl.model.ModuleKind;
import io.trawl.time.PeriodicTask;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports on {@code errors} that no module of a kind is registered while a crawl is started (S7): once, when it has lasted longer than a restart.
 * Every coordinator runs one; the leader's reports. Belongs to its thread.
 */
final class MissingModules implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "NO_MODULE";
    private static final Logger LOG = LoggerFactory.getLogger(MissingModules.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private final WorkerContext context;
    private final BooleanSupplier used;
    private final Map<ModuleKind, Instant> since = new EnumMap<>(ModuleKind.class);
    private final Set<ModuleKind> reported = EnumSet.noneOf(ModuleKind.class);
    private final PeriodicTask task;

    /** @param used whether this coordinator leads and a crawl is started */
    MissingModules(WorkerContext context, BooleanSupplier used) {
        this.context = context;
        this.used = used;
        this.task = new PeriodicTask("missing-modules", EVERY, context.time(), this::look);
    }

    void start() {
        task.start();
    }

    private void look() {
        try {
            List<MissingKind> missing = used.getAsBoolean() ? MissingKind.among(context.registrar().all()) : List.of();
            List<ModuleKind> kinds = missing.stream().map(MissingKind::kind).toList();
            since.keySet().retainAll(kinds);
            reported.retainAll(kinds);
            Instant now = context.time().now();
            for (MissingKind kind : missing) {
                Instant first = since.computeIfAbsent(kind.kind(), _ -> now);
                if (Duration.between(first, now).compareTo(MissingKind.GRACE) >= 0 && reported.add(kind.kind())) {
                    LOG.warn(kind.text());
                    context.errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND,
                            kind.text(), 1, now));
                }
            }
        } catch (LedgerUnavailableException e) {
            LOG.debug("cannot read the registrar now: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
