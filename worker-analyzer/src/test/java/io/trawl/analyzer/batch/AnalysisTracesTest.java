package io.trawl.analyzer.batch;

import static io.trawl.analyzer.Fixtures.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.MapLedger;
import io.trawl.model.Outcome;
import io.trawl.model.TraceContext;
import io.trawl.telemetry.Tracing;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The trace headers of an analyzer's records, and the export of its spans. */
class AnalysisTracesTest {
    private static final String PAGE = "http://example.org/a";
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private final List<SpanData> ended = new CopyOnWriteArrayList<>();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(new EndedSpans())).build();
    private final Tracing tracing = new Tracing(provider, provider::close);

    private final class EndedSpans implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            ended.addAll(spans);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @AfterEach
    void close() {
        tracing.close();
    }

    @Test
    void itemsAndRedirectTargetsContinueTheTraceAndLinksOnlyReferToIt() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, tracing)) {
            Written page = bench.commit(traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b"))));
            SpanData analysis = span("analysis", PAGE);
            SpanData link = span("admission", "http://example.org/b");
            assertThat(analysis.getParentSpanContext().getSpanId()).isEqualTo(CALLER);
            assertThat(parents(page, "t.items")).containsExactly(parent(analysis));
            assertThat(parents(page, "t.requests")).containsExactly(parent(link));
            assertThat(parents(page, "t.ledger")).containsExactly("");
            assertThat(link.getTraceId()).isNotEqualTo(TRACE);
            assertThat(link.getLinks()).extracting(data -> data.getSpanContext().getSpanId())
                    .containsExactly(analysis.getSpanId());

            String moved = "http://example.org/moved";
            Written redirect = bench.commit(
                    traced(Bench.outcome(6, request(moved, 1), new Outcome.Redirect(301, "http://example.org/c"))));
            SpanData target = span("admission", "http://example.org/c");
            assertThat(parents(redirect, "t.requests")).containsExactly(parent(target));
            assertThat(target.getTraceId()).isEqualTo(TRACE);
            assertThat(target.getParentSpanId()).isEqualTo(span("analysis", moved).getSpanId());
        }
    }

    @Test
    void aResponseWithoutATraceHasNoSpanButItsLinksMayHaveOne() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, tracing)) {
            Written page = bench.commit(Bench.page(5, request(PAGE, 1), Bench.linking("/b")));
            assertThat(parents(page, "t.items")).containsExactly("");
            assertThat(parents(page, "t.requests")).containsExactly(parent(span("admission", "http://example.org/b")));
            assertThat(ended).hasSize(1).allSatisfy(link -> assertThat(link.getLinks()).isEmpty());
        }
    }

    @Test
    void spansAreExportedAfterTheCommitAndNeverForAnAbortedBatch() {
        try (Bench bench = new Bench(new MapLedger(), 100_000, tracing)) {
            ConsumerRecord<byte[], byte[]> page = traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b")));
            Written aborted = bench.handle(page);
            assertThat(ended).isEmpty();
            Written repeated = bench.commit(page);
            assertThat(ended).hasSize(2);
            assertThat(repeated.outgoing().records()).extracting(ProducerRecord::topic).as("the trace adds no record")
                    .isEqualTo(aborted.outgoing().records().stream().map(ProducerRecord::topic).toList());
        }
    }

    @Test
    void withTracingOffNoRecordHasATraceHeader() {
        try (Bench bench = Bench.fresh()) {
            Written page = bench.commit(traced(Bench.page(5, request(PAGE, 1), Bench.linking("/b"))));
            assertThat(page.outgoing().records()).hasSize(3)
                    .allSatisfy(record -> assertThat(record.headers()).isEmpty());
        }
    }

    private static ConsumerRecord<byte[], byte[]> traced(ConsumerRecord<byte[], byte[]> record) {
        Tracing.write(new TraceContext("00-" + TRACE + "-" + CALLER + "-01", ""), record.headers());
        return record;
    }

    private static List<String> parents(Written written, String topic) {
        return written.outgoing().records().stream().filter(record -> record.topic().startsWith(topic))
                .map(record -> parent(record.headers())).toList();
    }

    private SpanData span(String name, String url) {
        return ended.stream().filter(
                s -> s.getName().equals(name) && url.equals(s.getAttributes().get(AttributeKey.stringKey("url.full"))))
                .findFirst().orElseThrow();
    }

    private static String parent(SpanData span) {
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getSpanContext().getTraceFlags().asHex();
    }

    private static String parent(Headers headers) {
        Header header = headers.lastHeader("traceparent");
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }
}
