package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.MapLedger;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.TraceContext;

import io.trawl.trace.Span;
import io.trawl.trace.SpanName;
import io.trawl.trace.TraceHeaders;
import io.trawl.trace.Tracer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;

/** What the headers of an analyzer's records say, and when its steps are told of. */
class AnalysisTracesTest {
    private static final String PAGE = "http://example.org/a";
    private static final String CALLER = "caller";
    private final List<String> ended = new ArrayList<>();

    /** Writes the whole way of a trace into its context, so that it can be read there. */
    private final class Spelling implements Tracer {
        @Override
        public TraceContext read(Headers headers) {
            return new TraceContext(parent(headers), "");
        }

        @Override
        public Span next(TraceContext before, SpanName name, CrawlRun run, String url) {
            return before.isThere() ? new Spelt(before.parent() + " > " + name + " " + url) : Span.NONE;
        }

        @Override
        public Span first(SpanName name, CrawlRun run, String url, TraceContext cause) {
            return new Spelt("(" + cause.parent() + ") " + name + " " + url);
        }

        @Override
        public void close() {
            // nothing is kept
        }
    }

    private final class Spelt implements Span {
        private final String way;

        Spelt(String way) {
            this.way = way;
        }

        @Override
        public TraceContext context() {
            return new TraceContext(way, "");
        }

        @Override
        public Span with(String key, String value) {
            return this;
        }

        @Override
        public Span with(String key, long value) {
            return this;
        }

        @Override
        public Span failed(String cause) {
            return this;
        }

        @Override
        public void end() {
            ended.add(way);
        }
    }

    @Test
    void itemsAndTargetsOfRedirectsGoOnWithTheTraceAndLinksOnlyPointToIt() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, new Spelling())) {
            String analysis = CALLER + " > ANALYSIS " + PAGE;
            Written page = bench.commit(traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b"))));
            assertThat(parents(page, "t.items")).containsExactly(analysis);
            assertThat(parents(page, "t.requests")).containsExactly("(" + analysis + ") ADMISSION http://example.org/b");
            assertThat(parents(page, "t.ledger")).containsExactly("");

            String moved = "http://example.org/moved";
            Written redirect = bench
                    .commit(traced(Bench.outcome(6, request(moved, 1), new Outcome.Redirect(301, "http://example.org/c"))));
            assertThat(parents(redirect, "t.requests"))
                    .containsExactly(CALLER + " > ANALYSIS " + moved + " > ADMISSION http://example.org/c");
        }
    }

    @Test
    void whatBelongsToNoTraceIsNotTracedButItsLinksMayBe() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, new Spelling())) {
            Written page = bench.commit(Bench.page(5, request(PAGE, 1), Bench.linking("/b")));
            assertThat(parents(page, "t.items")).containsExactly("");
            assertThat(parents(page, "t.requests")).containsExactly("() ADMISSION http://example.org/b");
        }
    }

    @Test
    void aBatchIsToldOfAfterItsCommitAndOneThatAbortsNever() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, new Spelling())) {
            ConsumerRecord<byte[], byte[]> page = traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b")));
            Written aborted = bench.handle(page);
            assertThat(ended).isEmpty();
            Written repeated = bench.commit(page);
            assertThat(ended).hasSize(2);
            assertThat(repeated.outgoing().records()).extracting(ProducerRecord::topic).as("no other record for it")
                    .isEqualTo(aborted.outgoing().records().stream().map(ProducerRecord::topic).toList());
        }
    }

    @Test
    void offNoRecordBearsAHeaderWhateverItsResponseBore() {
        try (Bench bench = Bench.fresh()) {
            Written page = bench.commit(traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b"))));
            assertThat(page.outgoing().records()).hasSize(3).allSatisfy(record -> assertThat(record.headers()).isEmpty());
        }
    }

    private static ConsumerRecord<byte[], byte[]> traced(ConsumerRecord<byte[], byte[]> record) {
        TraceHeaders.write(new TraceContext(CALLER, ""), record.headers());
        return record;
    }

    private static List<String> parents(Written written, String topic) {
        return written.outgoing().records().stream().filter(record -> record.topic().startsWith(topic))
                .map(record -> parent(record.headers())).toList();
    }

    private static String parent(Headers headers) {
        Header header = headers.lastHeader("traceparent");
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
