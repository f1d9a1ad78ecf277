package io.trawl.coordinator;

import static java.util.Objects.requireNonNull;

import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.model.CrawlerError;
import io.trawl.model.ModuleKind;
import io.trawl.time.PeriodicTask;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the kinds of module of which none is registered, and since when, for summaries. Reports on {@code errors} that
 * there is none while a crawl is started (S7): once, when it has lasted longer than a restart; and logs when there is
 * one again. Every coordinator runs one; the leader's reports.
 */
final class MissingModules implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "NO_MODULE";
    private static final Logger LOG = LoggerFactory.getLogger(MissingModules.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private final WorkerContext context;
    private final Supplier<LiveModules> modules;
    private final BooleanSupplier used;
    private volatile Map<ModuleKind, Instant> since = Map.of();
    /** Since when it has been used without a break; belongs to the thread, as what follows. */
    private Optional<Instant> usedSince = Optional.empty();
    private final Set<ModuleKind> reported = EnumSet.noneOf(ModuleKind.class);
    private final PeriodicTask task;

    /**
     * @param modules those at the last look
     * @param used whether this coordinator leads and a crawl is started
     */
    MissingModules(WorkerContext context, Supplier<LiveModules> modules, BooleanSupplier used) {
        this.context = context;
        this.modules = modules;
        this.used = used;
        this.task = new PeriodicTask("missing-modules", EVERY, context.time(), this::look);
    }

    void start() {
        task.start();
    }

    /**
     * By kind, when a module was first missing; those of which there is one are absent. At most two seconds old while
     * Redis answers.
     */
    Map<ModuleKind, Instant> since() {
        return since;
    }

    private void look() {
        LiveModules live = modules.get();
        if (live.refusal().isPresent()) {
            // Then no module can register, and none is known to be missing.
            since = Map.of();
            return;
        }
        Instant now = context.time().now();
        if (live.at().isEmpty() || live.unknownSince(now).isPresent()) {
            return;
        }
        List<MissingKind> missing = MissingKind.among(live.registered());
        Map<ModuleKind, Instant> before = since;
        since = missing.stream().map(MissingKind::kind)
                .collect(Collectors.toUnmodifiableMap(kind -> kind, kind -> before.getOrDefault(kind, now)));
        usedSince = used.getAsBoolean() ? usedSince.or(() -> Optional.of(now)) : Optional.empty();
        usedSince.ifPresent(_ -> before.forEach((kind, first) -> {
            if (!since.containsKey(kind)) {
                LOG.info("the first {} is running; there was none for {} s", kind.word(),
                        Duration.between(first, now).toSeconds());
            }
        }));
        reported.retainAll(usedSince.isPresent() ? since.keySet() : Set.of());
        missing.stream()
                .filter(kind -> usedSince.filter(from -> lasted(from, now)).isPresent()
                        && lasted(requireNonNull(since.get(kind.kind())), now) && reported.add(kind.kind()))
                .forEach(kind -> report(kind, now));
    }

    private static boolean lasted(Instant since, Instant now) {
        return Duration.between(since, now).compareTo(MissingKind.GRACE) >= 0;
    }

    private void report(MissingKind kind, Instant now) {
        LOG.warn(kind.text());
        context.kafka().errors()
                .report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND, kind.text(), 1, now));
    }

    @Override
    public void close() {
        task.close();
    }
}
