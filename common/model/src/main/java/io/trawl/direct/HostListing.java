package io.trawl.direct;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Silence;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The answer of a downloader to {@code GET /hosts}: some of the hosts that it serves or has served. The call changes
 * nothing.
 *
 * @param matching how many of its hosts match, those that are not listed included
 * @param rows the first of them in the requested order
 */
public record HostListing(long matching, List<HostRow> rows) {
    /** Where it is asked. */
    public static final String PATH = "/hosts";

    /** Copies; what is absent is empty. */
    @SuppressWarnings("ConstantValue")
    public HostListing {
        rows = rows == null ? List.of() : List.copyOf(rows);
    }

    /**
     * A host at its downloader.
     *
     * @param host or the key by which several servers share their pauses
     * @param mid who serves it
     * @param waiting requests that wait in the queue, of all crawls
     * @param inFlight exchanges under way
     * @param answered requests that this downloader has answered since it started; with a crawl as the filter, those of
     * the crawl
     * @param errors those of them that ended as an HTTP error or a failure
     * @param nextIn after how long the next exchange may begin; empty if nothing waits, or at once
     * @param closedFor for how long the host is closed to every request
     * @param pause the pause after each exchange
     * @param robots what is known of its robots.txt
     * @param inFlightFor for how long the exchange that began last has been under way; empty if none is
     * @param silence the failed tries in a row, and the last cause; empty if its last exchange had an answer
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HostRow(HostKey host, MID mid, @JsonInclude(JsonInclude.Include.ALWAYS) long waiting,
            @JsonInclude(JsonInclude.Include.ALWAYS) int inFlight,
            @JsonInclude(JsonInclude.Include.ALWAYS) long answered,
            @JsonInclude(JsonInclude.Include.ALWAYS) long errors, Optional<Duration> nextIn,
            Optional<Duration> closedFor, Optional<Duration> pause, Robots robots, Optional<Duration> inFlightFor,
            Optional<Silence> silence) {

        /** Tries in a row that had no answer; they count nowhere else until a request is given up. */
        public int failures() {
            return silence.map(Silence::failures).orElse(0);
        }

        /** The same with these numbers of answers. */
        public HostRow counted(long allAnswered, long failed) {
            return new HostRow(host, mid, waiting, inFlight, allAnswered, failed, nextIn, closedFor, pause, robots,
                    inFlightFor, silence);
        }
    }
}
