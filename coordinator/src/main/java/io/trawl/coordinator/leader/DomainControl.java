package io.trawl.coordinator.leader;

import io.trawl.admission.AcceptedName;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.model.CrawlId;
import java.util.List;

/** Lists and changes the domains that crawls accept. Thread-safe; calls block. */
public final class DomainControl {
    private static final String FIELD = "domain";
    private final ControlState controlState;
    private final LeaderElection leaderElection;

    /**
     * The accepted domains of a crawl.
     *
     * @param version grows with each change
     * @param domains in alphabetical order
     */
    public record DomainSet(long version, List<String> domains) {}

    /** Each change is run by the current term of {@code leaderElection}. */
    public DomainControl(ControlState controlState, LeaderElection leaderElection) {
        this.controlState = controlState;
        this.leaderElection = leaderElection;
    }

    /** @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl */
    public DomainSet domains(CrawlId crawl) throws InterruptedException {
        return set(controlState.domains(controlState.known(crawl).run()));
    }

    /** Adds a domain, unless the crawl accepts it already. Leader only. */
    public DomainSet add(CrawlId crawl, String name) throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        String normal = AcceptedName.of(FIELD, name);
        return set(leaderTerm.call(() -> leaderTerm.domainChanges().add(crawl, normal)));
    }

    /** Removes a domain, unless it is the last one. Leader only. */
    public DomainSet remove(CrawlId crawl, String name) throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        String normal = AcceptedName.of(FIELD, name);
        return set(leaderTerm.call(() -> leaderTerm.domainChanges().remove(crawl, normal)));
    }

    private static DomainSet set(Domains domains) {
        return new DomainSet(domains.version(), domains.domains().stream().sorted().toList());
    }
}
