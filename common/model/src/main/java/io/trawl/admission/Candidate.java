package io.trawl.admission;

import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.model.HostKey;
import io.trawl.model.RefusalReason;
import java.util.List;
import java.util.Set;

/** A URL that has passed every rule but the last, the domain, which only Redis can decide; or its refusal. */
public sealed interface Candidate permits Candidate.Open, Refusal {
    /** The verdict, given the accepted ones among the names of this candidate. */
    AdmissionVerdict verdict(Set<String> accepted);

    /**
     * Still open.
     *
     * @param url in normal form
     * @param host the politeness key
     * @param domain the primary domain
     * @param names the names to look up in {@link AcceptedDomains}: the host, and every domain above it down to the
     * primary domain. One "yes" is enough; without names none is asked
     */
    record Open(String url, HostKey host, String domain, List<String> names) implements Candidate {
        @Override
        public AdmissionVerdict verdict(Set<String> accepted) {
            if (names.isEmpty()) {
                return admitted();
            }
            for (String name : names) {
                if (accepted.contains(name)) {
                    return admitted();
                }
            }
            return new Refusal(RefusalReason.DOMAIN, "the domain " + domain + " is not accepted");
        }

        /** Admits it without a lookup: a seed whose own domain is accepted together with it. */
        public Admitted admitted() {
            return new Admitted(url, host, domain);
        }
    }
}
