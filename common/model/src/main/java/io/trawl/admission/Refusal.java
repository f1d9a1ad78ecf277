package io.trawl.admission;

import io.trawl.model.RefusalReason;
import io.trawl.scope.ScopeRefusal;
import java.util.Optional;
import java.util.Set;

/**
 * A URL that is not admitted.
 *
 * @param reason the rule that refused, as it is counted per crawl
 * @param cause an explanation for people; never holds a user name, a password or text of unlimited length
 * @param rule the rule of the definition that spoke; empty if none did
 */
public record Refusal(RefusalReason reason, String cause,
        Optional<String> rule) implements Normalized, Candidate, AdmissionVerdict {
    /** A refusal by what holds for every crawl. */
    public Refusal(RefusalReason reason, String cause) {
        this(reason, cause, Optional.empty());
    }

    /** A URL that is out of scope. */
    static Refusal of(ScopeRefusal refusal) {
        return new Refusal(refusal.reason(), refusal.cause(), Optional.of(refusal.rule()));
    }

    /** Stays refused, independent of the domains. */
    @Override
    public AdmissionVerdict verdict(Set<String> accepted) {
        return this;
    }
}
