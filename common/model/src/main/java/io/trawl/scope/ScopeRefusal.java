package io.trawl.scope;

import io.trawl.model.RefusalReason;

/**
 * What is out of scope, and why.
 *
 * @param reason the kind of rule
 * @param rule the rule that spoke, as it stands in the definition
 * @param cause an explanation for people
 */
public record ScopeRefusal(RefusalReason reason, String rule, String cause) {
    private static final int LONGEST = 200;

    /** Cuts the rule: it is counted by its text. */
    public ScopeRefusal {
        rule = rule.length() > LONGEST ? rule.substring(0, LONGEST) + "…" : rule;
    }

    /** The refusal by a rule, of what is named. */
    static ScopeRefusal by(RefusalReason reason, String field, Object rule, String cause) {
        return new ScopeRefusal(reason, field + ": " + rule, cause + " (" + field + ": " + rule + ")");
    }
}
