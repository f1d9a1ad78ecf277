package io.trawl.downloader.frontier;

import io.trawl.codec.Codec;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.TraceContext;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.Loopback;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Simulates the request topics: one partition per priority. Every read creates new record objects, like a read from
 * Kafka. Takes 8 bytes per record. Immutable.
 */
final class RequestLog {
    private static final int PORT = 8000;
    private final IntFunction<String> names;
    private final IntFunction<CrawlRun> runs;
    private final int[][] hosts;
    private final int[][] pages;

    /** A log whose hosts are addresses, each a domain of its own. */
    RequestLog(BacklogPlan backlogPlan, int levels) {
        this(backlogPlan, levels, Loopback::address);
    }

    /** @param names the host of a number, without the port */
    RequestLog(BacklogPlan backlogPlan, int levels, IntFunction<String> names) {
        this(backlogPlan, levels, names, host -> World.RUN);
    }

    /** @param runs the run to which the requests of a number of a host belong */
    RequestLog(BacklogPlan backlogPlan, int levels, IntFunction<String> names, IntFunction<CrawlRun> runs) {
        this.names = names;
        this.runs = runs;
        int[] ends = new int[levels];
        backlogPlan.shares()
                .forEach(backlogShare -> ends[backlogShare.priority()] += Math.toIntExact(backlogShare.requests()));
        hosts = new int[levels][];
        pages = new int[levels][];
        for (int p = 0; p < levels; p++) {
            hosts[p] = new int[ends[p]];
            pages[p] = new int[ends[p]];
            ends[p] = 0;
        }
        backlogPlan.forEach((host, page, priority) -> {
            hosts[priority][ends[priority]] = host;
            pages[priority][ends[priority]++] = page;
        });
    }

    int levels() {
        return hosts.length;
    }

    /** The number of records of a partition. */
    int end(RequestPartition requestPartition) {
        return hosts[requestPartition.priority()].length;
    }

    int host(RequestPartition requestPartition, long offset) {
        return hosts[requestPartition.priority()][index(requestPartition, offset)];
    }

    /** Offsets continue after the end, where the same records repeat. */
    private int index(RequestPartition requestPartition, long offset) {
        return (int) (offset % end(requestPartition));
    }

    /** The runs of all requests. */
    Set<CrawlRun> runs() {
        return Stream.of(hosts).flatMapToInt(IntStream::of).distinct().mapToObj(runs).collect(Collectors.toSet());
    }

    DeliveredRecord record(RequestPartition requestPartition, long offset) {
        Request request = request(requestPartition, offset);
        return new DeliveredRecord(offset, request.host().value().getBytes(StandardCharsets.UTF_8),
                Codec.encode(request), TraceContext.NONE);
    }

    private Request request(RequestPartition requestPartition, long offset) {
        int page = pages[requestPartition.priority()][index(requestPartition, offset)];
        int number = host(requestPartition, offset);
        HostKey host = new HostKey(names.apply(number) + ":" + PORT);
        String site = "http://" + host;
        return RequestBuilder.builder().id(new RequestId(offset << 4 | requestPartition.priority()))
                .run(runs.apply(number)).url(site + BacklogPlan.path(page)).host(host).depth(1)
                .priority(requestPartition.priority()).domains(1).parent(Optional.of(site + "/")).build();
    }
}
