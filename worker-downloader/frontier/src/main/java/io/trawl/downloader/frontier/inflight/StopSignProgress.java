package io.trawl.downloader.frontier.inflight;

import io.trawl.control.StopSign;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.model.CrawlId;
import io.trawl.model.HostKey;
import io.trawl.module.Deal;
import io.trawl.module.Deal.Oldest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The stop signs in force (S4): which hosts they stop, and how far this process is with them. It has dealt with those
 * for which nothing is in flight and no answer awaits its acknowledgement. The thread that begins fetches learns of a
 * sign itself, so none begins after it. Belongs to the frontier's thread.
 */
public final class StopSignProgress {
    private final Map<CrawlId, Integer> busy = new HashMap<>();
    private final Map<HostKey, Integer> busyHosts = new HashMap<>();
    private Set<String> stoppedHosts = Set.of();
    private boolean away;
    private final Map<String, Deal> done = new HashMap<>();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private List<Deal> allDone = List.of();

    /** A sign that was read at {@code at} (nanoseconds) while so much work was in flight. */
    private record Waiting(StopSign sign, long at, int inFlight) {}

    public void begins(PendingRequest p) {
        busy.merge(p.run().crawl(), 1, Integer::sum);
        busyHosts.merge(p.server(), 1, Integer::sum);
    }

    public void ends(PendingRequest p) {
        busy.computeIfPresent(p.run().crawl(), (c, n) -> n > 1 ? n - 1 : null);
        busyHosts.computeIfPresent(p.server(), (h, n) -> n > 1 ? n - 1 : null);
    }

    /** Whether this process has left its group: only then it has dealt with its own sign. */
    public void away(boolean left) {
        away = left;
    }

    /**
     * These are the latest signs that concern this process; one that was read before stays as it is.
     *
     * @return whether other hosts are stopped than before
     */
    public boolean signs(Collection<StopSign> latest, long now) {
        Map<String, StopSign> signed = latest.stream().filter(StopSign::signed)
                .collect(Collectors.toMap(StopSign::key, sign -> sign));
        done.values().removeIf(
                deal -> !signed.containsKey(deal.sign()) || signed.get(deal.sign()).version() != deal.version());
        waiting.values().removeIf(read -> !read.sign().equals(signed.get(read.sign().key())));
        signed.forEach((key, sign) -> {
            if (!done.containsKey(key)) {
                waiting.computeIfAbsent(key, _ -> new Waiting(sign, now, inFlight(sign)));
            }
        });
        allDone = List.copyOf(done.values());
        Set<String> before = stoppedHosts;
        stoppedHosts = signed.values().stream().flatMap(sign -> sign.host().stream()).collect(Collectors.toSet());
        return !stoppedHosts.equals(before);
    }

    /**
     * Whether a stop sign of the host is in force, with or without its port: nothing is sent to it. With politeness by
     * domain or address, all hosts that share its pauses wait with it.
     */
    public boolean stops(HostKey host) {
        return !stoppedHosts.isEmpty() && stoppedHosts.stream().anyMatch(host::isOf);
    }

    /**
     * How far this process is with each sign in force. What it has dealt with stays dealt with.
     *
     * @param oldest the oldest fetch in flight in the scope of a sign
     */
    public List<Deal> deals(long now, Function<StopSign, Optional<Oldest>> oldest) {
        if (waiting.isEmpty()) {
            return allDone;
        }
        List<Deal> deals = new ArrayList<>();
        for (Waiting read : List.copyOf(waiting.values())) {
            StopSign sign = read.sign();
            int inFlight = inFlight(sign);
            if (inFlight > 0 || sign.module().isPresent() && !away) {
                deals.add(Deal.waiting(sign.key(), sign.version(), inFlight, oldest.apply(sign)));
            } else {
                waiting.remove(sign.key());
                done.put(sign.key(),
                        Deal.done(sign.key(), sign.version(), Duration.ofNanos(now - read.at()), read.inFlight()));
            }
        }
        allDone = List.copyOf(done.values());
        deals.addAll(allDone);
        return deals;
    }

    private int inFlight(StopSign sign) {
        if (sign.crawl().isPresent()) {
            return busy.getOrDefault(sign.crawl().get(), 0);
        }
        return busyHosts.entrySet().stream()
                .filter(entry -> sign.host().isEmpty() || entry.getKey().isOf(sign.host().get()))
                .mapToInt(Map.Entry::getValue).sum();
    }
}
