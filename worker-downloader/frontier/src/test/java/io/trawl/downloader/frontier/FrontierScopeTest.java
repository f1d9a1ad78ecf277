package io.trawl.downloader.frontier;

import static io.trawl.downloader.frontier.World.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.CrawlTerms.TermsOfScope;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.DepthRule;
import io.trawl.scope.MediaTypeRules;
import io.trawl.scope.PagesRule;
import io.trawl.scope.RequisiteRules;
import io.trawl.scope.ScopeRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A changed scope holds for what waits, from the next turn on, and budgets of patterns hold for all hosts. */
class FrontierScopeTest {
    private final World world = new World().open("a", "b");

    private static ScopeRules excluding(String pattern) {
        return new ScopeRules(10, List.of(), List.of(UrlPattern.parse(pattern)), List.of(), java.util.Set.of());
    }

    private void scope(long version, ScopeRules rules, PagesRule... maxPages) {
        world.crawls.put(RUN,
                World.terms(Duration.ZERO).withScope(new TermsOfScope(version, rules, List.of(maxPages))));
        world.crawlsChanged(List.of());
    }

    private void deliver(String url, int depth, boolean seed, int redirects, long definition) {
        HostKey host = new HostKey(url.split("/")[2]);
        Request request = RequestBuilder.builder().id(new RequestId(url.hashCode())).run(RUN).url(url).host(host)
                .depth(depth).priority(1).redirects(redirects).seed(seed).domains(1).build().withDefinition(definition);
        world.deliver(new RequestPartition(1, 0), request);
    }

    private List<Outcome.Refused> refused() {
        return world.sendAnswers.stream().map(answer -> answer.answer().outcome())
                .filter(Outcome.Refused.class::isInstance).map(Outcome.Refused.class::cast).toList();
    }

    @Test
    void whatIsNoLongerInScopeIsRefusedAtItsTurnWithoutAFetchAndWithoutRobotsTxt() {
        World closed = new World();
        closed.crawls.put(RUN,
                World.terms(Duration.ZERO).withScope(new TermsOfScope(6, excluding("/b/**"), List.of())));
        closed.deliver(1, "http://a/b/1");
        closed.deliver(1, "http://a/b/2");
        closed.settle();
        assertThat(closed.begun()).isEmpty();
        assertThat(closed.all).noneMatch(FrontierAction.LoadRobots.class::isInstance);
        assertThat(closed.sendAnswers).hasSize(2).allSatisfy(
                sent -> assertThat(sent.answer().outcome()).isEqualTo(new Outcome.Refused(RefusalReason.EXCLUDED,
                        "the crawl excludes it (scope.exclude: /b/**)", Optional.of("scope.exclude: /b/**"))));
    }

    @Test
    void aChangeHoldsForWhatWaitsAlready() {
        for (int i = 0; i < 5; i++) {
            deliver("http://a/b/" + i, 1, false, 0, 5);
        }
        deliver("http://a/c", 1, false, 0, 5);
        assertThat(world.settle().begun()).containsExactly("http://a/b/0");
        scope(6, excluding("/b/**"));
        assertThat(world.endWithPage().settle().begun()).containsExactly("http://a/c");
        assertThat(refused()).hasSize(4);
    }

    @Test
    void theDefinitionThatAdmittedARequestAndAnOlderOneRefuseNothing() {
        scope(6, excluding("/b/**"));
        deliver("http://a/b/1", 1, false, 0, 6);
        assertThat(world.settle().begun()).containsExactly("http://a/b/1");
        world.endWithPage();
        deliver("http://a/b/2", 1, false, 0, 7);
        assertThat(world.settle().begun()).containsExactly("http://a/b/2");
        assertThat(refused()).isEmpty();
    }

    @Test
    void aSeedIsRefusedByExclusionsOnlyAndTheTargetOfItsRedirectLikeALink() {
        scope(6, new ScopeRules(10, List.of(UrlPattern.parse("/in/**")), List.of(), List.of(), java.util.Set.of()));
        deliver("http://a/seed", 0, true, 0, 5);
        deliver("http://b/target", 0, true, 1, 5);
        assertThat(world.settle().begun()).containsExactly("http://a/seed");
        assertThat(refused()).extracting(Outcome.Refused::reason).containsExactly(RefusalReason.NOT_INCLUDED);
    }

