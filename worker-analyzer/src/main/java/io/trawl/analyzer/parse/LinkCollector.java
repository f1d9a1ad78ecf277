package io.trawl.analyzer.parse;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.api.Link;
import io.trawl.model.RefusalReason;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects the links of one page: resolved, in normal form, in the order found, one for each request, or for each
 * fragment of one.
 */
final class LinkCollector {
    /** Limit for the list in a preview. */
    private static final int MOST_STRAYS = 200;
    private final Map<String, ParsedPage.LinkTarget> targets = new LinkedHashMap<>();
    private final Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
    private final Set<ParsedPage.Stray> strays = new LinkedHashSet<>();
    private final boolean fragments;
    private final int most;
    private long charactersLeft;

    /**
     * @param fragments whether links that differ by them are several
     * @param most the number of links after which the rest is ignored
     * @param characters of all links, after which the rest is ignored
     */
    LinkCollector(boolean fragments, int most, long characters) {
        this.fragments = fragments;
        this.most = most;
        this.charactersLeft = characters;
    }

    /** @return whether there was room for all of them */
    boolean add(BaseUrl base, String parser, List<Link> links) {
        for (Link link : links) {
            if (targets.size() >= most || charactersLeft <= 0) {
                return false;
            }
            switch (base.resolve(link.href())) {
                case NormalUrl url -> add(ParsedPage.LinkTarget.of(url,
                        fragments ? UrlNormalizer.fragment(link.href()) : "", link, parser));
                case Refusal no -> refuse(link.href(), no);
            }
        }
        return true;
    }

    private void add(ParsedPage.LinkTarget link) {
        int before = targets.size();
        targets.merge(link.identity() + link.fragment(), link, ParsedPage.LinkTarget::and);
        if (targets.size() > before) {
            charactersLeft -= link.shown().length() + link.options().body().map(String::length).orElse(0);
        }
    }

    private void refuse(String reference, Refusal no) {
        refused.merge(no.reason(), 1, Integer::sum);
        if (strays.size() < MOST_STRAYS) {
            strays.add(new ParsedPage.Stray(UrlNormalizer.shown(reference), no));
        }
    }

    List<ParsedPage.Stray> strays() {
        return List.copyOf(strays);
    }

    List<ParsedPage.LinkTarget> targets() {
        return List.copyOf(targets.values());
    }

    Map<RefusalReason, Integer> refused() {
        return refused;
    }
}
