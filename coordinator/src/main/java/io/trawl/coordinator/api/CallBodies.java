package io.trawl.coordinator.api;

import static java.util.Objects.requireNonNull;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.trawl.codec.Json;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.http.Caller;
import io.trawl.http.CallMemory;
import io.trawl.http.CallMemory.Reservation;
import io.trawl.http.CallHead;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the bodies of calls within the memory that there is for all of them. A body is read once, when it is asked for,
 * and kept until its call is over. Thread-safe.
 */
final class CallBodies {
    /** The largest list of seeds, in bytes. */
    static final int LARGEST_LIST = 32 << 20;
    /** The largest other body, in bytes: a definition is a record of {@code control}, which is not larger. */
    static final int LARGEST = 1 << 20;
    /** What one piece of a stream of lines takes at most. */
    private static final int STREAM = 2 << 20;
    private static final int COPIES = 3;
    /**
     * An estimate of what one byte of JSON like {@code [{},{},...]} takes; bounded, since {@link Json#readBounded}
     * bounds the number of values.
     */
    private static final int LARGEST_EXPANSION = 50;
    private static final int MOST_EXPANDED = 40 << 20;
    private static final Set<HandlerType> WITH_BODY = Set.of(HandlerType.PUT, HandlerType.POST, HandlerType.PATCH);
    private static final String JSON = "application/json";
    private static final String YAML = "application/yaml";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String RESERVATION = "trawl.reservation";
    static final String CALLER = "trawl.caller";
    private static final String BYTES = "trawl.bytes";
    private final CallMemory budget = CallMemory.ofHeap();

    /** Who makes the call; known once it is let in. */
    static Caller caller(Context ctx) {
        return requireNonNull(ctx.<Caller>attribute(CALLER), "calls are let in before they are handled");
    }

    /** Notes who makes the call. */
    static void letIn(Context ctx, Caller caller) {
        ctx.attribute(CALLER, caller);
    }

    /** What a call says before its body. */
    static CallHead head(Context ctx) {
        String query = ctx.queryString();
        return new CallHead(ctx.method().name(), ctx.req().getRequestURI() + (query == null ? "" : "?" + query),
                name -> Optional.ofNullable(ctx.header(name)));
    }

    /** Whether the body has one of these media types. */
    static boolean hasType(Context ctx, Set<String> types) {
        String type = ctx.contentType();
        return type != null && types.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    /**
     * Reserves the memory for the body of a call.
     *
     * @throws CallRefusedException 413 if it is too large, 503 if there is no room for it now
     */
    void reserve(Context ctx) {
        if (!WITH_BODY.contains(ctx.method())) {
            return;
        }
        ctx.attribute(RESERVATION, budget.reserve(hasType(ctx, SeedLines.TYPES) ? STREAM : memory(ctx)));
    }

    private static long memory(Context ctx) {
        int largest = largest(ctx);
        long known = ctx.req().getContentLengthLong();
        if (known > largest) {
            throw tooLarge(largest);
        }
        long length = known < 0 && ctx.header("Transfer-Encoding") != null ? largest : Math.max(0, known);
        return COPIES * length + Math.min(LARGEST_EXPANSION * length, MOST_EXPANDED);
    }

    private static int largest(Context ctx) {
        return ctx.path().endsWith("/seeds") ? LARGEST_LIST : LARGEST;
    }

    private static CallRefusedException tooLarge(int largest) {
        return new CallRefusedException(413, "a body has at most " + largest + " bytes here");
    }

    /** Gives back what was reserved for a call. */
    static void release(Context ctx) {
        Reservation reservation = ctx.attribute(RESERVATION);
        if (reservation != null) {
            reservation.close();
        }
    }

    /**
     * The body as it was sent.
     *
     * @throws CallRefusedException 413 if it is too large, 400 if it is not the one that was signed
     */
    static byte[] bytes(Context ctx) {
        byte[] kept = ctx.attribute(BYTES);
        if (kept != null) {
            return kept;
        }
        int largest = largest(ctx);
        try {
            byte[] read = ctx.bodyInputStream().readNBytes(largest + 1);
            if (read.length > largest) {
                throw tooLarge(largest);
            }
            CallSignature.checkDigest(head(ctx), read);
            ctx.attribute(BYTES, read);
            return read;
        } catch (IOException e) {
            throw new UncheckedIOException("the body of a call broke off", e);
        }
    }

    /**
     * The body, which is sent as JSON. A page of another site cannot send that type without asking first.
     *
     * @throws CallRefusedException 415 if it has another type
     */
    static byte[] json(Context ctx) {
        return bytes(ctx, JSON);
    }

    /** The same for a merge patch (RFC 7396). */
    static byte[] mergePatch(Context ctx) {
        return bytes(ctx, MERGE_PATCH);
    }

    /** A definition, in JSON or in YAML (RFC 9512). */
    static DefinitionText definition(Context ctx) {
        byte[] body = bytes(ctx, JSON, YAML);
        return hasType(ctx, Set.of(YAML)) ? DefinitionText.yaml(body) : DefinitionText.json(body);
    }

    private static byte[] bytes(Context ctx, String... types) {
        if (!hasType(ctx, Set.of(types))) {
            throw new CallRefusedException(415, "Content-Type: '" + Objects.requireNonNullElse(ctx.contentType(), "")
                    + "' is not valid: the body is " + String.join(" or ", types));
        }
        return bytes(ctx);
    }
}
