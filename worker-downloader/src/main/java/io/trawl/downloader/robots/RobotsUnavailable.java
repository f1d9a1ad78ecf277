package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.Fetched;
import java.time.Duration;
import java.util.Optional;

/** The rules of a host whose robots.txt cannot be had: nothing is allowed (RFC 9309 section 2.3.1.4). */
record RobotsUnavailable(Fetched fetched) implements RobotsRules {
    @Override
    public boolean isAllowed(String url) {
        return false;
    }

    @Override
    public Optional<Duration> crawlDelay() {
        return Optional.empty();
    }

    @Override
    public boolean unavailable() {
        return true;
    }

    @Override
    public Optional<Fetched> trouble() {
        return Optional.of(fetched);
    }
}
