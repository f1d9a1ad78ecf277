package io.trawl.admission;

import io.trawl.model.CrawlRun;
import java.util.Set;

/**
 * The domains that runs accept, as a set of names: an entry accepts the host of that name and every host below it. The
 * port compares whole names only; a candidate asks for its host and for each domain above it down to its primary
 * domain. Thread-safe; calls may block.
 */
public interface AcceptedDomains {
    /**
     * Which of the given names are in the run's set. The set is at least as new as any that this process has seen; a
     * "no" is given only on a set that is also at least as new as {@code atLeast}.
     *
     * @param atLeast the version of the set under which the request was admitted
     */
    DomainAnswer ask(CrawlRun run, Set<String> domains, long atLeast);

    /**
     * An answer about several domains at once.
     *
     * @param accepted the accepted names; the other names of the question are not accepted
     * @param version of the set for which the "no"s hold
     */
    record DomainAnswer(Set<String> accepted, long version) {}
}
