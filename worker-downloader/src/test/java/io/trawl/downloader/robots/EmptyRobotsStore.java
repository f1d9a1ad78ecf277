package io.trawl.downloader.robots;

import io.trawl.model.HostKey;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import java.time.Duration;
import java.util.Optional;

/** The store of a process without a fleet. */
public final class EmptyRobotsStore implements RobotsStore {
    @Override
    public Optional<StoredRobots> find(HostKey host, String token) {
        return Optional.empty();
    }

    @Override
    public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {}
}
