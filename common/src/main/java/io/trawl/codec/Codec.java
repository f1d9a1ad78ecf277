package io.trawl.codec;

import io.trawl.control.ControlRecord;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.Body;
import io.trawl.model.CrawlerError;
import io.trawl.model.Item;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;

/**
 * The wire form of everything that travels. Every record carries the {@link #SCHEMA} that it was written by, as its first field. Fields that are not
 * known are ignored and those that are missing have their defaults, so that versions can be mixed during an upgrade. Decoders throw {@link MalformedRecord} with a message fit for people. All methods are pure.
 */
public final class Codec {
    /** The record header that carries a response's description as JSON, beside the raw body. */
    public static final String RESPONSE_HEADER = "trawl";

    /**
     * The schema of what is written here. It grows when a field changes its meaning, so that a reader can tell what it has before it; a field that is added or
     * left out is no such change. Records without one were written before there were any. What was ever written can be read for good: a test keeps
     * records of each schema.
     */
    public static final int SCHEMA = 1;
    private static final byte[] STAMP = ("{\"schema\":" + SCHEMA).getBytes(StandardCharsets.UTF_8);

    private Codec() {}

    /** Everything about a response but its body. */
    private record Description(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
            Map<String, String> headers) {
        Description {
            took = took == null ? Duration.ZERO : took;
            headers = headers == null ? Map.of() : headers;
        }
    }

    /** A request as JSON. */
    public static byte[] encode(Request request) {
        return stamped(request);
    }

    /** An item as JSON. */
    public static byte[] encode(Item item) {
        return stamped(item);
    }

    /** An error as JSON. */
    public static byte[] encode(CrawlerError error) {
        return stamped(error);
    }

    /** A ledger record as JSON. */
    public static byte[] encode(LedgerRecord ledger) {
        return stamped(ledger);
    }

    /** A control record as JSON. */
    public static byte[] encode(ControlRecord control) {
        return stamped(control);
    }

    /** A seed as JSON. */
    public static byte[] encode(Seed seed) {
        return stamped(seed);
    }

    /** The JSON for {@link #RESPONSE_HEADER}; the body is the record's value. */
    public static byte[] describe(Response response) {
        return stamped(
                new Description(response.request(), response.outcome(), response.mid(), response.fetchedAt(), response.took(),
                        response.attempts(), response.headers()));
    }

    /** The response of a description and a body. */
    public static Response response(byte[] description, byte[] body) {
        Description d = Json.read(description, Description.class);
        require(d.request() != null && d.outcome() != null && d.mid() != null && d.fetchedAt() != null,
                "a response needs request, outcome, mid and fetchedAt");
        complete(d.request());
        return new Response(d.request(), d.outcome(), d.mid(), d.fetchedAt(), d.took(), d.attempts(), d.headers(),
                new Body(body));
    }

    /** A request. */
    public static Request request(byte[] json) {
        Request request = Json.read(json, Request.class);
        complete(request);
        return request;
    }

    private static void complete(Request request) {
        require(request.id() != null && request.run() != null && request.url() != null && request.host() != null,
                "a request needs id, run, url and host");
    }

    /** An item. */
    public static Item item(byte[] json) {
        Item item = Json.read(json, Item.class);
        require(item.id() != null && item.run() != null && item.kind() != null && item.url() != null,
                "an item needs id, run, kind and url");
        return item;
    }

    /** An error. */
    public static CrawlerError error(byte[] json) {
        return Json.read(json, CrawlerError.class);
    }

    /** A ledger record. */
    public static LedgerRecord ledger(byte[] json) {
        LedgerRecord ledger = Json.read(json, LedgerRecord.class);
        require(ledger.run() != null, "a ledger record needs a run");
        return ledger;
    }

    /** A control record. */
    public static ControlRecord control(byte[] json) {
        return Json.read(json, ControlRecord.class);
    }

    /** A seed as a user wrote it. */
    public static Seed seed(byte[] json) {
        return Json.read(json, Seed.class);
    }

    /** The record as JSON, with the schema before its own fields. */
    private static byte[] stamped(Object record) {
        byte[] json = Json.bytes(record);
        boolean empty = json.length == 2;
        byte[] stamped = Arrays.copyOf(STAMP, STAMP.length + json.length - (empty ? 1 : 0));
        if (!empty) {
            stamped[STAMP.length] = ',';
        }
        System.arraycopy(json, 1, stamped, stamped.length - json.length + 1, json.length - 1);
        return stamped;
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new MalformedRecord(rule);
        }
    }
}
