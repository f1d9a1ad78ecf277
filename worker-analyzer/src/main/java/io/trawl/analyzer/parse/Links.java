package io.trawl.analyzer.parse;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.model.RefusalReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gathers the links of one page: resolved, in normal form, in the order found, each once. */
final class Links {
    /** Enough for somebody who looks at a page. */
    private static final int MOST_STRAYS = 200;
    private final Map<NormalUrl, Boolean> targets = new LinkedHashMap<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    private final Set<Analyzed.Stray> strays = new LinkedHashSet<>();
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
                case Refused no -> refuse(link.href(), no);
            }
        }
    }

    private void refuse(String reference, Refused no) {
        refused.merge(no.reason(), 1, Integer::sum);
        if (strays.size() < MOST_STRAYS) {
            strays.add(new Analyzed.Stray(UrlNormalizer.shown(reference), no));
        }
    }

    List<Analyzed.Stray> strays() {
        return List.copyOf(strays);
    }

    List<Analyzed.Target> targets() {
        return targets.entrySet().stream().map(e -> new Analyzed.Target(e.getKey(), e.getValue())).toList();
    }

    Map<RefusalReason, Integer> refused() {
        return refused;
    }
}
