package io.trawl.downloader.politeness;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.model.HostKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The rules of hosts, cached in this process, and what they say about URLs. Thread-safe. */
public interface RobotsSource {
    /**
     * Loaded rules.
     *
     * @param hostAsked whether a request was sent to the host, or may have been; false: a cache had them
     */
    record LoadedRobots(RobotsRules rules, boolean hostAsked) {}

    /**
     * The cached and valid rules; never blocks. Empty: call {@link #load}, in the host's turn.
     *
     * @param userAgent the whole {@code User-Agent}; its {@link io.trawl.model.ProductToken} is looked up in the file
     */
    Optional<RobotsRules> cached(HostKey host, String userAgent);

    /**
     * Loads {@code /robots.txt} and caches it: from the fleet's cache if any process has loaded it lately, otherwise
     * from the site. This may send a request to the host: call it in the host's turn, and send nothing else meanwhile.
     * If {@linkplain LoadedRobots#hostAsked the host was asked}, wait for the delay after it; otherwise no delay
     * begins. It sends one request, plus one for each redirect (five at most, each through the address guard and after
     * the delay of the target's {@code RedirectThrottle}). Nothing is retried. The future never completes
     * exceptionally; a file that cannot be read is {@link RobotsRules#unreachable()}.
     *
     * @param host {@code host:port}
     * @param scheme {@code http} or {@code https}
     * @param profile the user agent and the proxy of the request
     * @param permit checked before the bytes of each fetch are sent; a withdrawn fetch is unreachable, has a withdrawn
     * trouble, and is not cached
     */
    CompletableFuture<LoadedRobots> load(HostKey host, String scheme, FetchProfile profile, FetchPermit fetchPermit);

    /**
     * Matches URLs with rules, each within {@link RobotsRules#MOST_STEPS}, on threads that block nothing else; never
     * fails.
     */
    CompletableFuture<List<RobotsVerdict>> check(RobotsRules rules, List<String> urls);
}
