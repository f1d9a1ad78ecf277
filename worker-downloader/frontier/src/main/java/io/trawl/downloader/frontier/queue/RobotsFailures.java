package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.politeness.RobotsRules;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Counts failed loads of one server's robots.txt, and records for which crawlers it was given up. Belongs to the
 * frontier's thread.
 */
public final class RobotsFailures {
    private int tries;
    private Map<String, GivenUp> byCrawler = Map.of();

    /** The rules without a robots.txt, and until when they hold. */
    private record GivenUp(RobotsRules rules, long until) {}

    /** A load of robots.txt has failed; returns how often that happened in a row. */
    public int failed() {
        return ++tries;
    }

    /** robots.txt was loaded. */
    void found(String userAgent) {
        tries = 0;
        forget(userAgent);
    }

    /** Gives robots.txt up: it is not loaded again until then. */
    public void giveUp(String userAgent, RobotsRules rules, long until) {
        tries = 0;
        Map<String, GivenUp> next = new HashMap<>(byCrawler);
        next.put(userAgent, new GivenUp(rules, until));
        byCrawler = next;
    }

    /**
     * The rules with which robots.txt was given up for this crawler.
     *
     * @param cached the rules in the cache: while they are unreachable, too, robots.txt is not loaded again either
     */
    public Optional<RobotsRules> of(String userAgent, Supplier<Optional<RobotsRules>> cached, long now) {
        GivenUp given = byCrawler.get(userAgent);
        if (given == null) {
            return Optional.empty();
        }
        if (now < given.until() || cached.get().filter(RobotsRules::unreachable).isPresent()) {
            return Optional.of(given.rules());
        }
        forget(userAgent);
        return Optional.empty();
    }

    /** Whether robots.txt was given up for any crawler. */
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
