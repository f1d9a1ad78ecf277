package io.trawl.direct;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.module.StageState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of a downloader to {@code GET /frontier?run=docs/1&url=...} or {@code &host=host:port}: the state of a
 * host, and of one request to it, in its frontier at this moment. The call changes nothing. Only the downloader that
 * serves the host's partition knows the host.
 *
 * @param mid who
 * @param at when
 * @param state the downloader's
 * @param partition of the host's requests
 * @param leased whether the downloader holds the lease on it, without which nothing is fetched
 * @param holding whether it gives no turns, since too many responses wait for analyzers
 * @param slots exchanges that it may have in flight
 * @param slotsUsed those that it has
 * @param host the host
 * @param request the request, if its whereabouts are known
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record FrontierView(MID mid, Instant at, StageState state, int partition, boolean leased, boolean holding,
        int slots, int slotsUsed, HostView host, Optional<RequestView> request) {
    /** Where it is asked. */
    public static final String PATH = "/frontier";
    /** The parameter for the identity of a request, if that is not its URL. */
    public static final String IDENTITY = "identity";

    /**
     * A host's queue.
     *
     * @param key what its requests share their pauses by: the host, unless politeness is by domain or address
     * @param pending requests that wait in the queue, by priority; those of stopped crawls are not among them
     * @param pendingByRun the same requests by the runs that they belong to, which take turns by their weights
     * @param unread how many of them are known by their offsets alone
     * @param inFlight exchanges under way
     * @param inFlightFor for how long the one that began last has been under way; empty if none is
     * @param perHost exchanges that it may have
     * @param fetching the URLs of those that are fetched for crawls, ten at most
     * @param opensIn after how long the next exchange may begin, for all that is known now; empty: at once
     * @param closedFor for how long the host is closed to every request: it asked for that, or failed
     * @param pause the pause after each exchange
     * @param crawlDelay what its robots.txt asks for
     * @param robots what is known of its robots.txt
     * @param robotsTrouble why its robots.txt is not known, if its load has failed, in words for people
     * @param silence what is known of its not answering at all; empty if it answers
     * @param postponed whether its pages in this run repeat each other, so that its requests come after those of other
     * hosts
     * @param limited whether it may be asked and waits for the part of the slots of its domain, crawl or group
     * @param resolving whether it may be asked and the addresses of its name are looked up
     * @param withoutPermit whether the run had no permit for a further page when it was asked last
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HostView(HostKey host, HostKey key, Map<Integer, Long> pending, Map<String, Long> pendingByRun,
            long unread, int inFlight, Optional<Duration> inFlightFor, int perHost, List<String> fetching,
            Optional<Duration> opensIn, Optional<Duration> closedFor, Duration pause, Optional<Duration> crawlDelay,
            Robots robots, Optional<String> robotsTrouble, Optional<Silence> silence, boolean postponed,
            boolean limited, boolean resolving, boolean withoutPermit) {
        /** Copies; what is absent is empty. */
        @SuppressWarnings("ConstantValue")
        public HostView {
            pending = pending == null ? Map.of() : Map.copyOf(pending);
            pendingByRun = pendingByRun == null ? Map.of() : Map.copyOf(pendingByRun);
            fetching = fetching == null ? List.of() : List.copyOf(fetching);
        }
    }

    /** What a downloader knows of a host's robots.txt. */
    public enum Robots {
        /** It has not been asked for lately. */
        NOT_ASKED,
        /** It is known, or known not to be there. */
        KNOWN,
        /** The fetch failed: the host's requests wait for another attempt. */
        UNREACHABLE,
        /** Several fetches failed: requests are answered as failures for a while. */
        GIVEN_UP,
        /** The address guard refuses the host: its requests are refused, too. */
        REFUSED,
        /** The crawl's definition says that it is not read. */
        IGNORED
    }

    /**
     * A host that does not answer.
     *
     * @param failures in a row
     * @param givenUp whether its requests are answered as failures without being sent
     * @param until for how long the downloader does not try again
     * @param lasts the time since the first of the failures
     * @param last the last failure, in words for people
     */
    public record Silence(int failures, boolean givenUp, Duration until, Duration lasts, String last) {}

    /**
     * A request in memory.
     *
     * @param where it is
     * @param since for how long it has been there, if that is known
     * @param until after how long it leaves, if that is known
     * @param attempts fetches so far, the one under way included
     * @param trouble what came of the last of them, if it did not end the request
     * @param topicPriority of its topic
     * @param offset in its partition of that topic
     * @param aheadByRun requests of its host that come before it, by the runs that they belong to, if it waits in the
     * queue
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RequestView(Where where, Optional<Duration> since, Optional<Duration> until, int attempts,
            Optional<String> trouble, int topicPriority, long offset, Map<String, Long> aheadByRun) {
        /** Copies; what is absent is empty. */
        @SuppressWarnings("ConstantValue")
        public RequestView {
            aheadByRun = aheadByRun == null ? Map.of() : Map.copyOf(aheadByRun);
        }

        /** The number of requests of its host that come before it, if it waits in the queue. */
        public long ahead() {
            return aheadByRun.values().stream().mapToLong(Long::longValue).sum();
        }
    }

    /** Where a request may be. */
    public enum Where {
        /** It is being fetched. */
        FETCHING,
        /** Its host's robots.txt is being fetched in its turn. */
        ASKING_ROBOTS,
        /** Its answer is on its way into Kafka. */
        ANSWERING,
        /** It is tried again after a back-off. */
        RETRY,
        /** Its crawl does not fetch now. */
        CRAWL_STOPPED,
        /** Its crawl is not known; the commands are being read. */
        CRAWL_UNKNOWN,
        /** It waits for its turn. */
        QUEUE
    }
}
