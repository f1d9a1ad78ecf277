package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.CrawlState;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.OutcomeKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The story of a URL or a host, as far as it can be found out now.
 *
 * @param url as it was asked for
 * @param normal its normal form; empty if it has none
 * @param host the host, with its port
 * @param run of the crawl
 * @param crawlState the crawl's state
 * @param verdict {@code ADMITTED}, or the name of the {@link io.trawl.model.RefusalReason}
 * @param rule the rule that decided, in words for people
 * @param known what the ledger knows of the URL; empty for a host, and if Redis does not answer
 * @param waiting where it waits and why
 * @param inFlight who has it
 * @param answered how it was answered first
 * @param item where its item is
 * @param queue how the host stands at the downloader that has it
 * @param story the same in sentences, in order, for people
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Explanation(Optional<String> url, Optional<String> normal, Optional<String> host, Optional<CrawlRun> run,
        Optional<CrawlState> crawlState, String verdict, String rule, Optional<Known> known, State state,
        Optional<Waiting> waiting, Optional<InFlight> inFlight, Optional<Answered> answered, Optional<StoredItem> item,
        Optional<HostView> queue, List<String> story) {
    /** The answer in a word. */
    public enum State {
        /** Nobody has asked for it yet. */
        UNKNOWN,
        /** Admission does not let it in. */
        REFUSED,
        /** It is requested and not answered. */
        WAITING,
        /** Somebody fetches it now. */
        IN_FLIGHT,
        /** It is answered. */
        ANSWERED
    }

    /**
     * What the ledger knows.
     *
     * @param requested whether a request is in Kafka
     * @param depth the smallest of a request
     * @param answered whether a response is in Kafka, or was
     * @param answeredDepth the smallest of a response
     * @param offset of the first response
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Known(boolean requested, Optional<Integer> depth, boolean answered, Optional<Integer> answeredDepth,
            Optional<Long> offset) {}

    /**
     * What it waits for.
     *
     * @param where the topic, partition and offset, as far as they are known
     * @param since when it came there, if that is known
     * @param until when its turn may come at the earliest, if that is known
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Waiting(String where, Optional<Instant> since, Optional<Instant> until, Why why) {}

    /** Why something waits. */
    public enum Why {
        /** A stop sign stands. */
        STOP_SIGN,
        /** The crawl is not started. */
        CRAWL_STOPPED,
        /** No downloader is registered. */
        NO_DOWNLOADER,
        /** The downloader that has the host does not answer. */
        NO_ANSWER,
        /** The downloader waits for the lease on the host's partition. */
        LEASE,
        /** The downloader waits for Kafka or Redis. */
        DOWNLOADER,
        /** Too many responses wait for analyzers. */
        BACK_PRESSURE,
        /** The host does not answer, and is left alone for a while or given up. */
        HOST_CLOSED,
        /** The host asked to be left alone, or failed, and is tried again later. */
        BACK_OFF,
        /** The host's robots.txt could not be had. */
        ROBOTS,
        /** The pause between two requests to the host. */
        DELAY,
        /** Requests of a higher priority come first at its host. */
        PRIORITY,
        /** Other requests come first at its host. */
        QUEUE,
        /** All slots of the downloader are taken. */
        SLOTS,
        /** It is in Kafka, and the downloader has not read it yet. */
        NOT_READ,
        /** It is answered, and the answer is on its way. */
        ANSWERING
    }

    /** Who fetches it, since when, and the how manieth attempt it is. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record InFlight(MID mid, Optional<Instant> since, int attempts) {}

    /**
     * How it was answered. All but the offset is empty where the record has been deleted, as it is when it is analysed.
     *
     * @param detail the status, the kind of failure or the reason of refusal
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Answered(Optional<Instant> at, Optional<OutcomeKind> outcome, Optional<String> detail,
            Optional<Integer> attempts, Optional<MID> mid) {}

    /**
     * Where its item is.
     *
     * @param id of the item, by which it is found in topic, file and database
     * @param topic where it stands if it has not been stored yet, with partition and offset
     * @param file a pattern that the pipeline's file matches, relative to the output folder
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record StoredItem(String id, Optional<String> topic, Optional<String> file) {}
}
