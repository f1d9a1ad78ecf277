package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.analyzer.extract.StyleSheetParser;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.MapLedger;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.telemetry.Tracing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of the files that pages need (protocol, Requisites of pages). */
class RequisitesTest {
    private static final String ALL = "[\"style\",\"image\",\"script\",\"font\",\"media\",\"icon\",\"object\"]";
    private static final String PAGE = "http://example.org/a";
    private static final String EVERYTHING = """
            <link rel="stylesheet" href="/s.css"><link rel="alternate stylesheet" href="/t.css">
            <link rel="shortcut icon" href="/i.ico"><link rel=preload as=font href="/p.woff2"><link rel=preload as=fetch href=/no>
            <style>@import "/u.css"; b { background: url(/v.png) } @font-face { src: url(/f.woff2) }</style>
            <body background="/bg.gif"><img src="/1.png" srcset="/2.png 2x, data:image/png;base64,xx 3x">
            <picture><source srcset="/3.webp"><img src="/4.png"></picture><input type=image src="/5.png">
            <video src="/m.mp4" poster="/6.jpg"><source src="/m.webm"><track src="/m.vtt"></video><audio src="/m.ogg"></audio>
            <svg><image href="/7.png"/><image xlink:href="/8.png"/></svg><object data="/o.svg"></object><embed src="/e.svg">
            <p style="background: url('/9.png')"><script src="https://cdn.example.net/x.js"></script><img src="#top">
            <a href="/link">l</a><iframe src="/frame"></iframe>""";
    private final Bench bench = new Bench(new MapLedger(), 100_000, Tracing.OFF, new StyleSheetParser());

    @AfterEach
    void close() {
        bench.close();
    }

