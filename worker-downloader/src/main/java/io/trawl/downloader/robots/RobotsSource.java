package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.model.HostKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The rules of hosts, kept in this process for a while. Safe for use by many threads. */
public interface RobotsSource {
    /**
     * What is known and still believed, without any waiting. Empty: {@link #load} must be called, in the host's turn.
     *
     * @param userAgent the whole {@code User-Agent}; its {@link io.trawl.model.ProductToken} is looked up in the file
     */
    Optional<RobotsRules> cached(HostKey host, String userAgent);

    /**
     * Finds out what {@code /robots.txt} says and keeps it: from the fleet if any process has asked lately, else from the site. May be a request to
     * the host: call it in the host's turn, and let the delay pass after it. One fetch, plus one for each redirect (five at most, each through the
     * address guard and not before the target's own {@link HopGate} opens). Nothing is retried. The future never completes exceptionally; what is not
     * to be had is {@link RobotsRules#unavailable()}.
     *
     * @param host {@code host:port}
     * @param scheme {@code http} or {@code https}
     * @param profile the name to ask by, and the proxy to ask through
     * @param clearance asked before the bytes of each fetch leave; what was withdrawn is unavailable, says so in its trouble, and is not kept
     */
    CompletableFuture<RobotsRules> load(HostKey host, String scheme, FetchProfile profile, Clearance clearance);
}
