package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.DirectFetch.DirectFetchResult;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One fetch outside of every crawl, for a caller that waits.
 *
 * @param request the request to fetch
 * @param profile how the fetch presents itself
 * @param delay the minimum pause of its host before it
 * @param partition the request partition of its host
 * @param owner whether it requires the lease of that partition
 * @param patience how long the caller waits at most
 * @param callback called once with the result, on the frontier's thread; must not block
 */
public record DirectFetch(Request request, FetchProfile profile, Duration delay, int partition, boolean owner,
        Duration patience, Consumer<DirectFetchResult> callback) {

    /** The result of a {@link DirectFetch}. */
    public sealed interface DirectFetchResult {
        /**
         * There is an answer.
         *
         * @param fetched the exchange; empty if there was none (robots.txt forbids it) or it is still in flight
         */
        record Completed(Outcome outcome, Optional<FetchResult> fetched) implements DirectFetchResult {}

        /**
         * The host may not be asked in time.
         *
         * @param why the reason, for people
         * @param pause when to try again
         */
        record Late(String why, Duration pause) implements DirectFetchResult {}

        /** Another process owns the host, or will own it soon. */
        record Elsewhere() implements DirectFetchResult {}
    }
}
