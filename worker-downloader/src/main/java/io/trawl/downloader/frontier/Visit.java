package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * One fetch that somebody waits for, outside of every crawl.
 *
 * @param request what to fetch
 * @param profile what the fetch presents itself as
 * @param delay the least pause that its host gets before it
 * @param partition of the requests of its host
 * @param owner whether it must be made under the lease of that partition
 * @param patience for how long at most it is waited for
 * @param told once what came of it, on the frontier's thread; must not block
 */
public record Visit(Request request, FetchProfile profile, Duration delay, int partition, boolean owner, Duration patience,
        Consumer<Visited> told) {}
