package io.trawl.store;

import io.trawl.admission.AcceptedDomains;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.DomainMirror;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.RunPermitStore;
import io.trawl.module.Registrar;
import io.trawl.module.StopSignHistory;
import io.trawl.politeness.HostBudgetStore;
import io.trawl.politeness.HostSessionStore;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.RobotsStore;

/**
 * The ports of Redis of one module. All of them are thread-safe, block, and throw
 * {@link io.trawl.ledger.LedgerUnavailableException} within about half a minute when Redis cannot be reached, is
 * loading its data, cannot write, or does not answer; they recover by themselves.
 */
public interface Store {
    /** Answered marks. */
    AnsweredMarks marks();

    /** Counts the processes that died over records. */
    DeliveryAttempts attempts();

    /** The ends of Kafka's logs when they were looked at last. */
    LogEndStore logEnds();

    /** Detects loss of the data. */
    StoreGeneration storeGeneration();

    /** The live modules. */
    Registrar registrar();

    /** What is remembered of stop signs. */
    StopSignHistory stopSignHistory();

    /** Leases on request partitions. */
    PartitionLeaseStore leases();

    /** Accepted domains; create one per process, since it has a cache. */
    AcceptedDomains acceptedDomains(ControlView control);

    /** The copy of the accepted domains that the leader writes for {@link #acceptedDomains}. */
    DomainMirror domainsMirror();

    /** The domains that runs accept for their seeds. */
    SeedDomainStore seedDomains();

    /** The robots.txt files that the fleet has fetched. */
    RobotsStore robots();

    /** What the runs have used of the budgets of hosts. */
    HostBudgetStore hostBudgets();

    /** The sessions of runs at hosts. */
    HostSessionStore hostSessions();

    /** The permits to fetch of runs with limits. */
    RunPermitStore runPermits();

    /** The first items of runs by their content. */
    FirstItemStore firstItems();
}
