package io.trawl.standalone.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.url.DiscoverRules;
import io.trawl.definition.url.DiscoverRules.Origin;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.feed.FeedEntry;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.coordinator.summary.Rates;
import io.trawl.coordinator.summary.Totals;
import io.trawl.standalone.text.CrawlOutcome.RunOutput;
import io.trawl.coordinator.text.Screen;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.model.RefusalReason;
import java.io.IOException;
import io.trawl.pipeline.changes.ChangeCounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrawlOutcomeTest {
    private static final Optional<ChangeCounts> CHANGES = Optional
            .of(new ChangeCounts(3, 12, 31, 4, 9_940, 3, 1, 0, 0, 2));
    @TempDir
    private Path here;

    @BeforeEach
    void makeFolders() throws IOException {
        for (String kind : List.of("items", "errors", "archive")) {
            Files.createDirectories(here.resolve("pages/" + kind + "/docs-1"));
        }
    }

    @Test
    void isATableOfTheTotals() {
        CrawlOutcome outcome = outcome(summary(Optional.of(EndReason.FINISHED),
                Map.of(RefusalReason.DOMAIN, 640L, RefusalReason.ROBOTS, 12L), List.of()), false);
        assertThat(String.join("\n", outcome.lines(here, Screen.FILE))).isEqualTo(
                """
                        docs/1: finished after 1m 02s, 31 requests left, idle
                        1,300 emitted = 1,204 pages + 17 redirects + 2 HTTP errors + 1 failure + 12 refused + 33 duplicates + 31 waiting
                        1,207 items = 1,200 stored + 4 dropped + 1 rejected + 2 waiting
                          pages      1,204  34.2 MB
                          errors         3  HTTP_ERROR 404 2, FAILURE TIMEOUT 1
                          refusals     652  DOMAIN 640, ROBOTS 12
                          waiting       31  p1 31
                          dropped        4  min-words: too short 4
                          rejected       1  score: IllegalStateException 1
                          duration  1m 02s  19.4 pages/s
                          output            pages/items/docs-1
                                            pages/errors/docs-1
                          archive           pages/archive/docs-1
                          domains        1  example.org""");
    }

    @Test
    void reportsHowManyRequestsAreLeftAtTheLimit() {
        CrawlOutcome outcome = outcome(summary(Optional.of(EndReason.PAGE_LIMIT), Map.of(), List.of()), false);
        assertThat(outcome.lines(here, Screen.FILE))
                .startsWith("docs/1: at its limit (page limit) after 1m 02s, 31 requests left, idle")
                .endsWith("the limit is reached: the same command with a higher --max-pages resumes");
    }

    @Test
    void namesTheDomainToAddForASeedThatLeadsAway() {
        StraySeed stray = new StraySeed("http://old.example/", "https://new.example/", "new.example");
        CrawlOutcome outcome = outcome(
                summary(Optional.of(EndReason.FINISHED), Map.of(RefusalReason.ADDRESS, 1L), List.of(stray, stray)),
                false);
        assertThat(outcome.lines(here, Screen.FILE)).endsWith(
                "http://old.example/ redirects to https://new.example/, which is not in the accepted domains: add --domain new.example",
                "private, loopback and other special addresses are closed: allow yours with --allow-network CIDR");
    }

    @Test
    void countsTheSpeedOfThisRunAloneIfOthersWentBefore() {
        CrawlOutcome outcome = outcome(summary(Optional.empty(), Map.of(), List.of()), true);
        assertThat(outcome.lines(here, Screen.FILE)).first()
                .isEqualTo("docs/1: stopped after 1m 02s, 31 requests left, idle");
        assertThat(outcome.lines(here, Screen.FILE))
                .contains("  duration   4.0s  25.0 pages/s in this run, 1m 02s in all");
    }

    @Test
    void saysWhyThereIsNoPage() {
        CrawlOutcome outcome = withoutPage(List.of(error("https://x.example/", "connection refused"),
                error("https://y.example/", "reset\u001b[2J"), error("https://z.example/", "no address"),
                error("https://more.example/", "no address")));
        assertThat(outcome.failed()).isTrue();
        assertThat(outcome.lines(here, Screen.FILE)).endsWith("no page: https://x.example/ CONNECT connection refused",
                "no page: https://y.example/ CONNECT reset\uFFFD[2J", "no page: https://z.example/ CONNECT no address",
                "the last finished run stays: pages/items/docs-1");
        assertThat(outcome(summary(Optional.of(EndReason.ASKED), Map.of(), List.of(), 0), false).failed()).isFalse();
        CrawlSummary good = summary(Optional.of(EndReason.FINISHED), Map.of(), List.of());
        assertThat(outcome(good, false).failed()).isFalse();
        assertThat(outcome(good.withEnd(Optional.of(new End(EndReason.FINISHED, Instant.EPOCH, true))), false).failed())
                .isTrue();
    }

    @Test
    void tellsErrorsOfARunWithPagesThatNoFileHas() {
        CrawlSummary summary = summary(Optional.of(EndReason.FINISHED), Map.of(), List.of())
                .with(made -> made.errorsByKind(Map.of("HTTP_ERROR 404", 2L, "FAILURE TIMEOUT", 1L, "EXTRACT", 9L)));
        CrawlOutcome outcome = new CrawlOutcome(
                summary, 100, Duration.ofSeconds(4), false, false, new RunOutput(here.resolve("pages/items/docs-1"),
                        here.resolve("pages/errors/docs-1"), Optional.empty(), Optional.empty(), Optional.empty()),
                List.of(error("https://x.example/", "it is required")));
        assertThat(outcome.lines(here, Screen.FILE)).endsWith("error: https://x.example/ CONNECT it is required",
                "8 further errors of parsers, rules and processors: ./trawl errors lists them while the crawl runs, and"
                        + " ./trawl preview those of a page");
        assertThat(outcome(summary(Optional.of(EndReason.FINISHED), Map.of(), List.of()), false).causes()).isEmpty();
    }

    @Test
    void saysThatPagesHaveNoLinkIfTheyWouldBeFollowed() {
        String said = "no page has a link: if scripts make them, --fetcher browser runs these (docs/plugins.md)";
        Totals totals = new Totals(3, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 380, 0, 0, Optional.empty(),
                new ItemTotals(1, 1, 0, 0, 0));
        CrawlSummary alone = summary(Optional.of(EndReason.FINISHED), Map.of(), List.of())
                .with(made -> made.totals(totals).definedSeeds(1).errorsByKind(Map.of()));
        CrawlDefinition seedsOnly = alone.definition().withDiscover(DiscoverRules.DEFAULT.withFrom(Origin.SEEDS));
        assertThat(outcome(alone, false).lines(here, Screen.FILE)).contains(said);
        assertThat(Stream
                .of(alone.with(made -> made.refusals(Map.of(RefusalReason.DEPTH, 1L))),
                        alone.with(made -> made.totals(totals.plus(totals))), alone.withDefinition(seedsOnly),
                        alone.withDefinition(
                                alone.definition().withFetch(FetchRules.DEFAULT.withFetcher(Optional.of("browser")))))
                .flatMap(other -> outcome(other, false).lines(here, Screen.FILE).stream())).doesNotContain(said);
    }

    @Test
    void namesTheKindsOfErrorsIfNoneIsKnownAnyMore() {
        assertThat(withoutPage(List.of()).causes()).containsExactly("no page: HTTP_ERROR 404 2, FAILURE TIMEOUT 1");
    }

    @Test
    void saysThatTheFolderOfErrorsIsOutputIfThereAreNoPages() throws IOException {
        Files.delete(here.resolve("pages/items/docs-1"));
        assertThat(
                outcome(summary(Optional.of(EndReason.FINISHED), Map.of(), List.of()), false).lines(here, Screen.FILE))
                .contains("  output            pages/errors/docs-1");
    }

    @Test
    void namesNoFolderThatDoesNotExist() throws IOException {
        Files.delete(here.resolve("pages/errors/docs-1"));
        assertThat(
                outcome(summary(Optional.of(EndReason.FINISHED), Map.of(), List.of()), false).lines(here, Screen.FILE))
                .anyMatch(line -> line.contains("pages/items")).noneMatch(line -> line.contains("pages/errors"));
    }

    private CrawlOutcome withoutPage(List<SeenError> failed) {
        CrawlSummary summary = summary(Optional.of(EndReason.FINISHED), Map.of(), List.of(), 0);
        return new CrawlOutcome(summary, 0, Duration.ofSeconds(4), false, false, new RunOutput(here, here,
                Optional.empty(), Optional.of(here.resolve("pages/items/docs-1")), Optional.empty()), failed);
    }

    private static SeenError error(String url, String cause) {
        return SeenError.of(new FeedEntry<>(0, 0, CrawlerError.of(MID.parse("D1|a:1"), Optional.of(new CrawlId("docs")),
                Optional.of(url), "CONNECT", cause, 1, Instant.EPOCH)));
    }

    @Test
    void saysWhatDiffersFromTheRunBefore() {
        assertThat(outcome(summary(Optional.of(EndReason.FINISHED), Map.of(), List.of()), false, CHANGES).lines(here,
                Screen.FILE)).contains(
                        "since run 3: new 12, changed 31, touched 4, unchanged 9,940, gone 3, back 1, no longer linked 2");
    }

    @Test
    void saysThatTheFilesOfARefreshAreNotTheWholeSite() {
        CrawlSummary refresh = summary(Optional.of(EndReason.FINISHED), Map.of(), List.of())
                .with(made -> made.epoch(2).refreshes(Optional.of(1)));
        CrawlOutcome outcome = new CrawlOutcome(refresh, 100, Duration.ofSeconds(4), false, false,
                new RunOutput(here.resolve("pages/items/docs-2"), here.resolve("pages/errors/docs-2"), Optional.empty(),
                        Optional.of(here.resolve("pages/items/docs-1")), CHANGES),
                List.of());
        assertThat(outcome.lines(here, Screen.FILE)).endsWith(
                "since run 3: new 12, changed 31, touched 4, unchanged 9,940, gone 3, back 1, no longer linked 2",
                "the files of this run are what is new or has changed since run 1; the last whole run is in pages/items/docs-1",
                "./trawl export docs --from pages --out DIR gives all pages as they are now");
    }

    @Test
    void isAlsoJsonWithWhereThePagesAre() {
        CrawlOutcome outcome = outcome(summary(Optional.of(EndReason.FINISHED), Map.of(), List.of()), false, CHANGES);
        assertThat(outcome.json()).startsWith("{\"crawl\":\"docs\",\"epoch\":1")
                .contains("\"pagesPerSecond\":19.4", "\"changes\":{\"since\":3,\"new\":12,", "\"pages\":1204",
                        "\"items\":\"" + here + "/pages/items/docs-1\"",
                        "\"archive\":\"" + here + "/pages/archive/docs-1\"")
                .doesNotContain("\n");
    }

    private CrawlOutcome outcome(CrawlSummary summary, boolean begunBefore) {
        return outcome(summary, begunBefore, Optional.empty());
    }

    private CrawlOutcome outcome(CrawlSummary summary, boolean begunBefore, Optional<ChangeCounts> changes) {
        return new CrawlOutcome(summary, 100, Duration.ofSeconds(4), begunBefore, false,
                new RunOutput(here.resolve("pages/items/docs-1"), here.resolve("pages/errors/docs-1"),
                        Optional.of(here.resolve("pages/archive/docs-1")),
                        Optional.of(here.resolve("pages/items/docs-1")), changes),
                List.of());
    }

    private static CrawlSummary summary(Optional<EndReason> end, Map<RefusalReason, Long> refusals,
            List<StraySeed> stray) {
        return summary(end, refusals, stray, 1204);
    }

    private static CrawlSummary summary(Optional<EndReason> end, Map<RefusalReason, Long> refusals,
            List<StraySeed> stray, long pages) {
        Totals totals = new Totals(1300, pages, 0, 0, 0, 0, 0, 17, 2, 1, 12, 33, 31, 0, 34_200_000, 1, 0,
                Optional.empty(), new ItemTotals(1207, 1200, 4, 1, 2));
        return new CrawlSummary(new CrawlId("docs"), 1, CrawlState.STOPPED, end.map(r -> new End(r, Instant.EPOCH)),
                Optional.of(Instant.EPOCH), Duration.ofSeconds(62),
                CrawlDefinition.of(List.of()).withLimits(CrawlLimits.DEFAULT.withDepth(2)), 0, List.of("example.org"),
                totals, Map.of(1, 31L), Map.of("HTTP_ERROR 404", 2L, "FAILURE TIMEOUT", 1L), refusals, Map.of(), stray,
                Map.of("min-words: too short", 4L), Map.of("score: IllegalStateException", 1L), Rates.NONE, true,
                Optional.empty(), Optional.empty(), Optional.empty(), List.of(), List.of(), Optional.empty(),
                Optional.empty(), Optional.empty());
    }
}
