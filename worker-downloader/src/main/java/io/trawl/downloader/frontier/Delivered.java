package io.trawl.downloader.frontier;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.codec.Remains;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record of a lane as it stands in the log. Its body is decoded once, when that is asked for: most records that are scanned are only remembered by
 * their offsets. Not thread-safe; may be handed from thread to thread.
 */
public final class Delivered {
    private final long offset;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final TraceContext trace;
    private @Nullable Body body;

    /** What a record's body turns out to be. */
    sealed interface Body {
        /** A request. */
        record Sound(Request request) implements Body {}

        /**
         * Nothing that can be fetched.
         *
         * @param remains whose request it is, if that can still be read
         */
        record Broken(String why, Optional<Remains> remains) implements Body {}
    }

    /** A record; without a key or a value it is delivered too, and dealt with as it deserves. */
    public Delivered(long offset, byte @Nullable [] key, byte @Nullable [] value, TraceContext trace) {
        this.offset = offset;
        this.key = key;
        this.value = value;
        this.trace = trace;
    }

    /** One that belongs to no trace. */
    public Delivered(long offset, byte @Nullable [] key, byte @Nullable [] value) {
        this(offset, key, value, TraceContext.NONE);
    }

    /** Where it stands. */
    public long offset() {
        return offset;
    }

    /** The politeness key by the record's key, which a scan believes until the body says otherwise. */
    public Optional<HostKey> host() {
        return key == null || key.length == 0
                ? Optional.empty()
                : Optional.of(new HostKey(new String(key, StandardCharsets.UTF_8)));
    }

    /** The number of bytes of the body. */
    int size() {
        return value == null ? 0 : value.length;
    }

    /** Decodes the body now, so that the frontier need not. */
    public Delivered decoded() {
        body();
        return this;
    }

    Body body() {
        if (body == null) {
            body = decode();
        }
        return body;
    }

    private Body decode() {
        if (value == null) {
            return new Body.Broken("has no value", Optional.empty());
        }
        try {
            return new Body.Sound(Codec.request(value).withTrace(trace));
        } catch (MalformedRecord e) {
            return new Body.Broken("cannot be read: " + e.getMessage(), Remains.of(value));
        }
    }
}
