package io.trawl.admission;

import io.trawl.model.RefusalReason;
import java.util.Set;

/**
 * A URL that is not admitted.
 *
 * @param reason the rule that refused, as it is counted per crawl
 * @param cause an explanation for people; never holds a user name, a password or text of unlimited length
 */
public record Refusal(RefusalReason reason, String cause) implements Normalized, Candidate, AdmissionVerdict {
    /** Stays refused, independent of the domains. */
    @Override
    public AdmissionVerdict verdict(Set<String> accepted) {
        return this;
    }
}
