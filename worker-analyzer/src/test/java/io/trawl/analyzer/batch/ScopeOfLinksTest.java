package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Links and targets of redirects are judged by the scope of the crawl, and get the priority that its rules name. */
class ScopeOfLinksTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    private CrawlStatus define(String definition) {
        CrawlStatus crawl = Fixtures.started(Fixtures.RUN, definition);
        bench.control.read(crawl);
        return crawl;
    }

    @Test
    void whatIsOutOfScopeIsCountedByReasonAndByRule() {
        CrawlStatus crawl = define(
                """
                        {"scope":{"exclude":["/x/**"],"include":["/a/**","/x/**","/b"],"maxDepth":[{"match":"/a/d/**","depth":0}]}}""");
        Written w = bench.commit(page(1, request(A, 0), linking("/x/1", "/x/2", "/y", "/a/d/1", "/a/photo.png", "/b")));
        assertThat(w.urls()).containsExactly(B);
        assertThat(w.requests().getFirst().definition()).isEqualTo(crawl.version());
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.EXCLUDED, 2, RefusalReason.NOT_INCLUDED, 1,
                RefusalReason.PATTERN_DEPTH, 1, RefusalReason.ENDING, 1));
        assertThat(w.ledger().rules()).isEqualTo(Map.of("scope.exclude: /x/**", 2, "scope.include", 1,
                "scope.maxDepth: /a/d/** (0)", 1, "scope.skipEndings: png", 1));
    }

    @Test
    void theTargetOfARedirectIsJudgedLikeALink() {
        define("{\"scope\":{\"exclude\":[\"/b\"]}}");
        Written w = bench.commit(outcome(1, request(A, 0), new Outcome.Redirect(301, "/b")));
        assertThat(w.requests()).isEmpty();
        assertThat(w.ledger().rules()).isEqualTo(Map.of("scope.exclude: /b", 1));
    }

    @Test
    void aRequestThatADownloaderRefusedByARuleCountsForItOnce() {
        Outcome refused = new Outcome.Refused(RefusalReason.MEDIA_TYPE, "no", Optional.of("scope.mediaTypes.include"));
        Written w = bench.commit(outcome(1, request(A, 0), refused));
        assertThat(w.items()).isEmpty();
        assertThat(w.ledger().answered()).singleElement()
                .satisfies(answer -> assertThat(answer.detail()).isEqualTo("MEDIA_TYPE"));
        assertThat(w.ledger().refused()).isEmpty();
        assertThat(w.ledger().rules()).isEqualTo(Map.of("scope.mediaTypes.include", 1));
    }

    @Test
    void aLinkHasThePriorityOfTheFirstRuleThatHolds() {
        define("{\"priorities\":[{\"match\":\"/b\",\"priority\":2},{\"depth\":2,\"priority\":0}]}");
        Written first = bench.commit(page(1, request(A, 0), linking("/b", "/c")));
        assertThat(first.requests()).extracting(Request::url, Request::priority).containsExactlyInAnyOrder(
                org.assertj.core.groups.Tuple.tuple(B, 2), org.assertj.core.groups.Tuple.tuple(C, 1));
        Written second = bench.commit(page(2, request(C, 1), linking("/d")));
        assertThat(second.requests()).extracting(Request::priority).containsExactly(0);
    }

    @Test
    void ofTheNamesOfAPageOneIsRequestedAndTheLedgerKnowsTheCanonicalUrl() {
        define("{\"identity\":{\"dropParameters\":[\"sid\"],\"ignoreTrailingSlash\":true}}");
        Written first = bench.commit(page(1, request(A, 0), linking("/b?sid=1", "/b/", "/b")));
        assertThat(first.urls()).containsExactly(B + "?sid=1");
        assertThat(first.requests().getFirst().canonical()).contains(B);
        assertThat(first.requests().getFirst().identity()).isEqualTo(B);
        assertThat(first.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 2));
        Written second = bench.commit(page(2, request(C, 0), linking("/b?sid=2")));
        assertThat(second.requests()).as("known under another name").isEmpty();
    }
}
