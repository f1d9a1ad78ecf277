package io.trawl.trace;

import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.TraceContext;
import io.trawl.settings.Settings;
import org.apache.kafka.common.header.Headers;

/**
 * Begins the steps that one process contributes to traces. A trace begins where a seed or a link is admitted, or at whoever wrote the seed, and never later: a
 * record without a context is not traced. Thread-safe; never blocks, never throws, drops spans rather than wait for a collector.
 */
public interface Tracer extends AutoCloseable {
    /** Traces nothing; reads and writes no headers. */
    Tracer OFF = new Tracer() {
        @Override
        public TraceContext read(Headers headers) {
            return TraceContext.NONE;
        }

        @Override
        public Span next(TraceContext before, SpanName name, CrawlRun run, String url) {
            return Span.NONE;
        }

        @Override
        public Span first(SpanName name, CrawlRun run, String url, TraceContext cause) {
            return Span.NONE;
        }

        @Override
        public void close() {
            // there is nothing to send
        }
    };

    /**
     * What the settings ask for.
     *
     * @param mid the process that tells
     */
    static Tracer of(Settings.Traces settings, MID mid) {
        // Only here is a class touched that needs OpenTelemetry.
        return settings.endpoint().<Tracer>map(endpoint -> OpenTelemetryTracer.to(endpoint, settings.share(), mid)).orElse(OFF);
    }

    /** The context in the headers of a record; none if there is none, or what stands there is not well-formed. */
    TraceContext read(Headers headers);

    /** A step of the trace that this context belongs to; if it belongs to none, neither does the step. */
    Span next(TraceContext before, SpanName name, CrawlRun run, String url);

    /**
     * The first step of a trace of its own, if chance has it followed.
     *
     * @param cause what led to it without being a part of it: linked to
     */
    Span first(SpanName name, CrawlRun run, String url, TraceContext cause);

    /** Sends what is left, for a second at most. */
    @Override
    void close();
}
