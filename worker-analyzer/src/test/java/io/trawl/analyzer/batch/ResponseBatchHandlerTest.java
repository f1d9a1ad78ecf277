package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.C;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.PolitenessKey;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * The protocol's rules for a batch: which pages are stored and followed and which requests are emitted, with any
 * retries and batch boundaries.
 */
class ResponseBatchHandlerTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @Test
    void aFirstPageIsStoredAndItsLinksAreEmittedOneDeeper() {
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
        assertThat(w.ledger().answered())
                .containsExactly(new AnsweredRequest(request(A, 1).id(), OutcomeKind.PAGE, "200", true));
        assertThat(w.ledger().emitted()).extracting(e -> e.id())
                .containsExactlyElementsOf(w.requests().stream().map(Request::id).toList());
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
        assertThat(w.ledger().bytes()).isEqualTo(linking("/b", "/c", "#x").length());
        assertThat(bench.questions).isEqualTo(1);
    }

    @Test
    void requestsAreKeyedByTheGroupThatSharesADelay() {
        ConsumerRecord<byte[], byte[]> links = page(5, request(A, 1),
                linking("http://docs.example.org/", "https://example.org:8443/"));
        assertThat(bench.handle(links).requestKeys()).containsExactly("docs.example.org:80", "example.org:8443");
        bench.control.read(ChannelsBuilder.builder().version(2).generation(4).levels(3).partitions(8)
                .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build());
        assertThat(bench.handle(links).requestKeys()).containsExactly("example.org", "example.org");
        assertThat(bench.handle(links).requests()).extracting(r -> r.host().value()).as("the host does not change")
                .containsExactly("docs.example.org:80", "example.org:8443");
    }

    @Test
    void aPriorityThatTheDeploymentDoesNotHaveBecomesItsHighest() {
        CrawlRun run = new CrawlRun(new CrawlId("other"), 1);
        bench.control.read(Fixtures.started(run, "{}"));
        assertThat(bench.commit(page(1, of(run, A), linking("/b"))).requestTopics())
                .containsExactly("t.requests.g4.p2");
    }

    private static Request of(CrawlRun run, String url) {
        Request r = request(url, 0);
        return RequestBuilder.builder().id(r.id()).run(run).url(url).host(r.host()).priority(9).seed(true)
                .options(r.options()).build();
    }

    @Test
    void aRetryOfABatchDecidesTheSame() {
        ConsumerRecord<byte[], byte[]> a = page(5, request(A, 1), linking("/b", "/c"));
        ConsumerRecord<byte[], byte[]> again = page(6, request(A, 1), linking("/d"));
        Written first = bench.handle(a, again);
        Written second = bench.commit(a, again);
        assertThat(second.urls()).isEqualTo(first.urls()).containsExactly(B, C);
        assertThat(second.items()).isEqualTo(first.items()).hasSize(1);
        assertThat(second.ledger().answered()).isEqualTo(first.ledger().answered());
        assertThat(second.stored()).containsExactly(true, false);
    }

    @Test
    void batchBoundariesDoNotChangeTheOutput() {
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
                    List<ConsumerRecord<byte[], byte[]>> batch = records.subList(from,
                            Math.min(from + size, records.size()));
                    bench.responseBatchHandler.handle(batch);
                    Written w = new Written(bench.responseBatchHandler.handle(batch));
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
    void theOrderWithinAPartitionDecidesAndNotTheOrderInTheBatch() {
        Written w = bench.commit(page(8, request(A, 1), linking("/b")), page(5, request(A, 1), linking("/c")));
        assertThat(w.ledger().answered()).hasSize(2);
        assertThat(w.stored()).containsExactly(true, false);
        assertThat(w.urls()).containsExactly(C);
    }

    @Test
    void aUrlThatTwoPagesOfABatchLinkToIsEmittedOnce() {
        Written w = bench.commit(page(5, request(A, 2), linking("/c")), page(6, request(B, 1), linking("/c")));
        assertThat(w.requests()).singleElement().satisfies(r -> {
            assertThat(r.url()).isEqualTo(C);
            assertThat(r.depth()).as("the smaller of the two").isEqualTo(2);
        });
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
    }

    @Test
    void aLaterResponseOfAUrlIsNeitherStoredNorFollowed() {
        bench.commit(page(5, request(A, 1), linking("/b")));
        Written w = bench.commit(page(9, request(A, 1), linking("/new")));
        assertThat(w.items()).isEmpty();
        assertThat(w.requests()).isEmpty();
        assertThat(w.stored()).containsExactly(false);
    }

    @Test
    void aSmallerDepthFollowsAgainButStoresNothing() {
        bench.commit(page(5, request(A, 3), linking("/b")));
        Written w = bench.commit(page(9, request(A, 1), linking("/b")));
        assertThat(w.items()).isEmpty();
        assertThat(w.urls()).containsExactly(B);
        assertThat(w.requests().getFirst().depth()).isEqualTo(2);
    }

    @Test
    void withoutATightLimitAUrlIsFollowedOnce() {
        bench.control.read(Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":-1}}"));
        assertThat(bench.commit(page(5, request(A, 60), linking("/b"))).requests().getFirst().depth()).isEqualTo(61);
        assertThat(bench.commit(page(9, request(A, 1), linking("/b", "/c"))).requests()).isEmpty();
    }

    @Test
    void linksBeyondTheDepthLimitAreCountedAsRefused() {
        Written w = bench.commit(page(5, request(A, 3), linking("/b", "/c", "mailto:x@y")));
        assertThat(w.requests()).isEmpty();
        assertThat(w.items().getFirst().fields()).extracting("links").isEqualTo(List.of(B, C));
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DEPTH, 2, RefusalReason.SCHEME, 1));
        assertThat(bench.questions).isZero();
    }

    @Test
    void foreignDomainsAreRefused() {
        Written w = bench
                .commit(page(5, request(A, 0), linking("http://other.net/x", "http://www.example.org/", "/b")));
        assertThat(w.urls()).containsExactly("http://www.example.org/", B);
        assertThat(w.ledger().refused()).isEqualTo(Map.of(RefusalReason.DOMAIN, 1));
        assertThat(w.ledger().straySeeds()).isEmpty();
    }

    @Test
    void manyIdsAreSpreadOverSeveralLedgerRecordsEmissionsFirst() {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int p = 0; p < 12; p++) {
            String[] many = new String[500];
            int page = p;
            java.util.Arrays.setAll(many, i -> "/" + page + "/" + i);
            batch.add(page(p, request("http://example.org/p" + p, 1), linking(many)));
        }
        Written w = new Written(bench.responseBatchHandler.handle(batch));
        assertThat(w.requests()).hasSize(6000);
        assertThat(w.ledgers()).hasSize(2);
        assertThat(w.ledgers().get(0).emitted()).hasSize(5000);
        assertThat(w.ledgers().get(0).answered()).isEmpty();
        assertThat(w.ledgers().get(1).emitted()).hasSize(1000);
        assertThat(w.ledgers().get(1).answered()).hasSize(12);
        assertThat(w.ledgers().get(1).bytes()).isZero();
    }

    @Test
    void theControlTopicIsReadBeforeAnUnknownRunIsDropped() {
        CrawlRun late = new CrawlRun(new CrawlId("late"), 1);
        CrawlRun never = new CrawlRun(new CrawlId("never"), 1);
        CrawlRun over = new CrawlRun(Fixtures.RUN.crawl(), 1);
        bench.control.stands(Fixtures.started(late, "{}")).read(Fixtures.started(new CrawlRun(over.crawl(), 2), "{}"));
        Written w = bench.commit(page(1, of(late, A), ""), page(2, of(never, A), ""), page(3, of(over, A), ""));
        assertThat(w.items()).extracting(i -> i.run()).containsExactly(late.toString());
        assertThat(w.ledgers()).extracting(l -> l.run()).containsExactly(late);
        assertThat(bench.control.refreshes()).isEqualTo(3);
    }

    @Test
    void lateRepeatsOfAFinishedRunAreDropped() {
        bench.control.read(Fixtures.finished(Fixtures.RUN, "{}"));
        assertThat(bench.commit(page(1, request(A, 1), "")).outgoing().records()).isEmpty();
        bench.control.stands(Fixtures.started(Fixtures.RUN, "{}"));
        assertThat(bench.commit(page(1, request(A, 1), "")).items()).as("the run was started again in the meantime")
                .hasSize(1);
    }
}
