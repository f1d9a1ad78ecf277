package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.B;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.api.Item;
import io.trawl.codec.SalvagedHeader;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.testkit.DamagedRecords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record that cannot be read or handled affects no other record, and its request is answered if its id is known. */
class UnreadableResponsesTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @Test
    void anUnreadableRecordIsReportedAndAffectsNoOtherRecord() {
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

    @Test
    void theKnownRequestOfAnUnreadableResponseIsAnsweredAndReportedOnceAfterTheCommit() {
        String request = "{\"request\":{\"id\":\"00000000000000ff\",\"run\":\"%s\",\"url\":7},\"outcome\":";
        Written w = bench.handle(described(request.formatted(Fixtures.RUN), 4),
                described(request.formatted("docs/999"), 5), page(6, request(A, 1), ""));
        assertThat(bench.errors).as("not reported before the commit").isEmpty();
        w.outgoing().committed().run();
        assertThat(w.ledgers()).as("only of a known run").hasSize(2)
                .contains(new SalvagedHeader(Fixtures.RUN, new RequestId(255)).answer());
        assertThat(w.items()).hasSize(1);
        assertThat(bench.errors).hasSize(2).allSatisfy(e -> assertThat(e.crawl()).contains(Fixtures.RUN.crawl()));
    }

    private static ConsumerRecord<byte[], byte[]> described(String description, long offset) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t.responses", 0, offset, null, new byte[0]);
        record.headers().add("trawl", description.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return record;
    }

    /** Whatever a response holds: the batch is handled, and the page beside it is stored. */
    @ParameterizedTest
    @ValueSource(strings = {"response-page", "response-redirect", "response-failure"})
    void damagedResponsesOfThePresentRunFailNoBatch(String name) {
        String valid = new String(DamagedRecords.recorded(name), StandardCharsets.UTF_8).replace("docs/3",
                Fixtures.RUN.toString());
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        DamagedRecords.of(valid.getBytes(StandardCharsets.UTF_8)).forEach(
                json -> batch.add(described(new String(json, StandardCharsets.ISO_8859_1), 10 + batch.size())));
        batch.add(page(9, request(A, 1), ""));
        Written w = new Written(bench.responseBatchHandler.handle(batch));
        w.outgoing().committed().run();
        assertThat(w.items()).extracting(Item::url).contains(A);
        assertThat(bench.errors).hasSizeGreaterThan(300)
                .allSatisfy(e -> assertThat(e.cause()).hasSizeLessThan(800).doesNotContain("\n"));
        batch.forEach(record -> bench.responseBatchHandler.giveUp(record, new IllegalStateException("odd")));
    }

    @Test
    void aResponseUnderASetOfDomainsThatControlDoesNotHaveIsUnreadable() {
        Request r = request(A, 1);
        Request ahead = RequestBuilder.builder().id(r.id()).run(r.run()).url(r.url()).host(r.host()).depth(1)
                .priority(1).domains(8).parent(r.parent()).options(r.options()).build();
        Written w = bench.commit(page(1, ahead, linking("/b")), page(2, request(B, 1), ""));
        assertThat(w.items()).extracting(Item::url).containsExactly(B);
        assertThat(bench.errors).singleElement().extracting(e -> e.cause()).asString().contains("domains: '8'",
                "at most 7");
        assertThat(w.ledgers()).contains(new SalvagedHeader(Fixtures.RUN, r.id()).answer());
    }

    @Test
    void aRecordThatTheHandlerGivesUpIsAnsweredAsAFailure() {
        Written w = new Written(bench.responseBatchHandler.giveUp(page(1, request(A, 1), linking("/b")),
                new IllegalStateException("odd")));
        w.outgoing().committed().run();
        assertThat(w.ledger().answered())
                .containsExactly(new AnsweredRequest(request(A, 1).id(), OutcomeKind.FAILURE, "PARSE", true));
        assertThat(w.items()).singleElement()
                .satisfies(item -> assertThat(item.fields().get("cause")).asString().contains("odd"));
        assertThat(w.requests()).isEmpty();
    }
}
