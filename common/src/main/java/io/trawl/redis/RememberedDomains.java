package io.trawl.redis;

import java.util.HashSet;
import java.util.Set;

/** What this process has been told about the newest set of accepted domains of one run that it has asked for. Thread-safe. */
final class RememberedDomains {
    private static final int MOST_REFUSED = 100_000;
    private final Set<String> accepted = new HashSet<>();
    private final Set<String> refused = new HashSet<>();
    private long version;

    /** The newest version of the set that was seen; 0 if none. */
    synchronized long version() {
        return version;
    }

    /** Whether the set of this version is known to accept it. */
    synchronized boolean accepts(String domain, long inVersion) {
        return version == inVersion && accepted.contains(domain);
    }

    /** Whether all of them are refused by the set of this version. */
    synchronized boolean refuses(Set<String> domains, long inVersion) {
        return version == inVersion && refused.containsAll(domains);
    }

    /** Remembers what a set of this version accepts and refuses; an older set than the newest one is of no use. */
    synchronized void remember(long ofVersion, Set<String> yes, Set<String> no) {
        if (ofVersion > version) {
            version = ofVersion;
            accepted.clear();
            refused.clear();
        }
        if (ofVersion == version && version > 0) {
            accepted.addAll(yes);
            if (refused.size() + no.size() > MOST_REFUSED) {
                refused.clear();
            }
            refused.addAll(no);
        }
    }
}
