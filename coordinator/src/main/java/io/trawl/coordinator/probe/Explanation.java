package io.trawl.coordinator.probe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.soabase.recordbuilder.core.RecordBuilder.ConcreteSettersForOptionalMode;
import io.trawl.api.render.Rendering;
import io.trawl.control.CrawlState;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.Outcome.OutcomeKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The explanation of a URL or a host, as far as the sources answer.
 *
 * @param url as given by the client
 * @param normal its normal form; empty if it has none
 * @param host the host, with its port
 * @param run of the crawl
 * @param crawlState the crawl's state
 * @param verdict {@code ADMITTED}, or the name of the {@link io.trawl.model.RefusalReason}
 * @param rule the rule that decided, as text
 * @param known the ledger's facts about the URL; empty for a host, and if Redis does not answer
 * @param waiting where it waits and why
 * @param inFlight the downloader that fetches it
 * @param answered how it was answered first
 * @param item the position of its item
 * @param queue the state of the host at the downloader that owns it
 * @param story the explanation in sentences, for users
 */
@RecordBuilder
@RecordBuilder.Options(addSingleItemCollectionBuilders = true, useImmutableCollections = true, addConcreteSettersForOptional = ConcreteSettersForOptionalMode.ENABLED)
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Explanation(Optional<String> url, Optional<String> normal, Optional<String> host, Optional<CrawlRun> run,
        Optional<CrawlState> crawlState, String verdict, String rule, Optional<Known> known, State state,
        Optional<Waiting> waiting, Optional<InFlight> inFlight, Optional<Answered> answered, Optional<StoredItem> item,
        Optional<HostView> queue, List<String> story) {
    /** Nothing is known yet. */
    static ExplanationBuilder begin() {
        return ExplanationBuilder.builder().verdict("").rule("").state(State.UNKNOWN);
    }

    /** The state of a URL or a host. */
    public enum State {
        /** It is not requested. */
        UNKNOWN,
        /** Admission refuses it. */
        REFUSED,
        /** It is requested and waits. */
        WAITING,
        /** A downloader fetches it now. */
        IN_FLIGHT,
        /** It is answered. */
        ANSWERED
    }

    /**
     * The ledger's facts about a URL.
     *
     * @param requested whether a request is in Kafka
     * @param depth the smallest depth of a request
     * @param answered whether a response is or was in Kafka
     * @param answeredDepth the smallest depth of a response
     * @param offset of the first response
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Known(boolean requested, Optional<Integer> depth, boolean answered, Optional<Integer> answeredDepth,
            Optional<Long> offset) {
        /** @param exact whether the ledger has exact depths */
        static Known of(UrlFacts facts, boolean exact) {
            boolean requested = facts.known() != UrlFacts.NO_DEPTH;
            boolean answered = facts.first() != UrlFacts.NO_OFFSET;
            return new Known(requested || answered, exact && requested ? Optional.of(facts.known()) : Optional.empty(),
                    answered,
                    exact && facts.doneDepth() != UrlFacts.NO_DEPTH ? Optional.of(facts.doneDepth()) : Optional.empty(),
                    answered ? Optional.of(facts.first()) : Optional.empty());
        }
    }

    /**
     * The position of a waiting request, and the reason.
     *
     * @param where the topic, partition and offset, as far as they are known
     * @param since when it was written there, if known
     * @param until the earliest time at which it may be fetched, if known
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Waiting(String where, Optional<Instant> since, Optional<Instant> until, Why why) {}

    /** Why a request waits. */
    public enum Why {
        /** A stop sign is set. */
        STOP_SIGN,
        /** The crawl is not started. */
        CRAWL_STOPPED,
        /** The request topics are replaced by others. */
        REPLACED,
        /** No downloader is registered. */
        NO_DOWNLOADER,
        /** The downloader that owns the host does not answer. */
        NO_ANSWER,
        /** The downloader waits for the lease on the host's partition. */
        LEASE,
        /** The downloader waits for Kafka or Redis. */
        DOWNLOADER,
        /** Too many responses wait for analyzers. */
        BACK_PRESSURE,
        /** The host does not answer, and is in back-off or given up. */
        HOST_CLOSED,
        /** The host sent Retry-After or an error, and is retried later. */
        BACK_OFF,
        /** The host's robots.txt is unreachable. */
        ROBOTS,
        /** The addresses of the host's name are looked up. */
        NAME,
        /** The run has a limit of pages or bytes, and others hold its last permits. */
        PERMIT,
        /** The host's pages repeat each other, so that its requests come after those of other hosts. */
        POSTPONED,
        /** The pause between requests to the host. */
        DELAY,
        /** Requests of a higher priority come first at its host. */
        PRIORITY,
        /** Other requests come first at its host. */
        QUEUE,
        /** All slots of the downloader are in use, or all that its domain or crawl may use. */
        SLOTS,
        /** It is in Kafka, and the downloader has not read it yet. */
        NOT_READ,
        /** It is answered, and the answer is being written. */
        ANSWERING
    }

    /** The downloader that fetches it, the start of the fetch, and the number of the attempt. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record InFlight(MID mid, Optional<Instant> since, int attempts) {}

    /**
     * The answer. All components are empty if the record was deleted, which happens after the analysis.
     *
     * @param detail the status, the failure or the reason of the refusal
     * @param render how the page was rendered; empty if it was not
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Answered(Optional<Instant> at, Optional<OutcomeKind> outcome, Optional<String> detail,
            Optional<Integer> attempts, Optional<MID> mid, Optional<Rendering> render) {}

    /**
     * The position of an item.
     *
     * @param id of the item in topic, file and database
     * @param topic its topic, partition and offset, if it is not stored yet
     * @param file a glob for the pipeline's file, relative to the output folder
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record StoredItem(String id, Optional<String> topic, Optional<String> file) {}
}
