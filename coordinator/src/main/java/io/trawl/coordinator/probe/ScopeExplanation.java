package io.trawl.coordinator.probe;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.probe.Explanation.State;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.PagesRule;
import io.trawl.scope.PriorityRule;
import io.trawl.scope.ScopeRefusal;
import io.trawl.scope.ScopeRules;
import java.util.Optional;

/** What the rules of a definition say about a URL, and which of them. Pure. */
final class ScopeExplanation {
    private ScopeExplanation() {}

    /** Why links to a URL are refused, wherever they are; empty if they are not. */
    static Optional<ScopeRefusal> refusal(CrawlDefinition definition, String url) {
        return definition.scopeRules().refusal(url, 0);
    }

    /** Adds which rule refuses the URL of an accepted domain, or limits it. */
    static void scope(ExplanationBuilder explanationBuilder, CrawlDefinition definition, String url) {
        ScopeRules rules = definition.scopeRules();
        Optional<ScopeRefusal> refusal = refusal(definition, url);
        if (refusal.isPresent() && rules.refusalOfSeed(url).isEmpty() && isSeed(definition, url)) {
            explanationBuilder.addStory(
                    "It is a seed, and so it is fetched; links to it would be refused: " + text(refusal.get()));
        } else if (refusal.isPresent()) {
            explanationBuilder.verdict(refusal.get().reason().name()).rule(refusal.get().cause()).state(State.REFUSED)
                    .addStory("It is not in scope: " + text(refusal.get()));
        }
        rules.depthRule(url).ifPresent(rule -> explanationBuilder
                .addStory("It is fetched to depth " + rule.depth() + " only (scope.maxDepth: " + rule + ")."));
        PagesRule.first(definition.scope().maxPages(), url).ifPresent(rule -> explanationBuilder.addStory(
                "It counts in the budget of " + rule.pages() + " URLs of its pattern (scope.maxPages: " + rule + ")."));
    }

    /**
     * Adds which rule gives links to the URL their priority. @param found whether its request is known, and so what a
     * sitemap says
     */
    static void priority(ExplanationBuilder explanationBuilder, CrawlDefinition definition, LinkFacts link,
            boolean found) {
        PriorityRule.first(definition.priorities(), link)
                .ifPresent(rule -> explanationBuilder.addStory("At depth " + link.depth() + " its request has priority "
                        + rule.priority() + ", unless a parser or a seed says another (priorities: " + rule + ")."));
        if (!found && definition.priorities().stream().anyMatch(PriorityRule::asksSitemap)) {
            explanationBuilder.addStory(
                    "What a sitemap says about it is not known here, so rules that ask for that do not count.");
        }
    }

    private static String text(ScopeRefusal refusal) {
        return refusal.cause() + " (" + refusal.reason() + ").";
    }

    private static boolean isSeed(CrawlDefinition definition, String url) {
        return definition.seeds().stream().flatMap(seed -> seed.url().stream()).map(UrlNormalizer::normalize)
                .anyMatch(new NormalUrl(url)::equals);
    }
}
