package io.trawl.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The run and the id of a request whose record, or whose response's record, cannot be decoded. They are enough to
 * answer the request, so that the malformed record does not keep its crawl from finishing.
 */
public record SalvagedHeader(CrawlRun run, RequestId id) {
    /**
     * Looks for the run and the id in a request, or in the request of a response's description. The text after them
     * need not be valid JSON.
     *
     * @return empty if one of them cannot be read: then the request cannot be identified
     */
    public static Optional<SalvagedHeader> of(byte[] json) {
        Found found = new Found();
        try (JsonParser in = Json.mapper().createParser(json)) {
            found.search(in);
        } catch (IOException | InvalidValueException e) {
            // Keep the values that were found before the error.
        }
        return found.run.flatMap(run -> found.id.map(id -> new SalvagedHeader(run, id)));
    }

    /** The run that a request names, read no further than that; empty if it cannot be read. */
    public static Optional<CrawlRun> run(byte[] json) {
        try (JsonParser in = Json.mapper().createParser(json)) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean named = in.currentName().equals("run");
                if (in.nextToken() == JsonToken.VALUE_STRING && named) {
                    return Optional.of(CrawlRun.parse(in.getText()));
                }
                in.skipChildren();
            }
        } catch (IOException | InvalidValueException e) {
            // It names no run.
        }
        return Optional.empty();
    }

    /**
     * The answer for the ledger: refused as malformed. The URL is not learned, so another request for it is fetched.
     */
    public LedgerRecord answer() {
        return new LedgerRecord(run, List.of(),
                List.of(new AnsweredRequest(id, OutcomeKind.REFUSED, RefusalReason.MALFORMED.name(), true)), Map.of(),
                List.of(), 0);
    }

    private static final class Found {
        private Optional<CrawlRun> run = Optional.empty();
        private Optional<RequestId> id = Optional.empty();

        /** Scans the fields of one object; stops when both are found. */
        private void search(JsonParser in) throws IOException {
            if (in.currentToken() == null) {
                in.nextToken();
            }
            while (in.nextToken() == JsonToken.FIELD_NAME && (run.isEmpty() || id.isEmpty())) {
                String name = in.currentName();
                JsonToken value = in.nextToken();
                if (name.equals("request") && value == JsonToken.START_OBJECT) {
                    search(in);
                } else if (name.equals("run") && value == JsonToken.VALUE_STRING) {
                    run = Optional.of(CrawlRun.parse(in.getText()));
                } else if (name.equals("id") && value == JsonToken.VALUE_STRING) {
                    id = Optional.of(RequestId.parse(in.getText()));
                } else {
                    in.skipChildren();
                }
            }
        }
    }
}
