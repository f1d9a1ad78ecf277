package io.trawl.model;

/**
 * A position in a trace, in the form of W3C Trace Context. Processes that pass it on need not understand it. Carried in
 * the headers of records, never in their JSON.
 *
 * @param parent the value of {@code traceparent}; empty if there is no trace
 * @param state the value of {@code tracestate}; usually empty
 */
public record TraceContext(String parent, String state) {
    /** No trace: the usual case. */
    public static final TraceContext NONE = new TraceContext("", "");

    /** Whether it belongs to a trace. */
    public boolean isThere() { return !parent.isEmpty(); }
}
