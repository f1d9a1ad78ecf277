package io.trawl.codec;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Item;
import io.trawl.control.ControlRecord;
import io.trawl.definition.PageChange;
import io.trawl.ledger.LedgerRecord;
import io.trawl.api.render.Rendering;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.Body;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
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
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The wire form of all records. Every record carries the {@link #SCHEMA} that it was written with, as its first field.
 * Unknown fields are ignored. Every decoded record is complete and in its ranges, whichever program wrote it: the
 * constructors of records check that. Otherwise, and for a record without a value, decoders throw
 * {@link MalformedRecordException} with a message for users. All methods are pure.
 */
public final class Codec {
    /** The record header that carries a response's description as JSON, next to the raw body. */
    public static final String RESPONSE_HEADER = "trawl";

    /**
     * The schema of the records that this version writes. It grows when the meaning of a field changes, so that a
     * reader can tell the versions apart; adding or omitting a field does not change it.
     */
    public static final int SCHEMA = 1;
    private static final byte[] STAMP = ("{\"schema\":" + SCHEMA).getBytes(StandardCharsets.UTF_8);

    private Codec() {}

    /** Everything about a response but its body. */
    private record Description(Request request, Outcome outcome, MID mid, Instant fetchedAt, Duration took,
            int attempts, Map<String, String> headers,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<ArchivedExchange> exchange,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Rendering> render,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> robots) {
        Description {
            FieldRules.present("took", took);
            FieldRules.present("headers", headers);
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

    /** The event of a page as JSON. */
    public static byte[] encode(PageChange change) {
        return stamped(change);
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
        return stamped(new Description(response.request(), response.outcome(), response.mid(), response.fetchedAt(),
                response.took(), response.attempts(), response.headers(), response.exchange(), response.render(),
                response.robots()));
    }

    /** The response of a description and a body. */
    public static Response response(byte @Nullable [] description, Body body) {
        Description d = Json.read(description, Description.class);
        return checked(() -> new Response(fetchable(d.request()), d.outcome(), d.mid(), d.fetchedAt(), d.took(),
                d.attempts(), d.headers(), body, d.exchange(), d.render(), d.robots()));
    }

    /** A request. */
    public static Request request(byte @Nullable [] json) {
        Request request = Json.read(json, Request.class);
        return checked(() -> fetchable(request));
    }

    /** An item. */
    public static Item item(byte @Nullable [] json) {
        Item item = Json.read(json, Item.class);
        return checked(() -> {
            FieldRules.present("id", item.id());
            FieldRules.present("key", item.key());
            FieldRules.present("run", item.run());
            FieldRules.present("kind", item.kind());
            FieldRules.present("url", item.url());
            CrawlRun.parse(item.run());
            return item;
        });
    }

    /** The event of a page. */
    public static PageChange change(byte @Nullable [] json) {
        return Json.read(json, PageChange.class);
    }

    /** An error. */
    public static CrawlerError error(byte @Nullable [] json) {
        return Json.read(json, CrawlerError.class);
    }

    /** A ledger record. */
    public static LedgerRecord ledger(byte @Nullable [] json) {
        return Json.read(json, LedgerRecord.class);
    }

    /** A control record. */
    public static ControlRecord control(byte @Nullable [] json) {
        return Json.read(json, ControlRecord.class);
    }

    /** A seed as a user wrote it. */
    public static Seed seed(byte @Nullable [] json) {
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

    /** No more than its readers rely on: admission has the whole rule for URLs. */
    private static Request fetchable(Request request) {
        FieldRules.present("request", request);
        String url = request.url();
        int authority = url.startsWith("http://") ? 7 : url.startsWith("https://") ? 8 : 0;
        if (authority == 0 || url.indexOf('/', authority) <= authority) {
            throw new InvalidValueException("url", url, "an absolute http or https URL with a path");
        }
        return request;
    }

    /** The value of a rule that the mapper does not check. */
    private static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (InvalidValueException e) {
            throw new MalformedRecordException(e.fault());
        } catch (RuntimeException e) {
            throw new MalformedRecordException("a value is missing or null");
        }
    }
}
