package io.trawl.downloader.frontier;

import io.trawl.downloader.robots.RobotsRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** How often one server's robots.txt could not be had, and for which crawlers that was given up. Belongs to the frontier's thread. */
final class GivenUpRobots {
    private int tries;
    private Map<String, GivenUp> byCrawler = Map.of();

    /** That robots.txt cannot be had, and until when this is not doubted. */
    private record GivenUp(RobotsRules rules, long until) {}

    /** robots.txt was asked for in vain; returns how often that failed in a row. */
    int failed() {
        return ++tries;
    }

    /** robots.txt was had. */
    void found(String userAgent) {
        tries = 0;
        forget(userAgent);
    }

    /** robots.txt cannot be had; whatever that means for requests, it is not asked for again before that is forgotten. */
    void giveUp(String userAgent, RobotsRules rules, long until) {
        tries = 0;
        Map<String, GivenUp> next = new HashMap<>(byCrawler);
        next.put(userAgent, new GivenUp(rules, until));
        byCrawler = next;
    }

    /**
     * What was given up with for this crawler.
     *
     * @param cached what the cache says: as long as it says the same, it is not asked for again either
     */
    Optional<RobotsRules> of(String userAgent, Supplier<Optional<RobotsRules>> cached, long now) {
        GivenUp given = byCrawler.get(userAgent);
        if (given == null) {
            return Optional.empty();
        }
        if (now < given.until() || cached.get().filter(RobotsRules::unavailable).isPresent()) {
            return Optional.of(given.rules());
        }
        forget(userAgent);
        return Optional.empty();
    }

    /** Whether it was given up for any crawler. */
    boolean any() {
        return !byCrawler.isEmpty();
    }

    private void forget(String userAgent) {
        if (byCrawler.containsKey(userAgent)) {
            Map<String, GivenUp> next = new HashMap<>(byCrawler);
            next.remove(userAgent);
            byCrawler = next;
        }
    }
}
