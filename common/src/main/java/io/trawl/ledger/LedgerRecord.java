package io.trawl.ledger;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.trawl.model.CrawlRun;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.RequestId;
import java.util.List;
import java.util.Map;

/**
 * What one transaction did for one run. All totals that people see are sums over these records, and the crawl is finished when the set of ids
 * emitted and not answered is empty. The first listing of an id counts.
 *
 * @param run the run; its crawl id is the record's key, so that an emission precedes its answer
 * @param emitted the requests that this transaction wrote
 * @param answered the requests whose responses this transaction handled
 * @param refused candidates that did not become requests, by reason
 * @param straySeeds seeds that were redirected out of the accepted domains
 * @param bytes bytes of the bodies that were handled
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LedgerRecord(CrawlRun run, List<Emitted> emitted, List<Answered> answered, Map<RefusalReason, Integer> refused,
        List<StraySeed> straySeeds,
        long bytes) {
    /** Absent lists (they are left out when empty) are empty. */
    public LedgerRecord {
        emitted = emitted == null ? List.of() : List.copyOf(emitted);
        answered = answered == null ? List.of() : List.copyOf(answered);
        refused = refused == null ? Map.of() : Map.copyOf(refused);
        straySeeds = straySeeds == null ? List.of() : List.copyOf(straySeeds);
    }

    /** Whether it says nothing but that the run before is over. */
    @JsonIgnore
    public boolean isEmpty() {
        return emitted.isEmpty() && answered.isEmpty() && refused.isEmpty() && straySeeds.isEmpty() && bytes == 0;
    }

    /** A request that was written; an array in JSON: {@code ["id", priority, depth]}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"id", "priority", "depth"})
    public record Emitted(RequestId id, int priority, int depth) {}

    /**
     * A request that was answered; an array in JSON: {@code ["id", "PAGE", "200", true]}.
     *
     * @param detail the status, the kind of failure or the reason of refusal
     * @param stored whether it was the first response of its URL, so that its item or error is in the output
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"id", "outcome", "detail", "stored"})
    public record Answered(RequestId id, OutcomeKind outcome, String detail, boolean stored) {}

    /** A seed whose redirects led out of the accepted domains, with the domain that would have to be accepted. */
    public record StraySeed(String url, String target, String domain) {}
}
