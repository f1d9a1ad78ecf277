package io.trawl.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import io.trawl.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Starts the spans of one process, and carries traces from record to record. A trace starts where a seed or a link is
 * admitted, or at the seed's writer, and never later: a record without a context is not traced, and its span is
 * {@link Span#getInvalid()}. Spans that are never ended are never exported. Thread-safe; never blocks, never throws,
 * and drops spans rather than wait for a collector.
 */
public final class Tracing implements AutoCloseable {
    /** The outcome of a request, in the words of the summaries. */
    public static final String OUTCOME = "trawl.outcome";
    /** The status of an HTTP response. */
    public static final String STATUS = "http.response.status_code";
    /** The number of fetches. */
    public static final String ATTEMPTS = "trawl.attempts";
    /** Creates no spans; reads and writes no headers. */
    public static final Tracing OFF = new Tracing(TracerProvider.noop(), () -> {});

    private static final String PARENT = "traceparent";
    private static final String STATE = "tracestate";
    /** The length in bytes that the standard requires to be passed on; more could push a record over Kafka's limit. */
    private static final int LONGEST = 512;
    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();
    private final Tracer tracer;
    private final Runnable close;

    /** The steps of a trace. */
    public enum SpanStep {
        /** A seed, a link or a redirect becomes a request: until the commit. */
        ADMISSION,
        /** A request is fetched, or answered without a fetch: from the start of its turn to its answer. */
        DOWNLOAD,
        /** A response is parsed: until its output is committed. */
        ANALYSIS,
        /** An item is processed and written: until its file is finished. */
        STORING
    }

    /**
     * @param provider creates the spans
     * @param close sends the remaining spans
     */
    public Tracing(TracerProvider provider, Runnable close) {
        this.tracer = provider.get("io.trawl");
        this.close = close;
    }

    /**
     * The tracing that the settings configure.
     *
     * @param mid the process of the spans
     */
    public static Tracing of(Settings.TraceSettings settings, MID mid) {
        // Only this call loads a class that needs OpenTelemetry's SDK.
        return settings.endpoint().map(endpoint -> WatchedExporter.tracing(endpoint, settings.share(), mid))
                .orElse(OFF);
    }

    /** The context in the headers of a record; none if it is absent or malformed. */
    public TraceContext read(Headers headers) {
        String parent = this == OFF ? "" : text(headers, PARENT);
        return parent.isEmpty()
                ? TraceContext.NONE
                : context(Span.fromContext(context(new TraceContext(parent, text(headers, STATE)))));
    }

    /** Writes a context into the headers of a record; does nothing if there is no trace. */
    public static void write(TraceContext context, Headers headers) {
        if (context.isThere()) {
            headers.add(PARENT, context.parent().getBytes(StandardCharsets.UTF_8));
            if (!context.state().isEmpty()) {
                headers.add(STATE, context.state().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** Starts the span of a step in the trace of this context; an invalid span if the context has no trace. */
    public Span step(TraceContext before, SpanStep spanStep, CrawlRun run, String url) {
        return this == OFF || !before.isThere()
                ? Span.getInvalid()
                : builder(spanStep, run, url).setParent(context(before)).startSpan();
    }

    /**
     * The admission of a request whose context is still that of its seed or page. A seed and the target of a redirect
     * continue that trace, since they are the same request for the user. A link, and a seed without a trace, start a
     * trace of their own if it is sampled; the trace of a link links to the analysis of its page, since otherwise a
     * crawl would be one trace of millions of spans.
     */
    public Span admission(Request request) {
        boolean goesOn = request.trace().isThere() && (request.seed() || request.redirects() > 0);
        if (this == OFF || goesOn) {
            return step(request.trace(), SpanStep.ADMISSION, request.run(), request.url());
        }
        SpanBuilder builder = builder(SpanStep.ADMISSION, request.run(), request.url()).setNoParent();
        SpanContext page = Span.fromContext(context(request.trace())).getSpanContext();
        Span span = (page.isSampled() ? builder.addLink(page) : builder).startSpan();
        // A span that is not sampled writes no header, so that later steps are not traced.
        return span.getSpanContext().isSampled() ? span : Span.getInvalid();
    }

    private SpanBuilder builder(SpanStep spanStep, CrawlRun run, String url) {
        return tracer.spanBuilder(spanStep.name().toLowerCase(Locale.ROOT))
                .setSpanKind(spanStep == SpanStep.DOWNLOAD ? SpanKind.CLIENT : SpanKind.CONSUMER)
                .setAttribute("url.full", url).setAttribute("trawl.crawl", run.crawl().value())
                .setAttribute("trawl.run", run.toString());
    }

    /** The context for the headers of records that follow from this span. */
    public static TraceContext context(Span span) {
        if (!span.getSpanContext().isValid()) {
            return TraceContext.NONE;
        }
        Map<String, String> headers = HashMap.newHashMap(2);
        W3C.inject(Context.root().with(span), headers, (_, key, value) -> headers.put(key, value));
        return new TraceContext(headers.getOrDefault(PARENT, ""), headers.getOrDefault(STATE, ""));
    }

    private static Context context(TraceContext context) {
        return W3C.extract(Context.root(), context, FROM);
    }

    private static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null || header.value().length > LONGEST
                ? ""
                : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** Sends the remaining spans, for at most one second. */
    @Override
    public void close() {
        close.run();
    }

    private static final TextMapGetter<TraceContext> FROM = new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(TraceContext carrier) {
            return List.of(PARENT, STATE);
        }

        @Override
        public @Nullable String get(@Nullable TraceContext carrier, String key) {
            return carrier == null ? null : key.equals(PARENT) ? carrier.parent() : carrier.state();
        }
    };
}
