package io.trawl.coordinator.seed;

import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.summary.Tally;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.SeedDomains;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.model.CrawlRun;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The domains that runs accept for their seeds, during one term: the ledger has them, and Redis a copy for analyzers,
 * which this writes again when Redis has lost it. Belongs to the leader's thread.
 */
public final class AcceptedSeedDomains implements SeedDomainSet {
    private final Tally tally;
    private final ControlState controlState;
    private final SeedDomainStore store;
    private final BooleanSupplier admitted;
    /** What this term has committed, until the tally has counted it. */
    private final Map<CrawlRun, SeedDomains> committed = new HashMap<>();

    /** @param admitted whether all seeds are admitted that are in the topic now */
    public AcceptedSeedDomains(Tally tally, ControlState controlState, SeedDomainStore store,
            BooleanSupplier admitted) {
        this.tally = tally;
        this.controlState = controlState;
        this.store = store;
        this.admitted = admitted;
    }

    /**
     * {@inheritDoc} It is above all versions from before a loss in Kafka, whose ledger records may be lost.
     *
     * @throws LedgerUnavailableException if the ledger is not counted yet
     */
    @Override
    public long version(CrawlRun run) {
        if (tally.counting().isPresent()) {
            throw new LedgerUnavailableException("the domains of the seeds of " + run + " are not counted yet",
                    new IllegalStateException("counting"));
        }
        long least = controlState.kafkaLoss().map(KafkaLoss::version).orElse(SeedDomains.EMPTY);
        return Math.max(least, Math.max(tally.domainsVersion(run), pending(run).version()));
    }

    @Override
    public boolean accepts(CrawlRun run, String domain) {
        return pending(run).names().contains(domain) || tally.accepts(run, domain);
    }

    private SeedDomains pending(CrawlRun run) {
        SeedDomains known = committed.get(run);
        if (known != null && tally.domainsVersion(run) >= known.version()) {
            committed.remove(run);
            known = null;
        }
        return known == null ? new SeedDomains(0, Set.of()) : known;
    }

    /** Notes domains whose transaction is committed. */
    public void committed(CrawlRun run, SeedDomains added) {
        committed.put(run, new SeedDomains(added.version(), union(pending(run).names(), added.names())));
    }

    /**
     * Writes the sets again that Redis has lost, of the runs that may have pages to analyse. After a loss in Kafka only
     * when all seeds are admitted again: until then the set may lack some of before.
     *
     * @throws LedgerUnavailableException if Redis does not answer
     */
    public void restore() {
        if (tally.counting().isPresent()
                || controlState.kafkaLoss().filter(loss -> !loss.repaired()).isPresent() && !admitted.getAsBoolean()) {
            return;
        }
        controlState.crawls().stream().filter(crawl -> crawl.definition().scope().ofSeeds()
                && crawl.startedAt().isPresent() && !crawl.finished() && crawl.forgottenAt().isEmpty())
                .forEach(crawl -> restore(crawl.run()));
    }

    private void restore(CrawlRun run) {
        long version = version(run);
        if (store.version(run) < version) {
            store.add(run, 0, new SeedDomains(version, union(tally.domains(run).names(), pending(run).names())));
        }
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        Set<String> all = new HashSet<>(some);
        all.addAll(more);
        return all;
    }
}
