package io.trawl.coordinator.leader;

import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.worker.WorkerContext;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the coordinator that leads, from this process and the registrar. Thread-safe. */
public record LeaderLookup(WorkerContext context, LeaderElection leaderElection) {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLookup.class);

    /** Whether this coordinator leads. */
    public boolean leading() {
        return leaderElection.leading();
    }

    /** Whether this coordinator leads, or another one reports that it does. */
    public boolean known() {
        return leading() || context.store().registrar().all(ModuleKind.COORDINATOR).stream()
                .anyMatch(LeaderLookup::reportsLeading);
    }

    /** The addresses of the other coordinators; one that reports that it leads comes first. */
    public List<String> others() {
        try {
            return context.store().registrar().all(ModuleKind.COORDINATOR).stream()
                    .filter(r -> !r.mid().equals(context.mid()))
                    .sorted(Comparator.comparing(r -> reportsLeading(r) ? 0 : 1)).map(r -> r.mid().address()).toList();
        } catch (LedgerUnavailableException e) {
            LOG.debug("cannot look up the other coordinators: {}", e.getMessage());
            return List.of();
        }
    }

    /** The leader among the live modules: this coordinator if it leads, else one that reports that it leads. */
    Optional<MID> among(List<Registration> modules) {
        return leading()
                ? Optional.of(context.mid())
                : modules.stream().filter(LeaderLookup::reportsLeading).map(Registration::mid).findFirst();
    }

    private static boolean reportsLeading(Registration registration) {
        return registration.mid().kind() == ModuleKind.COORDINATOR && registration.state() == Phase.LEADING;
    }
}
