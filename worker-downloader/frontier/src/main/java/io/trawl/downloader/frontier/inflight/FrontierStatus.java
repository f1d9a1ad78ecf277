package io.trawl.downloader.frontier.inflight;

import io.trawl.module.Deal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of the frontier, as a value that any thread may read.
 *
 * @param slotsTotal download slots
 * @param slotsUsed slots in use
 * @param pending delivered and unanswered requests, by priority
 * @param hosts hosts in memory
 * @param waiting hosts that have requests but must not be asked yet
 * @param ready hosts that may be asked now and wait for a slot
 * @param limited hosts that may be asked now and wait for the part of the slots of their domain, crawl or group
 * @param resolving hosts that may be asked now and whose names are looked up
 * @param postponed hosts whose pages repeat each other, so that their requests come after those of other hosts
 * @param givenUp hosts whose requests are answered without being sent, since they do not answer
 * @param answering answers that Kafka has not acknowledged
 * @param parked requests of crawls that do not fetch now
 * @param partitions partitions that this process serves
 * @param stopping whether no exchange begins any more
 * @param quiet whether nothing is in flight and nothing unacknowledged
 * @param deals how far this process is with each stop sign in force, and with orders to move requests
 */
public record FrontierStatus(int slotsTotal, int slotsUsed, List<Long> pending, int hosts, int waiting, int ready,
        int limited, int resolving, int postponed, int givenUp, int answering, int parked, int partitions,
        boolean stopping, boolean quiet, List<Deal> deals) {
    /** Of a process that serves no request topics. */
    public static final FrontierStatus NOTHING = new FrontierStatus(0, 0, List.of(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            false, true, List.of());

    /** The numbers by the names that people read. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("slots", Map.of("total", slotsTotal, "used", slotsUsed));
        Map<String, Long> byPriority = new LinkedHashMap<>();
        for (int p = pending.size() - 1; p >= 0; p--) {
            byPriority.put(Integer.toString(p), pending.get(p));
        }
        figures.put("pendingByPriority", byPriority);
        figures.put("hosts", hosts);
        figures.put("hostsGivenUp", givenUp);
        figures.put("hostsLimited", limited);
        figures.put("hostsResolving", resolving);
        figures.put("hostsPostponed", postponed);
        figures.put("answering", answering);
        figures.put("parked", parked);
        figures.put("partitions", partitions);
        return figures;
    }
}
