package io.trawl.analyzer.batch;

import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.codec.Remains;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.OutcomeKind;
import io.trawl.model.PolitenessKey;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The protocol's rules for a batch: what is stored, followed, emitted and announced. */
class AnalysisTest {
    private static final String A = "http://example.org/a";
    private static final String B = "http://example.org/b";
    private static final String C = "http://example.org/c";

    private static Request request(String url, int depth) {
        return Fixtures.request(url, depth);
    }

    @Test
    void aFirstPageIsStoredAndItsLinksAreEmittedOneDeeper() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(5, request(A, 1), linking("/b", "/c", "#x")));
            assertThat(w.items()).singleElement().satisfies(item -> assertThat(item.url()).isEqualTo(A));
            assertThat(w.urls()).containsExactly(B, C);
            assertThat(w.requestTopics()).containsExactly("t.requests.g4.p1");
            assertThat(w.requests()).allSatisfy(r -> {
                assertThat(r.depth()).isEqualTo(2);
                assertThat(r.redirects()).isZero();
                assertThat(r.seed()).isFalse();
                assertThat(r.parent()).contains(A);
                assertThat(r.domains()).isEqualTo(7);
                assertThat(r.host().value()).isEqualTo("example.org:80");
            });
            assertThat(w.ledger().answered()).containsExactly(new Answered(request(A, 1).id(), OutcomeKind.PAGE, "200", true));
            assertThat(w.ledger().emitted()).extracting(e -> e.id())
                    .containsExactlyElementsOf(w.requests().stream().map(Request::id).toList());
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
            assertThat(w.ledger().bytes()).isEqualTo(linking("/b", "/c", "#x").length());
            assertThat(bench.questions).isEqualTo(1);
        }
    }

    @Test
    void requestsAreKeyedByWhatTheFleetSharesItsPausesBy() {
        try (Bench bench = Bench.fresh()) {
            ConsumerRecord<byte[], byte[]> links = page(5, request(A, 1),
                    linking("http://docs.example.org/", "https://example.org:8443/"));
            assertThat(bench.handle(links).requestKeys()).containsExactly("docs.example.org:80", "example.org:8443");
            bench.control.read(new Channels(2, 4, 3, 8, PolitenessKey.DOMAIN));
            assertThat(bench.handle(links).requestKeys()).containsExactly("example.org", "example.org");
            assertThat(bench.handle(links).requests()).extracting(r -> r.host().value()).as("the server stays what it is")
                    .containsExactly("docs.example.org:80", "example.org:8443");
        }
    }

    @Test
    void aRetryOfABatchDecidesTheSame() {
        try (Bench bench = Bench.fresh()) {
            ConsumerRecord<byte[], byte[]> a = page(5, request(A, 1), linking("/b", "/c"));
            ConsumerRecord<byte[], byte[]> again = page(6, request(A, 1), linking("/d"));
            Written first = bench.handle(a, again);
            Written second = bench.commit(a, again);
            assertThat(second.urls()).isEqualTo(first.urls()).containsExactly(B, C);
            assertThat(second.items()).isEqualTo(first.items()).hasSize(1);
            assertThat(second.ledger().answered()).isEqualTo(first.ledger().answered());
            assertThat(second.stored()).containsExactly(true, false);
        }
    }

    @Test
    void howeverBatchesAreCutTheSameIsStoredAndEmitted() {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            records.add(page(i, request("http://example.org/" + i % 8, i % 3),
                    linking("/" + i, "/" + (i + 1), "/x" + i, "/" + i * 2)));
        }
        Set<String> expected = null;
        for (int size = 1; size <= 12; size++) {
            try (Bench bench = Bench.fresh()) {
                Set<String> result = new HashSet<>();
                for (int from = 0; from < records.size(); from += size) {
                    List<ConsumerRecord<byte[], byte[]>> batch = records.subList(from, Math.min(from + size, records.size()));
                    bench.analysis.handle(batch);
                    Written w = new Written(bench.analysis.handle(batch));
                    w.outgoing().committed().run();
                    w.items().forEach(item -> result.add("stored " + item.id()));
                    w.ledger().answered().forEach(a -> result.add("answered " + a));
                }
                expected = expected == null ? result : expected;
                assertThat(result).isEqualTo(expected);
            }
        }
    }

    @Test
    void twoPagesOfABatchThatLinkTheSameEmitItOnce() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(5, request(A, 2), linking("/c")), page(6, request(B, 1), linking("/c")));
            assertThat(w.requests()).singleElement().satisfies(r -> {
                assertThat(r.url()).isEqualTo(C);
                assertThat(r.depth()).as("the smaller of the two").isEqualTo(2);
            });
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
        }
    }

    @Test
    void aLaterResponseOfAUrlIsNotStoredNorFollowed() {
        try (Bench bench = Bench.fresh()) {
            bench.commit(page(5, request(A, 1), linking("/b")));
            Written w = bench.commit(page(9, request(A, 1), linking("/new")));
            assertThat(w.items()).isEmpty();
            assertThat(w.requests()).isEmpty();
            assertThat(w.stored()).containsExactly(false);
        }
    }

    @Test
    void aSmallerDepthFollowsAgainButStoresNothing() {
        try (Bench bench = Bench.fresh()) {
            bench.commit(page(5, request(A, 3), linking("/b")));
            Written w = bench.commit(page(9, request(A, 1), linking("/b")));
            assertThat(w.items()).isEmpty();
            assertThat(w.urls()).containsExactly(B);
            assertThat(w.requests().getFirst().depth()).isEqualTo(2);
        }
    }

    @Test
    void withoutATightLimitAUrlIsFollowedOnce() {
        try (Bench bench = Bench.fresh()) {
            bench.control.read(Fixtures.started(Fixtures.RUN, "{\"depth\":-1}"));
            assertThat(bench.commit(page(5, request(A, 60), linking("/b"))).requests().getFirst().depth()).isEqualTo(61);
            assertThat(bench.commit(page(9, request(A, 1), linking("/b", "/c"))).requests()).isEmpty();
        }
    }

    @Test
    void linksBeyondTheDepthLimitAreCountedAsRefused() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(5, request(A, 3), linking("/b", "/c", "mailto:x@y")));
            assertThat(w.requests()).isEmpty();
            assertThat(w.items().getFirst().fields()).extracting("links").isEqualTo(List.of(B, C));
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DEPTH, 2, RefusalReason.SCHEME, 1));
            assertThat(bench.questions).isZero();
        }
    }

    @Test
    void foreignDomainsAreListedAndRefused() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(5, request(A, 0), linking("http://other.net/x", "http://www.example.org/", "/b")));
            assertThat(w.urls()).containsExactly("http://www.example.org/", B);
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DOMAIN, 1));
            assertThat(w.ledger().straySeeds()).isEmpty();
        }
    }

    @Test
    void requestsAreAnnouncedAfterTheCommitAndNotBefore() {
        MapLedger ledger = new MapLedger();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.handle(page(5, request(A, 1), linking("/b")));
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(B)))).containsExactly(UrlFacts.NOTHING);
            w.outgoing().committed().run();
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(B)))).containsExactly(UrlFacts.requested(2));
        }
    }

    /** A ledger that goes away. */
    private static final class Leaving implements Ledger {
        private final MapLedger ledger = new MapLedger();
        private boolean gone;

        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            return ledger.lookUp(run, urls);
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            if (gone) {
                throw new LedgerUnavailable("gone", new IllegalStateException());
            }
            return ledger.learn(run, facts);
        }

        @Override
        public void forget(CrawlRun run) {
            ledger.forget(run);
        }
    }

    @Test
    void anAnnouncementThatCannotBeMadeIsDropped() {
        Leaving ledger = new Leaving();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.handle(page(5, request(A, 1), linking("/b")));
            ledger.gone = true;
            w.outgoing().committed().run();
            assertThat(bench.counters.counts().completed()).isEqualTo(1);
        }
    }

    @Test
    void withoutTheLedgerNothingIsDecided() {
        Leaving ledger = new Leaving();
        ledger.gone = true;
        try (Bench bench = Bench.with(ledger)) {
            assertThatThrownBy(() -> bench.handle(page(5, request(A, 1), ""))).isInstanceOf(LedgerUnavailable.class);
            ledger.gone = false;
            assertThat(bench.commit(page(5, request(A, 1), "")).items()).hasSize(1);
            assertThat(bench.counters.counts().handling()).isZero();
            assertThat(bench.counters.counts().failed()).isEqualTo(1);
        }
    }

    @Test
    void aDuplicateIsAnsweredAndNothingElse() {
        MapLedger ledger = new MapLedger();
        try (Bench bench = Bench.with(ledger)) {
            Written w = bench.commit(outcome(5, request(A, 1), new Outcome.Duplicate()));
            assertThat(w.outgoing().records()).hasSize(1);
            assertThat(w.ledger().answered())
                    .containsExactly(new Answered(request(A, 1).id(), OutcomeKind.DUPLICATE, "DUPLICATE", false));
            assertThat(ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(A)))).containsExactly(UrlFacts.NOTHING);
        }
    }

    @Test
    void errorsBecomeErrorItemsOnceAndRefusalsAreOnlyCounted() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(outcome(1, request(A, 1), new Outcome.HttpError(404)),
                    outcome(2, request(B, 1), new Outcome.Refused(RefusalReason.ADDRESS, "10.0.0.1 is private")),
                    outcome(3, request(A, 1), new Outcome.HttpError(500)));
            assertThat(w.items()).singleElement().satisfies(item -> {
                assertThat(item.kind().name()).isEqualTo("ERROR");
                assertThat(List.copyOf(item.fields().keySet())).containsExactly("kind", "status", "cause", "mid", "attempts",
                        "depth", "parent", "fetchedAt");
                assertThat(item.fields()).containsEntry("kind", "HTTP_ERROR").containsEntry("status", 404).containsEntry("mid",
                        "D1|127.0.0.1:8081");
            });
            assertThat(w.ledger().answered()).extracting(Answered::detail).containsExactly("404", "ADDRESS", "500");
            assertThat(w.stored()).containsExactly(true, true, false);
            assertThat(bench.errors).as("told to people too, as the downloader's, once it is stored").singleElement()
                    .satisfies(e -> {
                        assertThat(e.kind()).isEqualTo("HTTP_ERROR");
                        assertThat(e.mid()).hasToString("D1|127.0.0.1:8081");
                        assertThat(e.url()).contains(A);
                        assertThat(e.cause()).contains("404");
                    });
        }
    }

    @Test
    void aPageThatNoParserSurvivesIsAFailure() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(1, request(A, 1), "x", "content-type", "test/bomb"),
                    page(2, request(B, 1), linking("/c")));
            assertThat(w.ledger().answered().getFirst())
                    .isEqualTo(new Answered(request(A, 1).id(), OutcomeKind.FAILURE, "PARSE", true));
            assertThat(w.items().getFirst().fields()).containsEntry("reason", "PARSE").containsEntry("status", 200);
            assertThat(w.items().getFirst().fields().get("cause")).asString().contains("boom");
            assertThat(w.urls()).containsExactly(C);
            assertThat(bench.errors).singleElement().satisfies(e -> assertThat(e.url()).contains(A));
            assertThat(bench.counters.counts().failed()).isEqualTo(1);
        }
    }

    @Test
    void theFieldsOfAPageComeInTheirOrder() {
        try (Bench bench = Bench.fresh()) {
            Request request = new Request(new RequestId(1), Fixtures.RUN, A, request(A, 1).host(), 1, 1, 0, false, 0,
                    Optional.of(B),
                    Fixtures.definition("{\"seeds\":[{\"metadata\":{\"k\":\"v\"}}]}").seeds().getFirst().options());
            String html = "<html lang=en><title>t</title><meta name=description content=d><link rel=canonical href=/c><p>text";
            Written w = bench.commit(Bench.record(0, 1,
                    Fixtures.response(request, new Outcome.Page(203, true), Map.of("content-type", "text/html; charset=utf-8"),
                            html.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
            Map<String, Object> fields = w.items().getFirst().fields();
            assertThat(List.copyOf(fields.keySet())).containsExactly("status", "depth", "parent", "fetchedAt", "contentType",
                    "title", "description", "lang",
                    "canonical", "text", "links", "truncated", "metadata");
            assertThat(fields).containsEntry("fetchedAt", "2026-01-02T03:04:05.678Z").containsEntry("contentType", "text/html")
                    .containsEntry("status", 203)
                    .containsEntry("metadata", Map.of("k", "v"));
            assertThat(w.items().getFirst().id()).matches("[0-9a-f]{32}");
        }
    }

    @Test
    void robotsAreObeyed() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(1, request(A, 1), "<title>t</title><meta name=robots content=noindex><a href=/b>b</a>"),
                    page(2, request(B, 1), linking("/x", "/y"), "x-robots-tag", "trawl: nofollow"),
                    page(3, request(C, 1), "<a rel=nofollow href=/z>z</a>"),
                    page(4, request("http://example.org/d.pdf", 1), "x", "content-type",
                            "application/pdf", "x-robots-tag", "noindex"));
            assertThat(w.items()).hasSize(4);
            assertThat(w.items().getFirst().fields()).containsEntry("noindex", true).containsEntry("links", List.of(B))
                    .doesNotContainKeys("title", "text");
            assertThat(w.items().get(1).fields()).containsEntry("links", List.of("http://example.org/x", "http://example.org/y"))
                    .containsEntry("title", "t");
            assertThat(w.items().get(3).fields()).containsEntry("noindex", true).doesNotContainKey("links");
            assertThat(w.urls()).as("b is linked by a page that may not be indexed, yet followed; but it is answered already")
                    .isEmpty();
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.NOFOLLOW, 3, RefusalReason.SEEN, 1));
        }
    }

    @Test
    void aRedirectIsNoItemAndItsTargetIsARequestOfTheSameDepth() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "b#frag")));
            assertThat(w.items()).isEmpty();
            assertThat(w.requests()).singleElement().satisfies(r -> {
                assertThat(r.url()).isEqualTo(B);
                assertThat(r.depth()).isZero();
                assertThat(r.redirects()).isEqualTo(1);
                assertThat(r.seed()).isTrue();
                assertThat(r.parent()).contains(A);
            });
            assertThat(w.ledger().answered()).extracting(Answered::outcome).containsExactly(OutcomeKind.REDIRECT);
        }
    }

    @Test
    void aRedirectToAnotherHostTakesNoCookieAlong() {
        try (Bench bench = Bench.fresh()) {
            Request with = Fixtures.request(A, 0,
                    Fixtures.definition("{\"seeds\":[{\"cookie\":\"s=1\",\"parser\":\"html\"}]}").seeds().getFirst().options());
            Request b = Fixtures.request(B, 0, with.options());
            Written w = bench.commit(outcome(1, with, new Outcome.Redirect(302, "/same")),
                    outcome(2, b, new Outcome.Redirect(302, "https://www.example.org/other")));
            assertThat(w.requests().get(0).options().cookie()).contains("s=1");
            assertThat(w.requests().get(1).options().cookie()).isEmpty();
            assertThat(w.requests().get(1).options().parser()).contains("html");
        }
    }

    @Test
    void tooManyRedirectsAreAFailure() {
        try (Bench bench = Bench.fresh()) {
            Request third = new Request(new RequestId(9), Fixtures.RUN, A, request(A, 0).host(), 0, 1, 2, true, 0, Optional.of(B),
                    request(A, 0).options());
            Written w = bench.commit(outcome(1, third, new Outcome.Redirect(302, "/c")));
            assertThat(w.requests()).isEmpty();
            assertThat(w.items()).singleElement()
                    .satisfies(item -> assertThat(item.fields()).containsEntry("kind", "FAILURE")
                            .containsEntry("reason", "REDIRECTS").containsEntry("status", 302));
            assertThat(w.ledger().answered())
                    .containsExactly(new Answered(new RequestId(9), OutcomeKind.FAILURE, "REDIRECTS", true));
        }
    }

    @Test
    void aSeedThatIsRedirectedAwayIsNamedWithItsDomain() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "https://www.other.net/x")));
            assertThat(w.ledger().straySeeds()).singleElement().satisfies(stray -> {
                assertThat(stray.url()).isEqualTo(A);
                assertThat(stray.target()).isEqualTo("https://www.other.net/x");
                assertThat(stray.domain()).isEqualTo("other.net");
            });
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DOMAIN, 1));
        }
    }

    @Test
    void aRunThatIsUnknownIsLookedForBeforeItIsDropped() {
        CrawlRun late = new CrawlRun(new CrawlId("late"), 1);
        CrawlRun never = new CrawlRun(new CrawlId("never"), 1);
        CrawlRun over = new CrawlRun(Fixtures.RUN.crawl(), 1);
        try (Bench bench = Bench.fresh()) {
            bench.control.stands(Fixtures.started(late, "{}")).read(Fixtures.started(new CrawlRun(over.crawl(), 2), "{}"));
            Written w = bench.commit(page(1, of(late, A), ""), page(2, of(never, A), ""), page(3, of(over, A), ""));
            assertThat(w.items()).extracting(i -> i.run()).containsExactly(late);
            assertThat(w.ledgers()).extracting(l -> l.run()).containsExactly(late);
            assertThat(bench.control.refreshes()).isEqualTo(3);
        }
    }

    @Test
    void lateRepeatsOfAFinishedRunAreDropped() {
        try (Bench bench = Bench.fresh()) {
            bench.control.read(Fixtures.finished(Fixtures.RUN, "{}"));
            assertThat(bench.commit(page(1, request(A, 1), "")).outgoing().records()).isEmpty();
            bench.control.stands(Fixtures.started(Fixtures.RUN, "{}"));
            assertThat(bench.commit(page(1, request(A, 1), "")).items()).as("it was started again meanwhile").hasSize(1);
        }
    }

    private static Request of(CrawlRun run, String url) {
        Request r = request(url, 0);
        return new Request(r.id(), run, url, r.host(), 0, 9, 0, true, 0, Optional.empty(), r.options());
    }

    @Test
    void aRecordThatCannotBeReadIsReportedAndCostsOnlyItself() {
        try (Bench bench = Bench.fresh()) {
            ConsumerRecord<byte[], byte[]> bare = new ConsumerRecord<>("t.responses", 3, 77, null, new byte[]{1});
            ConsumerRecord<byte[], byte[]> broken = new ConsumerRecord<>("t.responses", 3, 78, null, null);
            broken.headers().add("trawl", "{\"request\":{}}".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            Written w = bench.commit(bare, page(1, request(A, 1), ""), broken);
            assertThat(w.items()).hasSize(1);
            assertThat(bench.errors).hasSize(2).allSatisfy(e -> {
                assertThat(e.kind()).isEqualTo("MALFORMED");
                assertThat(e.source()).containsEntry("topic", "t.responses").containsEntry("partition", "3");
            });
        }
    }

    @Test
    void theRequestOfAResponseThatCannotBeReadIsAnsweredIfItIsKnownAndReportedOnceAfterTheCommit() {
        try (Bench bench = Bench.fresh()) {
            String request = "{\"request\":{\"id\":\"00000000000000ff\",\"run\":\"%s\",\"url\":7},\"outcome\":";
            Written w = bench.handle(described(request.formatted(Fixtures.RUN), 4), described(request.formatted("docs/999"), 5),
                    page(6, request(A, 1), ""));
            assertThat(bench.errors).as("it may be handled again").isEmpty();
            w.outgoing().committed().run();
            assertThat(w.ledgers()).as("only of a run that there is").hasSize(2).contains(
                    new Remains(Fixtures.RUN, new RequestId(255)).answer());
            assertThat(w.items()).hasSize(1);
            assertThat(bench.errors).hasSize(2).allSatisfy(e -> assertThat(e.crawl()).contains(Fixtures.RUN.crawl()));
        }
    }

    private static ConsumerRecord<byte[], byte[]> described(String description, long offset) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t.responses", 0, offset, null, new byte[0]);
        record.headers().add("trawl", description.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return record;
    }

    @Test
    void anItemThatIsTooLargeLosesItsTextThenItsLinks() {
        try (Bench bench = new Bench(new MapLedger(), 600)) {
            String[] many = new String[40];
            java.util.Arrays.setAll(many, i -> "/link/number/" + i);
            Written w = bench.commit(page(1, request(A, 3), "<title>t</title>" + "long text ".repeat(100) + linking("/b")),
                    page(2, request(B, 3), linking(many)));
            assertThat(w.items().get(0).fields()).containsEntry("cut", true).containsEntry("links", List.of(B))
                    .doesNotContainKey("text");
            assertThat(w.items().get(1).fields()).containsEntry("cut", true).containsEntry("title", "t")
                    .doesNotContainKeys("text", "links");
            assertThat(w.outgoing().records()).filteredOn(r -> r.topic().equals("t.items"))
                    .allSatisfy(r -> assertThat(r.value().length).isLessThan(600));
        }
    }

    @Test
    void manyIdsAreSpreadOverSeveralLedgerRecordsEmissionsFirst() {
        try (Bench bench = Bench.fresh()) {
            List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
            for (int p = 0; p < 12; p++) {
                String[] many = new String[500];
                int page = p;
                java.util.Arrays.setAll(many, i -> "/" + page + "/" + i);
                batch.add(page(p, request("http://example.org/p" + p, 1), linking(many)));
            }
            Written w = new Written(bench.analysis.handle(batch));
            assertThat(w.requests()).hasSize(6000);
            assertThat(w.ledgers()).hasSize(2);
            assertThat(w.ledgers().get(0).emitted()).hasSize(5000);
            assertThat(w.ledgers().get(0).answered()).isEmpty();
            assertThat(w.ledgers().get(1).emitted()).hasSize(1000);
            assertThat(w.ledgers().get(1).answered()).hasSize(12);
            assertThat(w.ledgers().get(1).bytes()).isZero();
        }
    }

    @Test
    void aRecordThatIsGivenUpIsAnsweredAsAFailure() {
        try (Bench bench = Bench.fresh()) {
            Written w = new Written(
                    bench.analysis.giveUp(page(1, request(A, 1), linking("/b")), new IllegalStateException("odd")));
            w.outgoing().committed().run();
            assertThat(w.ledger().answered())
                    .containsExactly(new Answered(request(A, 1).id(), OutcomeKind.FAILURE, "PARSE", true));
            assertThat(w.items()).singleElement()
                    .satisfies(item -> assertThat(item.fields().get("cause")).asString().contains("odd"));
            assertThat(w.requests()).isEmpty();
        }
    }

    @Test
    void aPriorityThatTheDeploymentDoesNotHaveBecomesItsHighest() {
        try (Bench bench = Bench.fresh()) {
            CrawlRun run = new CrawlRun(new CrawlId("other"), 1);
            bench.control.read(Fixtures.started(run, "{}"));
            assertThat(bench.commit(page(1, of(run, A), linking("/b"))).requestTopics()).containsExactly("t.requests.g4.p2");
        }
    }

    @Test
    void theOrderWithinAPartitionDecidesNotTheOrderInTheBatch() {
        try (Bench bench = Bench.fresh()) {
            Written w = bench.commit(page(8, request(A, 1), linking("/b")), page(5, request(A, 1), linking("/c")));
            assertThat(w.ledger().answered()).hasSize(2);
            assertThat(w.stored()).containsExactly(true, false);
            assertThat(w.urls()).containsExactly(C);
        }
    }
}
