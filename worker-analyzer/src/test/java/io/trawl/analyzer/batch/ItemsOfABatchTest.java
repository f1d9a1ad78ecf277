package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.ItemKind;
import io.trawl.api.Item;
import io.trawl.model.Response;
import io.trawl.model.Body;
import io.trawl.codec.BodyPacking;
import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.MapLedger;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.Damage;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.TraceContext;
import io.trawl.model.Request.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The items of pages, of pages that may not be indexed or are too large, and of errors. */
class ItemsOfABatchTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @Test
    void theFieldsOfAPageHaveAFixedOrder() {
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(Fixtures.RUN).url(A)
                .host(request(A, 1).host()).depth(1).priority(1).parent(Optional.of(B))
                .options(Fixtures.definition("{\"seeds\":[{\"metadata\":{\"k\":\"v\"}}]}").seeds().getFirst().options())
                .build();
        String html = "<html lang=en><title>t</title><meta name=description content=d><link rel=canonical href=/c><p>text";
        Written w = bench.commit(Bench.record(0, 1,
                Fixtures.response(request, new Outcome.Success(203, true),
                        Map.of("content-type", "text/html; charset=utf-8"),
                        html.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
        Map<String, Object> fields = w.items().getFirst().fields();
        assertThat(List.copyOf(fields.keySet())).containsExactly("status", "depth", "parent", "fetchedAt",
                "responseTime", "attempts", "contentType", "encoding", "bytes", "sha256", "title", "description",
                "lang", "canonical", "text", "links", "truncated", "cuts", "metadata");
        assertThat(fields).containsEntry("fetchedAt", "2026-01-02T03:04:05.678Z")
                .containsEntry("contentType", "text/html").containsEntry("status", 203)
                .containsEntry("metadata", Map.of("k", "v")).containsEntry("cuts", List.of("bytes"));
        assertThat(w.items().getFirst().id()).matches("[0-9a-f]{32}");
    }

    @Test
    void aPageThatMustNotBeInAnIndexSaysNothingOfItsAuthorDatesAndSite() {
        String said = "<meta name=author content=Ann><meta property=og:site_name content=s>"
                + "<meta name=date content=2025-01-01><meta property=og:type content=article>";
        assertThat(bench.commit(page(1, request(A, 0), said)).items().getFirst().fields())
                .containsEntry("author", "Ann").containsEntry("siteName", "s").containsEntry("published", "2025-01-01")
                .containsEntry("pageType", "article");
        assertThat(bench.commit(page(2, request(B, 0), said + "<meta name=robots content=noindex>")).items().getFirst()
                .fields()).doesNotContainKeys("author", "siteName", "published", "pageType");
    }

    @Test
    void anItemSaysWhatWasFetchedAndHow() {
        Request request = RequestBuilder.builder().id(new RequestId(1)).run(Fixtures.RUN).url(A)
                .host(request(A, 1).host()).depth(1).priority(1).redirects(2).parent(Optional.of(C))
                .options(request(A, 1).options()).chain(List.of(new RedirectHop(B, 301), new RedirectHop(C, 302)))
                .build();
        Written w = bench.commit(Bench.record(0, 1,
                Fixtures.response(request, new Outcome.Success(200, false),
                        Map.of("content-type", "application/pdf", "etag", "W/\"5\"", "last-modified",
                                "Fri, 02 Jan 2026 03:04:05 GMT"),
                        "abc".getBytes(java.nio.charset.StandardCharsets.US_ASCII))));
        assertThat(w.items().getFirst().fields()).isEqualTo(Map.ofEntries(Map.entry("status", 200),
                Map.entry("depth", 1), Map.entry("parent", C), Map.entry("fetchedAt", "2026-01-02T03:04:05.678Z"),
                Map.entry("responseTime", 5), Map.entry("attempts", 1),
                Map.entry("redirects", List.of(Map.of("url", B, "status", 301), Map.of("url", C, "status", 302))),
                Map.entry("contentType", "application/pdf"), Map.entry("bytes", 3),
                Map.entry("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
                Map.entry("etag", "W/\"5\""), Map.entry("lastModified", "2026-01-02T03:04:05.000Z"),
                Map.entry("noText", "type")));
    }

    @Test
    void anItemWithoutTextSaysWhy() {
        Written w = bench.commit(page(1, request(A, 1), "<p>text"),
                page(2, request(B, 1), "<title>t</title><script>x()</script>"),
                page(3, request(C, 1), "<meta name=robots content=noindex><p>text"));
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":3},\"extract\":{\"text\":false}}"));
        Written off = bench.commit(page(4, request("http://example.org/d", 1), "<p>text"));
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"extract\":{\"parsers\":[\"failing\"]}}"));
        Written unread = bench.commit(page(5, request("http://example.org/e", 1), "<p>text"));
        assertThat(Stream.of(w, off, unread).flatMap(written -> written.items().stream())
                .map(item -> item.fields().getOrDefault("noText", "-")))
                .containsExactly("-", "empty", "noindex", "off", "off");
    }

    @Test
    void aBodyThatCannotBeUnpackedIsOneErrorAndAffectsNoOtherPage() {
        ConsumerRecord<byte[], byte[]> damaged = page(1, request(A, 1), "no block");
        damaged.headers().add(BodyPacking.HEADER, BodyPacking.header(1000));
        Written w = bench.commit(damaged, page(2, request(B, 1), "<p>text"));
        assertThat(w.items()).extracting(Item::kind).containsExactly(ItemKind.ERROR, ItemKind.PAGE);
        assertThat(w.items().getFirst().fields()).containsEntry("reason", "PARSE").doesNotContainKey("sha256");
        assertThat((String) w.items().getFirst().fields().get("cause")).contains("not a block of LZ4");
    }

    @Test
    void aLargeBodyIsAnalysedAsIfItWereNotPacked() {
        String html = "<title>t</title>" + "<p>a sentence of this page".repeat(5000);
        Response response = Fixtures.response(request(A, 1), new Outcome.Success(200, false),
                Map.of("content-type", "text/html"), html.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        Body packed = new BodyPacking().pack(response.body());
        assertThat(packed.isPacked()).isTrue();
        Written w = bench.commit(Bench.record(0, 1, new Response(response.request(), response.outcome(), response.mid(),
                response.fetchedAt(), response.took(), response.attempts(), response.headers(), packed)));
        Written plain = Bench.fresh().commit(Bench.record(0, 1, response));
        assertThat(w.items().getFirst().fields()).isEqualTo(plain.items().getFirst().fields()).containsEntry("bytes",
                html.length());
    }

    @Test
    void validatorsThatAreNoneAreLeftOut() {
        Written w = bench.commit(page(1, request(A, 1), "x", "etag", "e".repeat(501), "last-modified", "yesterday"));
        assertThat(w.items().getFirst().fields()).doesNotContainKeys("etag", "lastModified");
    }

    @Test
    void robotsDirectivesAreObeyed() {
        Written w = bench.commit(
                page(1, request(A, 1), "<title>t</title><meta name=robots content=noindex><a href=/b>b</a>"),
                page(2, request(B, 1), linking("/x", "/y"), "x-robots-tag", "trawl: nofollow"),
                page(3, request(C, 1), "<a rel=nofollow href=/z>z</a>"), page(4, request("http://example.org/d.pdf", 1),
                        "x", "content-type", "application/pdf", "x-robots-tag", "noindex"));
        assertThat(w.items()).hasSize(4);
        assertThat(w.items().getFirst().fields()).containsEntry("noindex", true).containsEntry("links", List.of(B))
                .doesNotContainKeys("title", "text");
        assertThat(w.items().get(1).fields())
                .containsEntry("links", List.of("http://example.org/x", "http://example.org/y"))
                .containsEntry("title", "t");
        assertThat(w.items().get(3).fields()).containsEntry("noindex", true).doesNotContainKey("links");
        assertThat(w.urls()).as("b is linked by a noindex page whose links are followed, but b already has a response")
                .isEmpty();
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.NOFOLLOW, 3, RefusalReason.SEEN, 1));
    }

    @Test
    void eachHeaderLineForRobotsStandsForItselfAndADateThatHasPassedIsNoindex() {
        Written w = bench.commit(
                page(1, request(A, 1), "<title>t</title>", "x-robots-tag", "otherbot: nofollow\nnoindex"),
                page(2, request(B, 1), "<title>t</title>", "x-robots-tag",
                        "unavailable_after: 25 Jun 2010 15:00:00 PST"),
                page(3, request(C, 1), "<title>t</title><meta name=robots content='unavailable_after: 2040-01-01'>"),
                page(4, request("http://example.org/d", 1),
                        "<title>t</title><meta name=robots content='unavailable_after: 2010-06-25'>"));
        assertThat(w.items()).extracting(item -> item.fields().getOrDefault("noindex", false)).containsExactly(true,
                true, false, true);
    }

    @Test
    void linksOfItemsKeepTheirFragmentsIfTheCrawlWantsThemAndRequestsNever() {
        String html = "<a href='#top'>t</a><a href=/b#x>x</a><a href='/b#y z'>y</a><a href=/b>b</a><a rel=nofollow href=/b#x>x</a>";
        List<String> urls = List.of(A + "#top", B + "#x", B + "#y%20z", B);
        try (Bench fragments = Bench.fresh()) {
            fragments.control
                    .read(Fixtures.started(Fixtures.RUN, "{\"extract\":{\"fragments\":true,\"anchors\":true}}"));
            Written w = fragments.commit(page(1, request(A, 1), html));
            assertThat(w.urls()).containsExactly(B);
            assertThat(w.items().getFirst().fields()).containsEntry("links", urls);
            assertThat((List<?>) w.items().getFirst().fields().get("anchors"))
                    .extracting(anchor -> ((Map<?, ?>) anchor).get("url") + " " + ((Map<?, ?>) anchor).get("text"))
                    .containsExactly(A + "#top t", B + "#x x", B + "#y%20z y", B + " b");
            assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
        }
        assertThat(bench.commit(page(1, request(A, 1), html)).items().getFirst().fields()).containsEntry("links",
                List.of(A, B));
    }

    @Test
    void anItemThatIsTooLargeLosesItsTextThenItsLinks() {
        try (Bench small = new Bench(new MapLedger(), 800)) {
            String[] many = new String[40];
            java.util.Arrays.setAll(many, i -> "/link/number/" + i);
            Written w = small.commit(
                    page(1, request(A, 3), "<title>t</title>" + "long text ".repeat(100) + linking("/b")),
                    page(2, request(B, 3), linking(many)));
            assertThat(w.items().get(0).fields()).containsEntry("cuts", List.of("item"))
                    .containsEntry("links", List.of(B)).doesNotContainKey("text");
            assertThat(w.items().get(1).fields()).containsEntry("cuts", List.of("item")).containsEntry("title", "t")
                    .doesNotContainKeys("text", "links");
            assertThat(w.outgoing().records()).filteredOn(r -> r.topic().equals("t.items"))
                    .allSatisfy(r -> assertThat(r.value().length).isLessThan(800));
            assertThat(small.analysisReport.cuts(PageBudget.ITEM)).isEqualTo(2);
        }
    }

    @Test
    void aPageThatExceedsABudgetIsAnItemWithItsLinksAndItsCutsAreNamedAndCounted() {
        String[] many = new String[Bench.LINKS + 1];
        java.util.Arrays.setAll(many, i -> "/n/" + i);
        Written w = bench.commit(page(1, request(A, 1), linking(many)),
                page(2, request(B, 1), "<a href=/last>l</a><p>" + "<font>".repeat(14) + "<p>x".repeat(Bench.NODES)),
                page(3, request(C, 1), "x", "content-type", "test/endless"));
        assertThat(w.items().get(0).fields()).containsEntry("cuts", List.of("links")).doesNotContainKey("truncated");
        assertThat(w.items().get(1).fields()).containsEntry("cuts", List.of("nodes")).containsEntry("truncated", true);
        assertThat(w.items().get(2).fields()).containsEntry("reason", "PARSE").extractingByKey("cause").asString()
                .contains("not parsed within");
        assertThat(w.urls()).hasSize(Bench.LINKS + 1).contains("http://example.org/last");
        assertThat(PageBudget.values()).extracting(bench.analysisReport::cuts).containsExactly(0L, 0L, 0L, 1L, 1L, 0L,
                1L, 0L, 0L);
    }

    @Test
    void anItemOfADamagedBodySaysWhatIsDamaged() {
        for (Damage damage : Damage.values()) {
            Written w = bench.commit(Bench.record(0, damage.ordinal(),
                    Fixtures.response(request("http://example.org/" + damage, 1),
                            new Outcome.Success(200, true, Optional.of(damage)), Map.of("content-type", "text/html"),
                            "<title>t</title>".getBytes(java.nio.charset.StandardCharsets.UTF_8))));
            assertThat(w.items().getFirst().fields()).containsEntry("title", "t").containsEntry("truncated", true)
                    .containsEntry("cuts", List.of(damage.name().toLowerCase(java.util.Locale.ROOT)));
        }
        assertThat(bench.analysisReport.cuts(PageBudget.CHECKSUM)).isEqualTo(1);
        assertThat(bench.analysisReport.cuts(PageBudget.CODING)).isEqualTo(1);
    }

    @Test
    void errorsBecomeErrorItemsOnceAndRefusalsAreOnlyCounted() {
        Written w = bench.commit(outcome(1, request(A, 1), new Outcome.HttpError(404)),
                outcome(2, request(B, 1), new Outcome.Refused(RefusalReason.ADDRESS, "10.0.0.1 is private")),
                outcome(3, request(A, 1), new Outcome.HttpError(500)));
        assertThat(w.items()).singleElement().satisfies(item -> {
            assertThat(item.kind().name()).isEqualTo("ERROR");
            assertThat(List.copyOf(item.fields().keySet())).containsExactly("kind", "status", "cause", "mid", "depth",
                    "parent", "fetchedAt", "responseTime", "attempts");
            assertThat(item.fields()).containsEntry("kind", "HTTP_ERROR").containsEntry("status", 404)
                    .containsEntry("mid", "D1|127.0.0.1:8081");
        });
        assertThat(w.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("404", "ADDRESS", "500");
        assertThat(w.stored()).containsExactly(true, true, false);
        assertThat(bench.errors).as("reported as the downloader's error, after the commit").singleElement()
                .satisfies(e -> {
                    assertThat(e.kind()).isEqualTo("HTTP_ERROR");
                    assertThat(e.mid()).hasToString("D1|127.0.0.1:8081");
                    assertThat(e.url()).contains(A);
                    assertThat(e.cause()).contains("404");
                });
    }

    @Test
    void aPageOnWhichAllParsersFailIsAFailure() {
        Written w = bench.commit(page(1, request(A, 1), "x", "content-type", "test/bomb"),
                page(2, request(B, 1), linking("/c")));
        assertThat(w.ledger().answered().getFirst())
                .isEqualTo(new AnsweredRequest(request(A, 1).id(), OutcomeKind.FAILURE, "PARSE", true));
        assertThat(w.items().getFirst().fields()).containsEntry("reason", "PARSE").containsEntry("status", 200);
        assertThat(w.items().getFirst().fields().get("cause")).asString().contains("boom");
        assertThat(w.urls()).containsExactly(C);
        assertThat(bench.errors).singleElement().satisfies(e -> assertThat(e.url()).contains(A));
        assertThat(bench.counters.counts().failed()).isEqualTo(1);
    }
}
