package io.trawl.admission;

import io.trawl.model.RefusalReason;
import java.util.Set;

/**
 * Not let in.
 *
 * @param reason the rule that refused, as it is counted per crawl
 * @param cause the case, in words for people; never holds a user name, a password or text of unlimited length
 */
public record Refused(RefusalReason reason, String cause) implements Normalized, Candidate, Verdict {
    /** Stays refused, whatever the domains. */
    @Override
    public Verdict verdict(Set<String> accepted) {
        return this;
    }
}
