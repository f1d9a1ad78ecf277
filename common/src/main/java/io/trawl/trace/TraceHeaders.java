package io.trawl.trace;

import io.trawl.model.TraceContext;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers of W3C Trace Context on Kafka's records. */
public final class TraceHeaders {
    static final String PARENT = "traceparent";
    static final String STATE = "tracestate";
    /** What the standard asks everybody to pass on; more could push a record over Kafka's limit. */
    private static final int LONGEST = 512;

    private TraceHeaders() {}

    /** Writes them; nothing if there is no trace. */
    public static void write(TraceContext context, Headers headers) {
        if (context.isThere()) {
            headers.add(PARENT, bytes(context.parent()));
            if (!context.state().isEmpty()) {
                headers.add(STATE, bytes(context.state()));
            }
        }
    }

    /** What stands there, well-formed or not. */
    static TraceContext read(Headers headers) {
        String parent = text(headers, PARENT);
        return parent.isEmpty() ? TraceContext.NONE : new TraceContext(parent, text(headers, STATE));
    }

    private static String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null || header.value().length > LONGEST
                ? ""
                : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
