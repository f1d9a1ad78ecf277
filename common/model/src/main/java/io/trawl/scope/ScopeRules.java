package io.trawl.scope;

import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The rules of a crawl for URLs, as far as they need no lookup. The verdict is a function of these rules, the URL and
 * the depth alone, and a URL that is in scope at a depth is in scope at every smaller one: so the set of pages does not
 * depend on the order in which links are found. Immutable.
 *
 * @param depthLimit links away from a seed that are still fetched
 * @param include what belongs to it; empty: everything
 * @param exclude what does not; it wins
 * @param maxDepth depth limits of patterns; the first that matches counts
 * @param skipped the endings of files that are not fetched, in lower case
 * @param requisites the hosts of requisites; empty: all
 */
public record ScopeRules(int depthLimit, List<UrlPattern> include, List<UrlPattern> exclude, List<DepthRule> maxDepth,
        Set<String> skipped, List<UrlPattern> requisites) {
    /** Copies the lists. */
    public ScopeRules {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        maxDepth = List.copyOf(maxDepth);
        skipped = Set.copyOf(skipped);
        requisites = List.copyOf(requisites);
    }

    /** Rules for pages; requisites may come from every host. */
    public ScopeRules(int depthLimit, List<UrlPattern> include, List<UrlPattern> exclude, List<DepthRule> maxDepth,
            Set<String> skipped) {
        this(depthLimit, include, exclude, maxDepth, skipped, List.of());
    }

    /** The same with other hosts of requisites. */
    public ScopeRules withRequisites(List<UrlPattern> hosts) {
        return new ScopeRules(depthLimit, include, exclude, maxDepth, skipped, hosts);
    }

    /** A depth limit and no other rule. */
    public static ScopeRules within(int depthLimit) {
        return new ScopeRules(depthLimit, List.of(), List.of(), List.of(), Set.of());
    }

    /**
     * The rules of a definition.
     *
     * @param endings that are skipped; empty: the default ones
     * @param mediaTypes the endings of the types that it includes are not skipped by default
     */
    public static ScopeRules of(int depthLimit, List<UrlPattern> include, List<UrlPattern> exclude,
            List<DepthRule> maxDepth, Optional<List<String>> endings, MediaTypeRules mediaTypes) {
        return new ScopeRules(depthLimit, include, exclude, maxDepth, FileEndings.skipped(endings, mediaTypes));
    }

    /** The rule that refuses a link or the target of a redirect, besides the depth limit of the crawl. */
    public Optional<ScopeRefusal> refusal(String url, int depth) {
        UrlParts parts = UrlParts.of(url);
        Optional<ScopeRefusal> excluded = excluded(parts);
        if (excluded.isPresent()) {
            return excluded;
        }
        if (!include.isEmpty() && include.stream().noneMatch(pattern -> pattern.matches(parts))) {
            return Optional.of(new ScopeRefusal(RefusalReason.NOT_INCLUDED, "scope.include",
                    "no pattern of scope.include matches it"));
        }
        String ending = skipped.isEmpty() ? "" : FileEndings.of(parts);
        if (skipped.contains(ending)) {
            return Optional.of(ScopeRefusal.by(RefusalReason.ENDING, "scope.skipEndings", ending,
                    "files with its ending are skipped"));
        }
        return depth(parts).filter(rule -> depth > rule.depth())
                .map(rule -> ScopeRefusal.by(RefusalReason.PATTERN_DEPTH, "scope.maxDepth", rule,
                        "depth " + depth + " is beyond the limit of its pattern"));
    }

    /**
     * The rule that refuses a seed: who names a URL wants it, unless a pattern excludes it.
     */
    public Optional<ScopeRefusal> refusalOfSeed(String url) {
        return exclude.isEmpty() ? Optional.empty() : excluded(UrlParts.of(url));
    }

    /** The rule that refuses a requisite: a pattern excludes it, or its host is not wanted. */
    public Optional<ScopeRefusal> refusalOfRequisite(String url) {
        UrlParts parts = UrlParts.of(url);
        Optional<ScopeRefusal> excluded = excluded(parts);
        return excluded.isPresent() || requisites.isEmpty()
                || requisites.stream().anyMatch(pattern -> pattern.matches(parts))
                        ? excluded
                        : Optional.of(new ScopeRefusal(RefusalReason.NOT_INCLUDED, "scope.requisites.hosts",
                                "no pattern of scope.requisites.hosts matches it"));
    }

    /**
     * The rule that refuses a request that was admitted by other rules, at its turn.
     *
     * @param depth at which it would be fetched
     */
    public Optional<ScopeRefusal> refusal(Request request, int depth) {
        if (request.options().requisite()) {
            return refusalOfRequisite(request.url());
        }
        return request.seed() && request.redirects() == 0 || request.options().source()
                ? refusalOfSeed(request.url())
                : refusal(request.url(), depth);
    }

    /** The depth limit of the first pattern that matches. */
    public Optional<DepthRule> depthRule(String url) {
        return depth(UrlParts.of(url));
    }

    private Optional<DepthRule> depth(UrlParts url) {
        return maxDepth.stream().filter(rule -> rule.match().matches(url)).findFirst();
    }

    private Optional<ScopeRefusal> excluded(UrlParts url) {
        for (UrlPattern pattern : exclude) {
            if (pattern.matches(url)) {
                return Optional
                        .of(ScopeRefusal.by(RefusalReason.EXCLUDED, "scope.exclude", pattern, "the crawl excludes it"));
            }
        }
        return Optional.empty();
    }
}
