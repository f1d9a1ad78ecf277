package io.trawl.coordinator;

import io.trawl.admission.AcceptedName;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.api.DomainDesk;
import io.trawl.model.CrawlId;

/** Lists and changes accepted domains. Thread-safe. */
final class LiveDomains implements DomainDesk {
    private static final String FIELD = "domain";
    private final CoordinatorParts parts;
    private final Leadership leadership;

    LiveDomains(CoordinatorParts parts, Leadership leadership) {
        this.parts = parts;
        this.leadership = leadership;
    }

    @Override
    public DomainSet domains(CrawlId crawl) throws InterruptedException {
        return set(parts.book().domains(parts.known(crawl).run()));
    }

    @Override
    public DomainSet add(CrawlId crawl, String name) throws InterruptedException {
        Reign reign = leadership.reign();
        String normal = AcceptedName.of(FIELD, name);
        return set(reign.call(() -> reign.domainChanges().add(crawl, normal)));
    }

    @Override
    public DomainSet remove(CrawlId crawl, String name) throws InterruptedException {
        Reign reign = leadership.reign();
        String normal = AcceptedName.of(FIELD, name);
        return set(reign.call(() -> reign.domainChanges().remove(crawl, normal)));
    }

    private static DomainSet set(Domains domains) {
        return new DomainSet(domains.version(), domains.domains().stream().sorted().toList());
    }
}
