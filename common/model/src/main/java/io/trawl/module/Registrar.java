package io.trawl.module;

import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The registry of live modules of a deployment (S11). An entry is a lease: it expires when its module stops renewing
 * it. Thread-safe; calls block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
 */
public interface Registrar {
    /** Adds or renews an entry for the given time. */
    void register(Registration registration, Duration lease);

    /**
     * Why the server takes no writes of this process now: then modules cannot register, and {@link #all} may lack some
     * that live.
     */
    Optional<String> refusal();

    /** Removes the entry of a module that ends, if it exists: it does nothing more. */
    void unregister(MID mid);

    /** All live modules, in the order of kind and serial number. */
    List<Registration> all();

    /**
     * The modules that were registered and have not unregistered, with the time since their last renewal. One whose
     * entry has expired may be dead, or asleep. A module at the address of an earlier one shows that this has ended.
     */
    Map<MID, Duration> unended();

    /** All live modules of a kind. */
    default List<Registration> all(ModuleKind kind) {
        return all().stream().filter(r -> r.mid().kind() == kind).toList();
    }

    /** All live modules of a kind, the one with the lowest score first; a score of zero is an ordinary value. */
    default List<Registration> byLoad(ModuleKind kind) {
        return all(kind).stream().sorted(Comparator.comparingLong(Registration::score)).toList();
    }

    /** The live module of a kind with the lowest score. */
    default Optional<Registration> leastLoaded(ModuleKind kind) {
        return byLoad(kind).stream().findFirst();
    }

    /** Removes all entries; live modules register again with their next renewal. */
    void clear();
}
