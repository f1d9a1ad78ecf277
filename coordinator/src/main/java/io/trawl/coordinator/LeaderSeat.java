package io.trawl.coordinator;

import io.trawl.coordinator.api.Seat;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.worker.WorkerContext;
import java.util.Comparator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says who leads, by what is known here and in the registrar. Thread-safe. */
final class LeaderSeat implements Seat {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderSeat.class);
    private final WorkerContext context;
    private final Leadership leadership;

    LeaderSeat(WorkerContext context, Leadership leadership) {
        this.context = context;
        this.leadership = leadership;
    }

    @Override
    public boolean leading() {
        return leadership.leading();
    }

    @Override
    public List<String> others() {
        try {
            return context.registrar().all(ModuleKind.COORDINATOR).stream().filter(r -> !r.mid().equals(context.mid()))
                    .sorted(Comparator.comparing(r -> saysItLeads(r) ? 0 : 1)).map(r -> r.mid().address()).toList();
        } catch (LedgerUnavailable e) {
            LOG.debug("no other coordinator can be found: {}", e.getMessage());
            return List.of();
        }
    }

    /** Whether a module says that it leads. */
    static boolean saysItLeads(Registration registration) {
        return registration.mid().kind() == ModuleKind.COORDINATOR && registration.state().equals(Leadership.LEADING);
    }
}
