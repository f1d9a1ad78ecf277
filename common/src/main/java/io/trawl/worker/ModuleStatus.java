package io.trawl.worker;

import io.trawl.api.Counts;
import io.trawl.api.ScoreCalculator;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.model.MID;
import io.trawl.module.Deal;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import io.trawl.module.SerialNumbers.SerialNumberLostException;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.module.StopSignHistory.Dealt;
import io.trawl.telemetry.Outage;
import io.trawl.time.PeriodicTask;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a module says of itself: its state, its summary, and its registration, which is renewed until this is closed.
 * Thread-safe.
 */
final class ModuleStatus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModuleStatus.class);
    private static final String VERSION = Optional
            .ofNullable(ModuleStatus.class.getPackage().getImplementationVersion()).orElse("0.1.0");
    private final WorkerContext context;
    private final Stage stage;
    private final KafkaHealthCheck broker;
    private final ScoreCalculator scores;
    private final Instant since;
    private final Consumer<String> serialLost;
    private final MID mid;
    final ModuleNotes notes;
    private final Outage redis = new Outage("Redis");
    private final PeriodicTask heartbeat;
    private final PeriodicTask watch;
    /** The monotonic time of the last renewal. */
    private volatile long registered;
    /** The stop signs that this module has dealt with, and the version; belongs to the heartbeat. */
    private Map<String, Long> notedDeals = Map.of();

    /**
     * @param since when the module was started
     * @param serialLost learns why another module may have the MID of this one
     */
    ModuleStatus(WorkerContext context, Stage stage, KafkaHealthCheck broker, ScoreCalculator scores, Instant since,
            Consumer<String> serialLost) {
        this.context = context;
        this.stage = stage;
        this.broker = broker;
        this.scores = scores;
        this.since = since;
        this.serialLost = serialLost;
        this.mid = context.mid();
        this.notes = new ModuleNotes(mid, context.kafka().errors(), context.time());
        Duration period = context.settings().lease().dividedBy(6);
        this.heartbeat = new PeriodicTask("heartbeat", period, context.time(), this::renew);
        this.watch = new PeriodicTask("registration", period, context.time(), this::watchRegistration);
        this.registered = context.time().nanos();
    }

    /** Registers, and renews from now on. */
    void start() {
        heartbeat.start();
        watch.start();
    }

    ModuleSummary summary() {
        Counts counts = context.telemetry().counters().counts();
        return new ModuleSummary(mid, scores.score(counts), counts, since, state(), extra());
    }

    /** What the stage reports, and the memory and version of the process. */
    private Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(stage.extra());
        Runtime runtime = Runtime.getRuntime();
        extra.put("heap", Map.of("used", runtime.totalMemory() - runtime.freeMemory(), "limit", runtime.maxMemory()));
        Optional.of(notes.latest()).filter(all -> !all.isEmpty()).ifPresent(all -> extra.put("notes", all));
        extra.put("version", VERSION);
        extra.put("java", Runtime.version().toString());
        return extra;
    }

    /**
     * The stage's state, unless the stage has not noticed yet that Kafka does not answer, or that Redis does not, or
     * takes no writes. An idle stage asks neither.
     */
    StageState state() {
        StageState state = stage.state();
        if (state instanceof WaitingFor(Dependency missing, var _)) {
            // A loop that stands still in a call knows nothing of it.
            return context.kafka().writes().reason().filter(_ -> missing == Dependency.ANSWER)
                    .<StageState>map(why -> new WaitingFor(Dependency.KAFKA, Optional.of(why))).orElse(state);
        }
        if (broker.away()) {
            return new WaitingFor(Dependency.KAFKA);
        }
        return context.store().registrar().refusal().or(this::unregistered)
                .<StageState>map(why -> new WaitingFor(Dependency.REDIS, Optional.of(why))).orElse(state);
    }

    /** For the others, a module whose registration ends is gone. */
    private Optional<String> unregistered() {
        Duration silence = Duration.ofNanos(context.time().nanos() - registered);
        return silence.compareTo(context.settings().lease().multipliedBy(2).dividedBy(3)) > 0
                ? Optional.of("it has not answered for " + silence.toSeconds() + " s")
                : Optional.empty();
    }

    /** A renewal of which Redis says nothing ends late, and what is wrong then is noted here. */
    private void watchRegistration() {
        notes.look(state(), Stream.concat(stage.notes().stream(), context.kafka().clocks().notes().stream()).toList());
        unregistered().ifPresent(redis::begin);
    }

    /** Whether a module of this kind works that could take the partitions of this one. */
    private boolean othersWork() {
        try {
            return context.store().registrar().all(mid.kind()).stream().anyMatch(other -> !other.mid().equals(mid)
                    && (other.state() == Phase.RUNNING || other.state() == Phase.FOLLOWING));
        } catch (LedgerUnavailableException e) {
            return false;
        }
    }

    private void renew() {
        Counts counts = context.telemetry().counters().counts();
        try {
            context.kafka().writes().look(!broker.away() && state() instanceof WaitingFor(Dependency dependency, var _)
                    && dependency == Dependency.KAFKA, this::othersWork);
            context.identity().serials().renew(mid.kind(), mid.serial());
            Optional<Integer> before = stage.partitions();
            List<Deal> signs = stage.deals();
            // Partitions that it got or lost in between are not among those of which the deals tell.
            Optional<Integer> partitions = before.flatMap(then -> stage.partitions().map(now -> Math.min(then, now)));
            context.store().registrar()
                    .register(notes.in(Registration.of(mid, scores.score(counts), counts, since, signs, state(),
                            stage.waiting(), partitions, stage.slots(), stage.names(), context.plugins().digest())),
                            context.settings().lease());
            registered = context.time().nanos();
            redis.end();
            noteDeals(signs);
        } catch (SerialNumberLostException e) {
            serialLost.accept(String.valueOf(e.getMessage()));
        } catch (WritesRefusedException e) {
            redis.begin(e);
        } catch (LedgerUnavailableException e) {
            LOG.debug("registration not renewed: {}", e.getMessage());
        } catch (RuntimeException e) {
            // Redis may accept the next renewal; a module that stops renewing would seem dead while it works.
            LOG.warn("registration not renewed: {}", e.toString());
        }
    }

    /** Notes each deal once; signs that are reset are forgotten here. */
    private void noteDeals(List<Deal> signs) {
        Map<String, Long> done = new HashMap<>();
        for (Deal deal : signs) {
            if (deal.took().isPresent()) {
                if (!Objects.equals(notedDeals.get(deal.sign()), deal.version())) {
                    context.store().stopSignHistory().add(new Dealt(deal.sign(), deal.version(), context.time().now(),
                            mid, deal.took().get(), deal.inFlight()));
                }
                done.put(deal.sign(), deal.version());
            }
        }
        notedDeals = done;
    }

    /** Says that the module ends, and leaves everything else to the end of the process. */
    void unregister() {
        try {
            context.store().registrar().unregister(mid);
        } catch (LedgerUnavailableException e) {
            LOG.debug("not unregistered: {}", e.getMessage());
        }
    }

    /** Says that the module has ended, and that its serial number is free. */
    void release() {
        try {
            context.store().registrar().unregister(mid);
            context.identity().serials().release(mid.kind(), mid.serial());
        } catch (LedgerUnavailableException e) {
            LOG.debug("not unregistered, the lease will expire: {}", e.getMessage());
        }
    }

    /** Ends the renewals. */
    @Override
    public void close() {
        heartbeat.close();
        watch.close();
    }
}