    @Test
    void theDepthOfAPatternIsComparedWithTheSmallestKnownOne() {
        scope(6, ScopeRules.of(10, List.of(), List.of(), List.of(new DepthRule(UrlPattern.parse("/b/**"), 1)),
                Optional.empty(), MediaTypeRules.ALL));
        world.facts.put("http://a/b/1", UrlFacts.requested(1));
        deliver("http://a/b/1", 2, false, 0, 5);
        deliver("http://b/b/2", 2, false, 0, 5);
        assertThat(world.settle().begun()).containsExactly("http://a/b/1");
        assertThat(refused()).extracting(Outcome.Refused::reason).containsExactly(RefusalReason.PATTERN_DEPTH);
    }

    private void deliverRequisite(String url) {
        HostKey host = new HostKey(url.split("/")[2]);
        world.deliver(new RequestPartition(1, 0),
                RequestBuilder.builder().id(new RequestId(url.hashCode())).run(RUN).url(url).host(host).depth(0)
                        .priority(1).domains(1)
                        .options(FetchOptions.NONE.with(own -> own.parser(Optional.of(FetchOptions.REQUISITE)))).build()
                        .withDefinition(5));
    }

    @Test
    void requisitesHaveHostsAndABudgetOfTheirOwn() {
        ScopeRules rules = new ScopeRules(0, List.of(UrlPattern.parse("/pages/**")), List.of(), List.of(),
                java.util.Set.of("png")).withRequisites(List.of(UrlPattern.parse("a/**")));
        world.crawls.put(RUN,
                World.terms(Duration.ZERO)
                        .withScope(new TermsOfScope(6, rules, List.of(new PagesRule(UrlPattern.parse("/**"), 1L)),
                                new RequisiteRules(List.of(), Optional.of(3L)).budget())));
        world.crawlsChanged(List.of());
        deliverRequisite("http://b/no.png");
        for (int i = 0; i < 5; i++) {
            deliverRequisite("http://a/" + i + ".png");
        }
        int fetched = 0;
        for (world.settle(); !world.fetches.isEmpty(); world.endWithPage().settle()) {
            fetched++;
        }
        assertThat(fetched).isEqualTo(3);
        assertThat(refused()).extracting(no -> no.rule().orElse("")).containsExactlyInAnyOrder("scope.requisites.hosts",
                "scope.requisites.maxRequests: 3", "scope.requisites.maxRequests: 3");
    }

    @Test
    void aRequisiteNeedsNoPermitOfItsRun() {
        world.crawls.put(RUN, World.terms(Duration.ZERO).withLimited(true));
        world.crawlsChanged(List.of());
        deliverRequisite("http://a/1.png");
        assertThat(world.settle().begun()).containsExactly("http://a/1.png");
        assertThat(world.all).noneMatch(FrontierAction.UsePermit.class::isInstance);
        assertThat(world.all).filteredOn(FrontierAction.TakeBudget.class::isInstance).isEmpty();
    }

    @Test
    void noMoreUrlsOfAPatternAreFetchedThanItsBudgetHasOnAllHostsTogether() {
        scope(6, ScopeRules.within(10), new PagesRule(UrlPattern.parse("/tag/**"), 3L));
        for (int i = 0; i < 10; i++) {
            deliver("http://a/tag/" + i, 1, false, 0, 6);
            deliver("http://b/tag/" + i, 1, false, 0, 6);
        }
        deliver("http://a/page", 1, false, 0, 6);
        int fetched = 0;
        for (world.settle(); !world.fetches.isEmpty(); world.endWithPage().settle()) {
            fetched++;
        }
        assertThat(fetched).isEqualTo(4);
        assertThat(refused()).hasSize(17).allSatisfy(no -> {
            assertThat(no.reason()).isEqualTo(RefusalReason.BUDGET);
            assertThat(no.rule()).contains("scope.maxPages: /tag/** (3)");
        });
        scope(7, ScopeRules.within(10), new PagesRule(UrlPattern.parse("/tag/**"), 4L));
        deliver("http://a/tag/more", 1, false, 0, 7);
        assertThat(world.settle().begun()).as("a larger budget").containsExactly("http://a/tag/more");
    }
}
