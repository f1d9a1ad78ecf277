package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Set;

/**
 * Domains that a run accepts since it has admitted seeds of them ({@code scope.domains: seeds}).
 *
 * @param version of the run's set with these names in it; grows with each addition
 * @param names those that are new
 */
public record SeedDomains(long version, Set<String> names) {
    /** The version of the empty set. */
    public static final long EMPTY = 1;

    /**
     * Copies the names.
     *
     * @throws io.trawl.model.InvalidValueException if the version is negative
     */
    public SeedDomains {
        FieldRules.count("domains.version", version);
        names = names == null ? Set.of() : Set.copyOf(names);
    }

    /**
     * The sets of all runs in Redis. A name that is in a set was accepted for good; one that is not in it, was not
     * before the version of the set. Thread-safe; calls block and throw {@link LedgerUnavailableException}.
     */
    public interface SeedDomainStore {
        /** The version of a set; 0 if there is none. */
        long version(CrawlRun run);

        /**
         * Adds names. The set gets their version if it had the one before, so that it has all names up to its version.
         *
         * @param before 0 if these are all names up to the new version
         */
        void add(CrawlRun run, long before, SeedDomains added);
    }
}
