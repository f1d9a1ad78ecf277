package io.trawl.coordinator.leader;

import io.trawl.admission.AcceptedName;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Lists and changes the domains that crawls accept, in any state: links that are found afterwards are checked against
 * the new set. Requests that are already emitted are still fetched: a refusal would be the URL's only outcome, and the
 * page would stay missing after the domain was added again. Thread-safe, but changes belong to the leader's thread.
 */
public record DomainControl(ControlState controlState) {
    private static final String FIELD = "domain";

    /**
     * The accepted domains of a crawl.
     *
     * @param version grows with each change
     * @param domains in alphabetical order
     */
    public record DomainSet(long version, List<String> domains) {
        private static DomainSet of(Domains domains) {
            return new DomainSet(domains.version(), domains.domains().stream().sorted().toList());
        }
    }

    /** @throws UnknownCrawlException if there is no such crawl */
    public DomainSet domains(CrawlId crawl) throws InterruptedException {
        return DomainSet.of(controlState.domains(controlState.known(crawl).run()));
    }

    /**
     * Adds a domain; no effect if the crawl accepts it already.
     *
     * @return the set after the call
     * @throws InvalidValueException if it is no name, or the set becomes too large
     */
    public DomainSet add(ControlWriter controlWriter, CrawlId crawl, String name) {
        String added = AcceptedName.of(FIELD, name);
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        return DomainSet.of(next.add(added) ? write(controlWriter, now, next, added) : now);
    }

    /**
     * Removes a domain; no effect if the crawl does not accept it.
     *
     * @return the set after the call
     * @throws InvalidValueException if it is no name, or the last one: a crawl without domains would accept the domain
     * of the next seed
     */
    public DomainSet remove(ControlWriter controlWriter, CrawlId crawl, String name) {
        String removed = AcceptedName.of(FIELD, name);
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        if (!next.remove(removed)) {
            return DomainSet.of(now);
        }
        if (next.isEmpty()) {
            throw new InvalidValueException(FIELD, removed,
                    "not the only accepted domain: add another first, or stop the crawl");
        }
        return DomainSet.of(write(controlWriter, now, next, removed));
    }

    private Domains now(CrawlId crawl) {
        CrawlStatus status = controlState.crawl(crawl).orElseThrow(() -> new UnknownCrawlException(crawl));
        if (status.definition().scope().ofSeeds()) {
            throw new InvalidValueException(FIELD, "",
                    "no call in crawl " + crawl + ", which accepts the domains of its seeds: submit a seed");
        }
        return controlState.domains(status.run());
    }

    private Domains write(ControlWriter controlWriter, Domains now, Set<String> names, String changed) {
        Domains next = new Domains(now.run(), controlState.nextVersion(now.key()), names);
        if (Json.bytes(next).length > DefinitionRules.LARGEST) {
            throw new InvalidValueException(FIELD, changed,
                    "the set would be too large: all domains together have at most " + DefinitionRules.LARGEST
                            + " bytes");
        }
        controlWriter.write(next);
        return next;
    }
}
