package io.trawl.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.TraceContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Spans by OpenTelemetry, sent in batches by OTLP over HTTP on a thread of the library's. What does not fit into its queue is dropped, so that a collector that is
 * slow or away costs nothing but traces.
 */
final class OpenTelemetryTracer implements Tracer {
    private static final Duration LONGEST_SEND = Duration.ofSeconds(5);
    /** Until a batch is sent that is not full. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final AttributeKey<String> URL = AttributeKey.stringKey("url.full");
    private static final AttributeKey<String> CRAWL = AttributeKey.stringKey("trawl.crawl");
    private static final AttributeKey<String> RUN = AttributeKey.stringKey("trawl.run");
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
    private final SdkTracerProvider provider;
    private final io.opentelemetry.api.trace.Tracer tracer;

    private OpenTelemetryTracer(SdkTracerProvider provider) {
        this.provider = provider;
        this.tracer = provider.get("io.trawl");
    }

    /**
     * Traces to a collector.
     *
     * @param endpoint an OTLP/HTTP address of traces
     * @param share of the traces that begin here which are followed, 0 to 1; of those that began elsewhere, those that are followed there
     */
    static OpenTelemetryTracer to(String endpoint, double share, MID mid) {
        // One try: what fails is not worth keeping others waiting for.
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).setCompression("gzip")
                .setConnectTimeout(LONGEST_SEND).setTimeout(LONGEST_SEND).setRetryPolicy(null).build();
        Resource resource = Resource.create(Attributes.of(AttributeKey.stringKey("service.name"), "trawl-" + mid.kind().word(),
                AttributeKey.stringKey("service.namespace"), "trawl", AttributeKey.stringKey("service.instance.id"),
                mid.toString()));
        return new OpenTelemetryTracer(SdkTracerProvider.builder().setResource(resource)
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share)))
                .addSpanProcessor(BatchSpanProcessor.builder(new WatchedExporter(exporter, endpoint)).setScheduleDelay(LONGEST_WAIT).build()).build());
    }

    @Override
    public TraceContext read(Headers headers) {
        TraceContext raw = TraceHeaders.read(headers);
        return raw.isThere() ? written(context(raw)) : raw;
    }

    @Override
    public Span next(TraceContext before, SpanName name, CrawlRun run, String url) {
        return before.isThere() ? new Begun(builder(name, run, url).setParent(context(before)).startSpan()) : Span.NONE;
    }

    @Override
    public Span first(SpanName name, CrawlRun run, String url, TraceContext cause) {
        SpanBuilder builder = builder(name, run, url).setNoParent();
        SpanContext page = spanContext(context(cause));
        if (page.isSampled()) {
            builder.addLink(page);
        }
        io.opentelemetry.api.trace.Span span = builder.startSpan();
        // One that is not followed leaves no header: what has none is not followed by anybody after this.
        return span.getSpanContext().isSampled() ? new Begun(span) : Span.NONE;
    }

    private SpanBuilder builder(SpanName name, CrawlRun run, String url) {
        return tracer.spanBuilder(name.word()).setSpanKind(name == SpanName.DOWNLOAD ? SpanKind.CLIENT : SpanKind.CONSUMER)
                .setAttribute(URL, url).setAttribute(CRAWL, run.crawl().value()).setAttribute(RUN, run.toString());
    }

    @Override
    public void close() {
        provider.shutdown().join(1, TimeUnit.SECONDS);
    }

    private static Context context(TraceContext context) {
        return W3C.extract(Context.root(), context, FROM);
    }

    private static SpanContext spanContext(Context context) {
        return io.opentelemetry.api.trace.Span.fromContext(context).getSpanContext();
    }

    private static TraceContext written(Context context) {
        if (!spanContext(context).isValid()) {
            return TraceContext.NONE;
        }
        Map<String, String> headers = new HashMap<>();
        W3C.inject(context, headers, (into, key, value) -> {
            if (into != null) {
                into.put(key, value);
            }
        });
        return new TraceContext(headers.getOrDefault(TraceHeaders.PARENT, ""), headers.getOrDefault(TraceHeaders.STATE, ""));
    }

    private static final TextMapGetter<TraceContext> FROM = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(TraceContext carrier) {
            return List.of(TraceHeaders.PARENT, TraceHeaders.STATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext carrier, String key) {
            return carrier == null ? null : key.equals(TraceHeaders.PARENT) ? carrier.parent() : carrier.state();
        }
    };

    /** A step that is followed, or of a trace of which somebody else has said that it is not. */
    private record Begun(io.opentelemetry.api.trace.Span span) implements Span {
        @Override
        public TraceContext context() {
            return written(Context.root().with(span));
        }

        @Override
        public Span with(String key, String value) {
            span.setAttribute(key, value);
            return this;
        }

        @Override
        public Span with(String key, long value) {
            span.setAttribute(key, value);
            return this;
        }

        @Override
        public Span failed(String cause) {
            span.setStatus(StatusCode.ERROR, cause);
            return this;
        }

        @Override
        public void end() {
            span.end();
        }
    }
}
