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
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The wire form of everything that travels. Decoders throw {@link MalformedRecord} with a message fit for people. All methods are pure.
 */
public final class Codec {
    /** The record header that carries a response's description as JSON, beside the raw body. */
    public static final String RESPONSE_HEADER = "trawl";

    private Codec() {}

    /** Everything about a response but its body. */
    private record Description(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took, int attempts,
            Map<String, String> headers) {}

    /** A request as JSON. */
    public static byte[] encode(Request request) {
        return Json.bytes(request);
    }

    /** An item as JSON. */
    public static byte[] encode(Item item) {
        return Json.bytes(item);
    }

    /** An error as JSON. */
    public static byte[] encode(CrawlerError error) {
        return Json.bytes(error);
    }

    /** A ledger record as JSON. */
    public static byte[] encode(LedgerRecord ledger) {
        return Json.bytes(ledger);
    }

    /** A control record as JSON. */
    public static byte[] encode(ControlRecord control) {
        return Json.bytes(control);
    }

    /** A seed as JSON. */
    public static byte[] encode(Seed seed) {
        return Json.bytes(seed);
    }

    /** The JSON for {@link #RESPONSE_HEADER}; the body is the record's value. */
    public static byte[] describe(Response response) {
        return Json.bytes(
                new Description(response.request(), response.outcome(), response.mid(), response.fetchedAt(), response.took(),
                        response.attempts(), response.headers()));
    }

    /** The response of a description and a body. */
    public static Response response(byte[] description, byte[] body) {
        Description d = Json.read(description, Description.class);
        require(d.request() != null && d.outcome() != null && d.mid() != null, "a response needs request, outcome and mid");
        return new Response(d.request(), d.outcome(), d.mid(), d.fetchedAt(), d.took(), d.attempts(), d.headers(),
                new Body(body));
    }

    /** A request. */
    public static Request request(byte[] json) {
        Request request = Json.read(json, Request.class);
        require(request.id() != null && request.run() != null && request.url() != null && request.host() != null,
                "a request needs id, run, url and host");
        return request;
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
        return Json.read(json, LedgerRecord.class);
    }

    /** A control record. */
    public static ControlRecord control(byte[] json) {
        return Json.read(json, ControlRecord.class);
    }

    /** A seed as a user wrote it. */
    public static Seed seed(byte[] json) {
        return Json.read(json, Seed.class);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new MalformedRecord(rule);
        }
    }
}
