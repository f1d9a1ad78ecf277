package io.trawl.ledger;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Outcome.HttpError;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one transaction for one run. All totals in summaries are sums over these records, and the crawl is
 * finished when the set of ids emitted and not answered is empty. Only the first listing of an id counts.
 *
 * @param run the run; all its records are in one partition, so that an emission comes before its answer
 * @param emitted the requests that this transaction wrote
 * @param answered the requests whose responses this transaction handled
 * @param refused candidates that did not become requests, by reason
 * @param rules how often each rule of the definition refused a candidate or a request, by its text; part of
 * {@code refused} and {@code answered}
 * @param straySeeds seeds that redirected out of the accepted domains
 * @param bytes bytes of the handled bodies
 * @param moved requests that wait at another priority since; the last order to move an id counts
 * @param items what became of items; empty in records of processes that handle none
 * @param render how pages were rendered; empty if none was
 * @param domains those that the run accepts since this transaction; empty if there are none
 * @param exempt those of the emitted requests for which no limit of the run is: for requisites of pages, and for pages
 * that are visited again
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record LedgerRecord(CrawlRun run, List<EmittedRequest> emitted, List<AnsweredRequest> answered,
        Map<RefusalReason, Integer> refused, Map<String, Integer> rules, List<StraySeed> straySeeds, long bytes,
        List<MovedRequest> moved, Optional<ItemCounts> items, Optional<RenderCounts> render,
        Optional<SeedDomains> domains, List<RequestId> exempt) {
    /** How many ids writers put into one record, so that it fits into a record of Kafka. */
    public static final int MOST_IDS = 5_000;
    private static final long MOST_BYTES = 1L << 50;

    /**
     * Absent lists (they are left out when empty) are empty.
     *
     * @throws io.trawl.model.InvalidValueException if the run is absent, or a number is out of its range
     */
    public LedgerRecord {
        FieldRules.present("run", run);
        FieldRules.range("bytes", bytes, 0, MOST_BYTES);
        emitted = emitted == null ? List.of() : List.copyOf(emitted);
        answered = answered == null ? List.of() : List.copyOf(answered);
        refused = refused == null ? Map.of() : Map.copyOf(refused);
        FieldRules.counts("refused", refused.values());
        rules = rules == null ? Map.of() : Map.copyOf(rules);
        FieldRules.counts("rules", rules.values());
        straySeeds = straySeeds == null ? List.of() : List.copyOf(straySeeds);
        moved = moved == null ? List.of() : List.copyOf(moved);
        exempt = exempt == null ? List.of() : List.copyOf(exempt);
    }

    /** A record of no moved requests. */
    public LedgerRecord(CrawlRun run, List<EmittedRequest> emitted, List<AnsweredRequest> answered,
            Map<RefusalReason, Integer> refused, Map<String, Integer> rules, List<StraySeed> straySeeds, long bytes,
            Optional<ItemCounts> items) {
        this(run, emitted, answered, refused, rules, straySeeds, bytes, List.of(), items, Optional.empty(),
                Optional.empty(), List.of());
    }

    /** A record without items, of URLs that no rule of the definition refused. */
    public LedgerRecord(CrawlRun run, List<EmittedRequest> emitted, List<AnsweredRequest> answered,
            Map<RefusalReason, Integer> refused, List<StraySeed> straySeeds, long bytes) {
        this(run, emitted, answered, refused, Map.of(), straySeeds, bytes, Optional.empty());
    }

    /** The same with how pages were rendered. */
    public LedgerRecord rendered(Optional<RenderCounts> pages) {
        return new LedgerRecord(run, emitted, answered, refused, rules, straySeeds, bytes, moved, items, pages, domains,
                exempt);
    }

    /** The same with domains that are accepted since. */
    public LedgerRecord accepting(Optional<SeedDomains> more) {
        return new LedgerRecord(run, emitted, answered, refused, rules, straySeeds, bytes, moved, items, render, more,
                exempt);
    }

    /** The same with those of the emitted requests for which no limit of the run is. */
    public LedgerRecord withExempt(List<RequestId> ids) {
        return new LedgerRecord(run, emitted, answered, refused, rules, straySeeds, bytes, moved, items, render,
                domains, ids);
    }

    /** A record that contains nothing but the run. */
    public static LedgerRecord empty(CrawlRun run) {
        return new LedgerRecord(run, List.of(), List.of(), Map.of(), List.of(), 0);
    }

    /** The record of a transaction that handled only items. */
    public static LedgerRecord of(CrawlRun run, ItemCounts items) {
        return new LedgerRecord(run, List.of(), List.of(), Map.of(), Map.of(), List.of(), 0, Optional.of(items));
    }

    /** The record of requests that visit pages again: as for requisites, no limit of the run is for them. */
    public static LedgerRecord ofVisits(CrawlRun run, List<EmittedRequest> emitted) {
        return new LedgerRecord(run, emitted, List.of(), Map.of(), List.of(), 0)
                .withExempt(emitted.stream().map(EmittedRequest::id).toList());
    }

    /** The record of requests that were written to another priority. */
    public static LedgerRecord ofMoved(CrawlRun run, List<MovedRequest> moved) {
        return new LedgerRecord(run, List.of(), List.of(), Map.of(), Map.of(), List.of(), 0, moved, Optional.empty(),
                Optional.empty(), Optional.empty(), List.of());
    }

    /** Whether it contains nothing but the run. */
    @JsonIgnore
    public boolean isEmpty() {
        return emitted.isEmpty() && answered.isEmpty() && refused.isEmpty() && rules.isEmpty() && straySeeds.isEmpty()
                && bytes == 0 && moved.isEmpty() && items.isEmpty() && render.isEmpty() && domains.isEmpty();
    }

    /** A written request; an array in JSON: {@code ["id", priority, depth]}. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"id", "priority", "depth"})
    public record EmittedRequest(RequestId id, int priority, int depth) {
        /** @throws io.trawl.model.InvalidValueException if the id is absent, or a number is out of its range */
        public EmittedRequest {
            FieldRules.present("emitted.id", id);
            FieldRules.range("emitted.priority", priority, 0, Request.MOST_LEVELS - 1);
            FieldRules.range("emitted.depth", depth, 0, Request.LARGEST_DEPTH);
        }
    }

    /**
     * An answered request; an array in JSON: {@code ["id", "PAGE", "200", true]}.
     *
     * @param detail the status, the kind of failure or the reason of refusal; of a body or HTTP error of a source with
     * {@value #SOURCE} before it, of a requisite with {@value #REQUISITE}
     * @param stored whether it was the first response of its URL, so that its item or error is in the output
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"id", "outcome", "detail", "stored"})
    public record AnsweredRequest(RequestId id, OutcomeKind outcome, String detail, boolean stored) {
        /**
         * How the detail begins of the answer to a request for a source of links, if that is a body or an HTTP error.
         */
        public static final String SOURCE = "source ";
        /** The same for a requisite of a page. */
        public static final String REQUISITE = "requisite ";
        private static final int LONGEST = 100;

        /**
         * An absent detail is empty, a long one is cut: totals are broken down by it.
         *
         * @throws io.trawl.model.InvalidValueException if the id or the outcome is absent
         */
        public AnsweredRequest {
            FieldRules.present("answered.id", id);
            FieldRules.present("answered.outcome", outcome);
            detail = detail == null ? "" : detail.substring(0, Math.min(detail.length(), LONGEST));
        }

        /** Whether the page may be there: the request failed, or had an HTTP error other than 404 and 410. */
        public boolean unavailable() {
            return outcome == OutcomeKind.FAILURE || outcome == OutcomeKind.HTTP_ERROR
                    && HttpError.GONE.stream().noneMatch(status -> detail.endsWith(status.toString()));
        }
    }

    /**
     * A request that was written to another priority; an array in JSON: {@code ["id", priority, order]}.
     *
     * @param order the number of the order to move it: a late entry of an earlier one is ignored; {@value #REPLACED} if
     * its priority is gone
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"id", "priority", "order"})
    public record MovedRequest(RequestId id, int priority, int order) {
        /** In the place of an order: the request topics were replaced by those of fewer priorities. */
        public static final int REPLACED = 0;

        /** @throws io.trawl.model.InvalidValueException if the id is absent, or a number is out of its range */
        public MovedRequest {
            FieldRules.present("moved.id", id);
            FieldRules.range("moved.priority", priority, 0, Request.MOST_LEVELS - 1);
            FieldRules.range("moved.order", order, REPLACED, Integer.MAX_VALUE);
        }
    }

    /** A seed whose redirects led out of the accepted domains, with the domain that would have to be accepted. */
    public record StraySeed(String url, String target, String domain) {
        /** @throws io.trawl.model.InvalidValueException if a field is absent */
        public StraySeed {
            FieldRules.present("straySeeds.url", url);
            FieldRules.present("straySeeds.target", target);
            FieldRules.present("straySeeds.domain", domain);
        }
    }
}
