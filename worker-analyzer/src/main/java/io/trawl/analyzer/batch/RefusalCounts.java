package io.trawl.analyzer.batch;

import io.trawl.admission.Refusal;
import io.trawl.model.RefusalReason;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** How many URLs were refused, by reason and by the rule of the definition that spoke. Not thread-safe. */
final class RefusalCounts {
    private final Map<RefusalReason, Integer> reasons = new EnumMap<>(RefusalReason.class);
    private final Map<String, Integer> rules = new HashMap<>();

    void add(RefusalReason reason) {
        reasons.merge(reason, 1, Integer::sum);
    }

    void add(Refusal refusal) {
        add(refusal.reason());
        refusal.rule().ifPresent(this::byRule);
    }

    void add(Map<RefusalReason, Integer> more) {
        more.forEach((reason, n) -> reasons.merge(reason, n, Integer::sum));
    }

    void add(RefusalCounts more) {
        add(more.reasons);
        more.rules.forEach((rule, n) -> rules.merge(rule, n, Integer::sum));
    }

    /** A request that was answered as refused, which the answer counts. */
    void byRule(String rule) {
        rules.merge(rule, 1, Integer::sum);
    }

    Map<RefusalReason, Integer> reasons() {
        return reasons;
    }

    Map<String, Integer> rules() {
        return rules;
    }
}
