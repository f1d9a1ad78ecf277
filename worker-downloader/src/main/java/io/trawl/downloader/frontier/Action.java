package io.trawl.downloader.frontier;

import io.trawl.codec.Remains;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the frontier wants done. Each kind is reported back to it by the method that its comment names. */
public sealed interface Action {
    /** Ask the ledger about these URLs; then {@link Frontier#judged}. */
    record LookUp(long ask, CrawlRun run, List<String> urls) implements Action {}

    /** Load a host's robots.txt, the way its first request would go, while the clearance holds; then {@link Frontier#robotsLoaded}. */
    record LoadRobots(long ticket, HostKey host, String scheme, FetchProfile profile, Clearance clearance) implements Action {}

    /** Begin this fetch, now, if the clearance still holds; then {@link Frontier#fetched}. */
    record Fetch(long ticket, Request request, FetchProfile profile, Clearance clearance) implements Action {}

    /** Produce this answer; when it is acknowledged, learn its fact, mark the offset; then {@link Frontier#answered}. */
    record Answer(long ticket, Lane lane, long offset, Reply reply) implements Action {}

    /** Mark the offset as answered although nobody wants an answer any more: its run is over; then {@link Frontier#answered}. */
    record Pass(long ticket, Lane lane, long offset) implements Action {}

    /**
     * There is no request at this offset that could be fetched: report it, answer what remains of it, mark the offset as answered; then
     * {@link Frontier#answered}.
     */
    record Unreadable(long ticket, Lane lane, long offset, String why, Optional<Remains> remains) implements Action {}

    /**
     * Read the bodies of these offsets, which grow; then {@link Frontier#read}, in any case unless the process ends. All were delivered in that tenure; they
     * are worth nothing any more when it has ended.
     */
    record Read(long ask, Lane lane, long tenure, List<Long> offsets) implements Action {}

    /** Read what commands there are about this run; then {@link Frontier#refreshed}. */
    record Refresh(CrawlRun run) implements Action {}

    /** Write down that a host, or whatever has this key, is closed for so long, for whoever serves its partition next. */
    record Closed(int partition, HostKey host, Duration pause) implements Action {}

    /** These offsets may be committed. Only for the tenures named: {@code tenure} is the number given with the assignment. */
    record Commit(Map<Lane, Mark> offsets) implements Action {
        /** Copies the map. */
        public Commit {
            offsets = Map.copyOf(offsets);
        }

        /** The low-water mark of a lane within one tenure. */
        public record Mark(long tenure, long offset) {}
    }

    /** Deliver the lanes again from these offsets on, within the tenures named, to the end. */
    record Reread(Map<Lane, Commit.Mark> from) implements Action {
        /** Copies the map. */
        public Reread {
            from = Map.copyOf(from);
        }
    }

    /** Go on, or stop, reading the lanes of a priority. */
    record Scan(int priority, boolean on) implements Action {}
}
