package io.trawl.downloader.robots;

import io.trawl.model.HostKey;
import io.trawl.robots.FleetRobots;
import io.trawl.robots.RobotsAnswer;
import java.time.Duration;
import java.util.Optional;

/** The fleet of a process that is alone in it. */
final class NobodyElse implements FleetRobots {
    @Override
    public Optional<Found> find(HostKey host, String token) {
        return Optional.empty();
    }

    @Override
    public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {
        // nobody will ask
    }
}
