package io.trawl.bench.frontier;

import io.trawl.bench.load.Backlog;
import io.trawl.bench.load.RequestLoad;
import io.trawl.bench.web.Loopback;
import io.trawl.downloader.frontier.Lane;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import java.util.Optional;

/**
 * Stands for the request topics: one lane per priority, whose records are made anew whenever they are read, as records read from Kafka are. Costs
 * 8 bytes per record. Immutable.
 */
final class RequestLog {
    static final CrawlRun RUN = new CrawlRun(new CrawlId("bench"), 1);
    private static final int PORT = 8000;
    private final int[][] hosts;
    private final int[][] pages;

    RequestLog(Backlog backlog, int levels) {
        int[] ends = new int[levels];
        backlog.shares().forEach(share -> ends[share.priority()] += Math.toIntExact(share.requests()));
        hosts = new int[levels][];
        pages = new int[levels][];
        for (int p = 0; p < levels; p++) {
            hosts[p] = new int[ends[p]];
            pages[p] = new int[ends[p]];
            ends[p] = 0;
        }
        backlog.forEach((host, page, priority) -> {
            hosts[priority][ends[priority]] = host;
            pages[priority][ends[priority]++] = page;
        });
    }

    int levels() {
        return hosts.length;
    }

    /** The number of records of a lane. */
    int end(Lane lane) {
        return hosts[lane.priority()].length;
    }

    int host(Lane lane, long offset) {
        return hosts[lane.priority()][index(lane, offset)];
    }

    /** Offsets go on behind the end, where the same records come again. */
    private int index(Lane lane, long offset) {
        return (int) (offset % end(lane));
    }

    Request request(Lane lane, long offset) {
        int page = pages[lane.priority()][index(lane, offset)];
        HostKey host = new HostKey(Loopback.address(host(lane, offset)) + ":" + PORT);
        String site = "http://" + host;
        return new Request(new RequestId(offset << 4 | lane.priority()), RUN, site + RequestLoad.path(page), host, 1,
                lane.priority(), 0, false, 1, Optional.of(site + "/"), FetchOptions.NONE);
    }
}
