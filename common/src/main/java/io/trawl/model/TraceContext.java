package io.trawl.model;

/**
 * The place of something in a trace, as W3C Trace Context writes it: who carries it on need not understand it. Travels in the headers of records, never
 * in their JSON.
 *
 * @param parent the value of {@code traceparent}; empty if there is no trace
 * @param state the value of {@code tracestate}; mostly empty
 */
public record TraceContext(String parent, String state) {
    /** Belongs to no trace: what almost everything has. */
    public static final TraceContext NONE = new TraceContext("", "");

    /** Whether it belongs to a trace. */
    public boolean isThere() {
        return !parent.isEmpty();
    }
}
