package io.trawl.downloader.frontier.queue;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.codec.SalvagedHeader;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A record of a request partition, as it is in the log. Its body is decoded on first use, since most scanned records
 * are only remembered by their offsets. Not thread-safe; may be handed from thread to thread.
 */
public final class DeliveredRecord {
    private final long offset;
    private final byte @Nullable [] key;
    private final byte @Nullable [] value;
    private final TraceContext trace;
    private @Nullable RecordBody body;
    private @Nullable Optional<CrawlRun> run;

    /** The decoded body of a record. */
    public sealed interface RecordBody {
        /** A request. */
        record Sound(Request request) implements RecordBody {}

        /**
         * A body that is not a fetchable request.
         *
         * @param salvaged the header of the request, if it could be salvaged
         */
        record Broken(String why, Optional<SalvagedHeader> salvaged) implements RecordBody {}
    }

    /** A record. A record without a key or a value is delivered, too, and answered as unreadable or by its body. */
    public DeliveredRecord(long offset, byte @Nullable [] key, byte @Nullable [] value, TraceContext trace) {
        this.offset = offset;
        this.key = key;
        this.value = value;
        this.trace = trace;
    }

    /** The offset in the log. */
    public long offset() {
        return offset;
    }

    /** The key, as it is in the log. */
    public byte @Nullable [] key() {
        return key;
    }

    /** The value, as it is in the log. */
    public byte @Nullable [] value() {
        return value;
    }

    /** The trace that the record carries. */
    public TraceContext trace() {
        return trace;
    }

    /** The host according to the record's key, which a scan trusts until the body is decoded. */
    public Optional<HostKey> host() {
        return key == null || key.length == 0
                ? Optional.empty()
                : Optional.of(new HostKey(new String(key, StandardCharsets.UTF_8)));
    }

    /**
     * The run according to the front of the body, without decoding the rest; empty if it names none. {@link #named}
     * finds it off the frontier's thread.
     */
    public Optional<CrawlRun> run() {
        if (run == null) {
            run = body instanceof RecordBody.Sound sound
                    ? Optional.of(sound.request().run())
                    : value == null ? Optional.empty() : SalvagedHeader.run(value);
        }
        return run;
    }

    /** Finds the run now. */
    public DeliveredRecord named() {
        run();
        return this;
    }

    /** The number of bytes of the body. */
    public int size() {
        return value == null ? 0 : value.length;
    }

    /** Decodes the body now, off the frontier's thread. */
    public DeliveredRecord decoded() {
        body();
        return this;
    }

    public RecordBody body() {
        if (body == null) {
            body = decode();
        }
        return body;
    }

    private RecordBody decode() {
        if (value == null) {
            return new RecordBody.Broken("has no value", Optional.empty());
        }
        try {
            return new RecordBody.Sound(Codec.request(value).withTrace(trace));
        } catch (MalformedRecordException e) {
            return new RecordBody.Broken("cannot be read: " + e.getMessage(), SalvagedHeader.of(value));
        }
    }
}
