package io.trawl.downloader.frontier;

import io.trawl.downloader.robots.RobotsRules;
import io.trawl.model.HostKey;
import java.util.Optional;

/** What robots.txt of a host is known to say; asked on the frontier's thread, answers at once. */
@FunctionalInterface
public interface RulesByHost {
    /** The rules for a crawler that calls itself so; empty if they must be loaded, in the host's turn. */
    Optional<RobotsRules> cached(HostKey host, String userAgent);
}
