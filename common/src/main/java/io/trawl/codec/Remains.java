package io.trawl.codec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValue;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.RequestId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What can still be said of a request when its record, or that of its response, cannot be decoded: whose it is. That is enough to answer it, so that the
 * record costs only itself and its crawl still ends.
 */
public record Remains(CrawlRun run, RequestId id) {
    /**
     * Looks for the run and the id in a request, or in the request of a response's description. What comes after them need not even be JSON.
     *
     * @return empty if one of them cannot be read: then nobody can say which request it was, or whether it was one of ours
     */
    public static Optional<Remains> of(byte[] json) {
        Found found = new Found();
        try (JsonParser in = Json.mapper().createParser(json)) {
            found.search(in);
        } catch (IOException | InvalidValue e) {
            // Whatever was found before it counts.
        }
        return found.run.flatMap(run -> found.id.map(id -> new Remains(run, id)));
    }

    /** The answer for the ledger: refused as malformed. Nothing is learnt of its URL, so another request for that is fetched. */
    public LedgerRecord answer() {
        return new LedgerRecord(run, List.of(),
                List.of(new Answered(id, OutcomeKind.REFUSED, RefusalReason.MALFORMED.name(), true)), Map.of(), List.of(), 0);
    }

    private static final class Found {
        private Optional<CrawlRun> run = Optional.empty();
        private Optional<RequestId> id = Optional.empty();

        /** Through the fields of one object; stops as soon as both are found. */
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
