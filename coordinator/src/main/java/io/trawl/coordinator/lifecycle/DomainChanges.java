package io.trawl.coordinator.lifecycle;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.coordinator.definition.DefinitionRules;
import io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import java.util.HashSet;
import java.util.Set;

/**
 * Changes the accepted domains of a crawl, in any state: links that are found afterwards are checked against the new
 * set. Requests that are already emitted are still fetched: a refusal would be the URL's only outcome, and the page
 * would stay missing after the domain was added again. Belongs to the leader's thread.
 */
public final class DomainChanges {
    private final ControlWriter controlWriter;
    private final ControlState controlState;

    /** Sets are written during one term. */
    public DomainChanges(ControlWriter controlWriter, ControlState controlState) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
    }

    /**
     * Adds a domain; no effect if the crawl accepts it already.
     *
     * @param name in normal form
     * @return the set after the call
     * @throws InvalidValueException if the set becomes too large
     */
    public Domains add(CrawlId crawl, String name) {
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        return next.add(name) ? write(now, next, name) : now;
    }

    /**
     * Removes a domain; no effect if the crawl does not accept it.
     *
     * @param name in normal form
     * @return the set after the call
     * @throws InvalidValueException if it is the last one: a crawl without domains would accept the domain of the next
     * seed
     */
    public Domains remove(CrawlId crawl, String name) {
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        if (!next.remove(name)) {
            return now;
        }
        if (next.isEmpty()) {
            throw new InvalidValueException("domain", name,
                    "not the only accepted domain: add another first, or stop the crawl");
        }
        return write(now, next, name);
    }

    private Domains now(CrawlId crawl) {
        return controlState.domains(
                controlState.crawl(crawl).map(CrawlStatus::run).orElseThrow(() -> new UnknownCrawlException(crawl)));
    }

    private Domains write(Domains now, Set<String> names, String changed) {
        Domains next = new Domains(now.run(), controlState.nextVersion(now.key()), names);
        if (Json.bytes(next).length > DefinitionRules.LARGEST) {
            throw new InvalidValueException("domain", changed,
                    "the set would be too large: all domains together have at most " + DefinitionRules.LARGEST
                            + " bytes");
        }
        controlWriter.write(next);
        return next;
    }
}
