package io.trawl.admission;

import io.trawl.model.HostKey;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Set;

/** A URL that every rule has judged but the last, the domain, because only Redis can tell; or its refusal. */
public sealed interface Candidate permits Candidate.Open, Refused {
    /** The verdict, given which of the names that this candidate asks for are accepted. */
    Verdict verdict(Set<String> accepted);

    /**
     * Still open.
     *
     * @param url in normal form
     * @param host the politeness key
     * @param domain the primary domain
     * @param names what to ask {@link AcceptedDomains} for: the host, and every domain above it down to the primary domain. One "yes" is enough.
     */
    record Open(String url, HostKey host, String domain, List<String> names) implements Candidate {
        @Override
        public Verdict verdict(Set<String> accepted) {
            for (String name : names) {
                if (accepted.contains(name)) {
                    return admitted();
                }
            }
            return new Refused(RefusalReason.DOMAIN, "the domain " + domain + " is not accepted");
        }

        /** Admits it without asking: a seed whose own domain is being accepted with it. */
        public Admitted admitted() {
            return new Admitted(url, host, domain);
        }
    }
}
