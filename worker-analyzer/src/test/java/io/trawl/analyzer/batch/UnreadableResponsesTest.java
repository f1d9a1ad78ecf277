package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static io.trawl.analyzer.batch.Bench.A;
import static io.trawl.analyzer.batch.Bench.linking;
import static io.trawl.analyzer.batch.Bench.outcome;
import static io.trawl.analyzer.batch.Bench.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.codec.Remains;
import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RequestId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A record that cannot be read or handled costs only itself, and its id is answered if it is known. */
class UnreadableResponsesTest {
    @AutoClose
    private final Bench bench = Bench.fresh();

    @Test
    void aRecordThatCannotBeReadIsReportedAndCostsOnlyItself() {
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
    void theRequestOfAResponseThatCannotBeReadIsAnsweredIfItIsKnownAndReportedOnceAfterTheCommit() {
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

    private static ConsumerRecord<byte[], byte[]> described(String description, long offset) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t.responses", 0, offset, null, new byte[0]);
        record.headers().add("trawl", description.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return record;
    }

    @Test
    void aRecordThatIsGivenUpIsAnsweredAsAFailure() {
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
