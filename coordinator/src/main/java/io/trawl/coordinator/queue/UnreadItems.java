package io.trawl.coordinator.queue;

import io.trawl.api.Counts;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many items the pipelines have not read, as they report it with their leases. The offset that they commit is no
 * measure of that: it moves when a file is finished. Reads the registrar every second on a thread of its own, since
 * Redis may not answer. Thread-safe.
 */
public final class UnreadItems implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnreadItems.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    private final Registrar registrar;
    private final Time time;
    private final StageRates rates;
    private final PeriodicTask task;

    /**
     * Reads nothing before {@link #start}.
     *
     * @param rates are told of every reading
     */
    public UnreadItems(Registrar registrar, StageRates rates, Time time) {
        this.rates = rates;
        this.registrar = registrar;
        this.time = time;
        this.task = new PeriodicTask("unread items", EVERY, time, this::look);
    }

    void start() {
        task.start();
    }

    /** The sum over the live pipelines; empty if none reports it. */
    Optional<Long> now() {
        LiveModules live = rates.live();
        return live.unknownSince(time.now()).isPresent()
                ? Optional.empty()
                : live.registered().stream().map(Registration::waiting).flatMap(Optional::stream).reduce(Long::sum);
    }

    /** What the processes have done, as they have reported it last. */
    List<Counts> counts() {
        return rates.live().registered().stream().map(Registration::counts).toList();
    }

    private void look() {
        try {
            registrar.refusal().ifPresentOrElse(rates::refused,
                    () -> rates.seen(registrar.all(), time.now(), time.nanos()));
        } catch (LedgerUnavailableException e) {
            LOG.debug("cannot read what pipelines report: {}", e.getMessage());
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
