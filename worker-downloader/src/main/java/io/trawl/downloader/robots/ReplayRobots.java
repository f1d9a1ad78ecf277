package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.HostKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What is in an archive was permitted when it was fetched; no host is asked. */
public final class ReplayRobots implements RobotsSource {
    @Override
    public Optional<RobotsRules> cached(HostKey host, String userAgent) {
        return Optional.of(RobotsRules.IGNORED);
    }

    @Override
    public CompletableFuture<LoadedRobots> load(HostKey host, String scheme, FetchProfile profile,
            FetchPermit fetchPermit) {
        return CompletableFuture.completedFuture(new LoadedRobots(RobotsRules.IGNORED, false));
    }

    @Override
    public CompletableFuture<List<RobotsVerdict>> check(RobotsRules rules, List<String> urls) {
        return CompletableFuture.completedFuture(urls.stream().map(_ -> RobotsVerdict.ALLOWED).toList());
    }
}