    private void define(String more) {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":1}" + more + "}"));
    }

    private static List<String> requisites(Written written) {
        return written.requests().stream().filter(r -> r.options().requisite()).map(Request::url)
                .map(url -> url.replace("http://example.org", "")).toList();
    }

    @Test
    void allThatAPageNeedsIsRequestedAtDepthZeroWhateverItsDepthAndDomain() {
        define(",\"discover\":{\"requisites\":" + ALL + "}");
        Written written = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE), EVERYTHING));
        assertThat(requisites(written)).containsExactlyInAnyOrder("/s.css", "/t.css", "/i.ico", "/p.woff2", "/u.css",
                "/v.png", "/f.woff2", "/bg.gif", "/1.png", "/2.png", "/3.webp", "/4.png", "/5.png", "/m.mp4", "/6.jpg",
                "/m.webm", "/m.vtt", "/m.ogg", "/7.png", "/8.png", "/o.svg", "/e.svg", "/9.png",
                "https://cdn.example.net/x.js");
        assertThat(written.requests()).as("the links are beyond the limit of depth").allSatisfy(request -> {
            assertThat(request.depth()).isZero();
            assertThat(request.options())
                    .isEqualTo(FetchOptions.NONE.with(o -> o.parser(java.util.Optional.of(FetchOptions.REQUISITE))
                            .fetcher(java.util.Optional.of(FetchOptions.HTTP))));
        });
        assertThat(written.ledger().exempt())
                .containsExactlyInAnyOrderElementsOf(written.requests().stream().map(Request::id).toList());
        assertThat(written.items()).singleElement()
                .satisfies(item -> assertThat(String.valueOf(item.fields().get("links"))).contains("/link", "/frame")
                        .doesNotContain(".png", ".css", ".js"));
    }

    @Test
    void eachIsRequestedOnceInARunAndOnlyTheKindsThatTheCrawlNames() {
        define(",\"discover\":{\"requisites\":[\"style\"]}");
        Written first = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE), EVERYTHING));
        assertThat(requisites(first)).containsExactlyInAnyOrder("/s.css", "/t.css", "/u.css");
        assertThat(bench.commit(page(2, request("http://example.org/b", 0, FetchOptions.NONE), EVERYTHING)).requests())
                .noneMatch(request -> request.options().requisite());
    }

    @Test
    void aStyleSheetNamesFurtherOnesAndItsAnswerIsCountedAsARequisite() {
        define(",\"discover\":{\"requisites\":" + ALL + "}");
        Request sheet = bench
                .commit(page(1, request(PAGE, 1, FetchOptions.NONE), "<link rel=stylesheet href=/s/a.css>")).requests()
                .getFirst();
        Written read = bench
                .commit(page(2, sheet, "@import 'b.css'; p { background: url(../c.png) }", "content-type", "text/css"));
        assertThat(requisites(read)).containsExactly("/s/b.css", "/c.png");
        assertThat(read.requests()).allSatisfy(request -> assertThat(request.depth()).isZero());
        assertThat(read.items()).isEmpty();
        assertThat(read.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("requisite 200");
        Written missing = bench.commit(outcome(3, read.requests().getLast(), new Outcome.HttpError(404)));
        assertThat(missing.items()).isEmpty();
        assertThat(missing.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("requisite 404");
        assertThat(bench.commit(outcome(4, read.requests().getFirst(),
                new Outcome.Failure(io.trawl.model.FailureReason.TIMEOUT, "late"))).items()).isEmpty();
    }

    @Test
    void aChainOfStyleSheetsEndsLikeOneOfRedirects() {
        define(",\"discover\":{\"requisites\":" + ALL + "}");
        Written written = bench
                .commit(page(1, request(PAGE, 1, FetchOptions.NONE), "<link rel=stylesheet href=/0.css>"));
        int sheets = 0;
        while (!written.requests().isEmpty()) {
            sheets++;
            written = bench.commit(page(1 + sheets, written.requests().getFirst(), "@import '/" + sheets + ".css';",
                    "content-type", "text/css"));
        }
        assertThat(written.ledger().refused()).isEqualTo(Map.of(RefusalReason.DEPTH, 1));
        assertThat(sheets).isBetween(2, 30);
    }

    @Test
    void scopeAndNofollowDoNotHideThemButTheirOwnRulesDo() {
        define("""
                ,"discover":{"requisites":["image"],"from":"seeds","regions":["main"]},
                "scope":{"include":["/a"],"exclude":["/private/**"],"requisites":{"hosts":["*.example.org"]}}""");
        Written written = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE),
                """
                        <meta name=robots content=nofollow><img src=/1.png><img src=/private/2.png><img src=http://cdn.example.org/3.png>
                        <img src=http://example.net/4.png>"""));
        assertThat(requisites(written)).containsExactly("http://cdn.example.org/3.png");
        assertThat(written.ledger().rules())
                .isEqualTo(Map.of("scope.exclude: /private/**", 1, "scope.requisites.hosts", 2));
    }

    @Test
    void anArchiveHasEachRobotsTxtUnderWhichAHostGaveSomethingOnce() {
        define(",\"sinks\":[{\"type\":\"warc\"}]");
        assertThat(requisites(bench.commit(under("1", 1, new Outcome.Success(200, false)))))
                .containsExactly("/robots.txt");
        Written second = bench.commit(under("1", 2, new Outcome.Success(200, false)));
        assertThat(second.requests()).isEmpty();
        assertThat(second.ledger().refused()).isEmpty();
        Written changed = bench.commit(under("2", 3, new Outcome.Unchanged()));
        assertThat(requisites(changed)).as("the file has changed").containsExactly("/robots.txt");
        assertThat(bench.commit(page(4, request(PAGE + 4, 1, FetchOptions.NONE), "p")).requests()).as("it is gone")
                .extracting(request -> request.options().version()).containsExactly(Optional.of(FetchOptions.NO_FILE));
        Written moved = bench.commit(outcome(5, changed.requests().getFirst(), new Outcome.Redirect(302, "/robots")));
        assertThat(moved.requests()).singleElement()
                .satisfies(target -> assertThat(target.options().version()).contains("2"));
        define("");
        assertThat(bench.commit(under("3", 6, new Outcome.Success(200, false))).requests()).isEmpty();
    }

    /** The answer at an offset to a request for another page, which a version of robots.txt has permitted. */
    private static ConsumerRecord<byte[], byte[]> under(String robots, long offset, Outcome outcome) {
        return Bench.record(0, offset, Fixtures.response(request(PAGE + offset, 1, FetchOptions.NONE), outcome,
                Map.of("content-type", "text/html"), new byte[]{'p'}).withRobots(Optional.of(robots)));
    }

    @Test
    void aRequisiteLeadsNowhereAndMeetsNoRuleOfItems() {
        define("""
                ,"discover":{"requisites":["image"],"links":["refresh"]},
                "extract":{"items":[{"type":"t","fields":{"x":{"css":"h1","required":true}}}]}""");
        Request image = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE), "<h1>x</h1><img src=/1.png>"))
                .requests().getFirst();
        bench.errors.clear();
        Written read = bench.commit(page(2, image, "<p>no picture", "refresh", "0; url=/new"));
        assertThat(read.requests()).isEmpty();
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void aHostWithoutRobotsTxtIsNoErrorOfAnArchive() {
        bench.control
                .read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"maxPages\":1},\"sinks\":[{\"type\":\"warc\"}]}"));
        Request robots = bench.commit(page(1, request(PAGE, 0, FetchOptions.NONE), "p")).requests().getFirst();
        assertThat(robots.priority()).as("before pages without a permit").isEqualTo(2);
        Written missing = bench.commit(outcome(2, robots, new Outcome.HttpError(404)));
        assertThat(missing.ledger().answered()).extracting(AnsweredRequest::detail).containsExactly("requisite 404");
        assertThat(bench.errors).isEmpty();
    }

    @Test
    void aPageThatIsOnlyARefreshIsFollowedAlsoIfItNeedsFiles() {
        define(",\"discover\":{\"requisites\":[\"style\"]}");
        Written written = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE),
                "<meta http-equiv=refresh content='0; /next'><link rel=stylesheet href=/s.css>"));
        assertThat(requisites(written)).containsExactly("/s.css");
        assertThat(written.urls()).contains("http://example.org/next");
    }

    @Test
    void aRedirectLeadsToARequisite() {
        define(",\"discover\":{\"requisites\":[\"image\"]}");
        Request image = bench.commit(page(1, request(PAGE, 1, FetchOptions.NONE), "<img src=/1.png>")).requests()
                .getFirst();
        assertThat(
                bench.commit(outcome(2, image, new Outcome.Redirect(302, "http://cdn.example.net/2.png"))).requests())
                .singleElement().satisfies(request -> {
                    assertThat(request.url()).isEqualTo("http://cdn.example.net/2.png");
                    assertThat(request.options().requisite()).isTrue();
                });
    }
}
