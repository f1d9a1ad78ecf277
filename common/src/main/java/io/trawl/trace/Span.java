package io.trawl.trace;

import io.trawl.model.TraceContext;

/** One step of one wish on its way. Begun by a {@link Tracer}; one that is never ended is never told of. Thread-safe; never blocks, never throws. */
public interface Span {
    /** How a request was answered, as the summaries say it. */
    String OUTCOME = "trawl.outcome";
    /** The status of an HTTP answer. */
    String STATUS = "http.response.status_code";
    /** How many fetches there were. */
    String ATTEMPTS = "trawl.attempts";

    /** Not in any trace that is followed here. */
    Span NONE = new Span() {
        @Override
        public TraceContext context() {
            return TraceContext.NONE;
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
            // nobody is told
        }
    };

    /** What records that follow from this step carry in their headers. */
    TraceContext context();

    /** Says something about it. */
    Span with(String key, String value);

    /** Says something about it. */
    Span with(String key, long value);

    /** It came to nothing. */
    Span failed(String cause);

    /** The step is over, and what it led to stands in Kafka or on disk for good. */
    void end();
}
