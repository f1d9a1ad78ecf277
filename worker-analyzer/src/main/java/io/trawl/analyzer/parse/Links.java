package io.trawl.analyzer.parse;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.model.RefusalReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers the links of one page: resolved, in normal form, in the order found, each once. */
final class Links {
    private final Map<NormalUrl, Boolean> targets = new LinkedHashMap<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    private final int most;

    /** @param most links beyond this number are not looked at */
    Links(int most) {
        this.most = most;
    }

    void add(BaseUrl base, List<Link> links) {
        for (Link link : links) {
            if (targets.size() >= most) {
                return;
            }
            switch (base.resolve(link.href())) {
                case NormalUrl url -> targets.merge(url, link.nofollow(), Boolean::logicalAnd);
                case Refused no -> refused.merge(no.reason(), 1, Integer::sum);
            }
        }
    }

    List<Analyzed.Target> targets() {
        return targets.entrySet().stream().map(e -> new Analyzed.Target(e.getKey(), e.getValue())).toList();
    }

    Map<RefusalReason, Integer> refused() {
        return refused;
    }
}
