package io.trawl.coordinator.lifecycle;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValue;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes which domains a crawl accepts while it is there, in whatever state: the links that are found from then on are judged by the new set. A request
 * that is out is out: it is fetched, since a refusal would be its URL's one outcome, and adding the domain again could not bring the page back. Belongs
 * to the leader's thread.
 */
public final class DomainChanges {
    private final Scribe scribe;
    private final Book book;
    private final Consumer<Domains> committed;

    /** @param committed is told of every set that holds from now on */
    public DomainChanges(Scribe scribe, Book book, Consumer<Domains> committed) {
        this.scribe = scribe;
        this.book = book;
        this.committed = committed;
    }

    /**
     * Adds a domain; one that is there already changes nothing.
     *
     * @param name in normal form
     * @return the set that holds
     * @throws InvalidValue if the set becomes too large
     */
    public Domains add(CrawlId crawl, String name) {
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        return next.add(name) ? write(now, next, name) : now;
    }

    /**
     * Removes a domain; one that is not there changes nothing.
     *
     * @param name in normal form
     * @return the set that holds
     * @throws InvalidValue if it is the last: a crawl that accepts nothing would take the domain of the next seed
     */
    public Domains remove(CrawlId crawl, String name) {
        Domains now = now(crawl);
        Set<String> next = new HashSet<>(now.domains());
        if (!next.remove(name)) {
            return now;
        }
        if (next.isEmpty()) {
            throw new InvalidValue("domain", name,
                    "not the only one that the crawl accepts: add another first, or stop the crawl");
        }
        return write(now, next, name);
    }

    private Domains now(CrawlId crawl) {
        return book.domains(book.crawl(crawl).map(CrawlStatus::run).orElseThrow(() -> new UnknownCrawl(crawl)));
    }

    private Domains write(Domains now, Set<String> names, String changed) {
        Domains next = new Domains(now.run(), book.nextVersion(now.key()), names);
        if (Json.bytes(next).length > DefinitionRules.LARGEST) {
            throw new InvalidValue("domain", changed, "one more is too many: all together have at most "
                    + DefinitionRules.LARGEST + " bytes");
        }
        scribe.write(next);
        committed.accept(next);
        return next;
    }
}
