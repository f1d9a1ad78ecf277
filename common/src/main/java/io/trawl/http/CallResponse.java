package io.trawl.http;

import io.trawl.codec.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The answer to a call. Immutable; the body is not copied.
 *
 * @param contentType of the body; empty if there is none
 * @param body empty if it is a stream
 * @param headers further ones
 * @param stream writes the body as it comes
 */
public record CallResponse(int status, String contentType, byte[] body, Map<String, String> headers,
        Optional<StreamedBody> stream) {
    /** Writes a body of any length on the thread of the call, until it ends or the caller has left. */
    @FunctionalInterface
    public interface StreamedBody {
        /**
         * Writes it. What it throws before the first bytes are sent becomes a problem document; later the connection is
         * closed, which is the only way to say that a body is not whole.
         *
         * @throws IOException if the caller has left
         */
        void write(OutputStream out) throws IOException, InterruptedException;
    }

    /** An answer that is at hand. */
    public CallResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
        this(status, contentType, body, headers, Optional.empty());
    }

    /** JSON with status 200. */
    public static CallResponse json(Object value) {
        return json(200, value);
    }

    /** JSON. */
    public static CallResponse json(int status, Object value) {
        return of(status, "application/json", Json.bytes(value));
    }

    /** An answer without further headers. */
    public static CallResponse of(int status, String contentType, byte[] body) {
        return new CallResponse(status, contentType, body, Map.of());
    }

    /** An answer without a body. */
    public static CallResponse empty(int status) {
        return of(status, "", new byte[0]);
    }

    /** Status 200 and a stream. */
    public static CallResponse streamed(String contentType, StreamedBody stream) {
        return new CallResponse(200, contentType, new byte[0], Map.of(), Optional.of(stream));
    }

    /** The same answer with one more header. */
    public CallResponse with(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new CallResponse(status, contentType, body, more, stream);
    }
}
