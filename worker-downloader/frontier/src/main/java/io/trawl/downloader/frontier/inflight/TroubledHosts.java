package io.trawl.downloader.frontier.inflight;

import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the hosts that hold up their requests, for people. Changes nothing. Belongs to the frontier's thread, which it
 * takes for a moment: it looks at requests in flight and at hosts that fail or wait for long only.
 */
public final class TroubledHosts {
    /** Each takes a line of the entry of its process, which is renewed every second. */
    private static final int MOST_OF_CRAWLS = 100;
    /** What lasts less is usual. */
    private static final long FAULT = Duration.ofSeconds(15).toNanos();
    private final HostTable hostTable;
    private final UnresponsiveHosts unresponsiveHosts;
    private final RetryQueue retryQueue;
    private final InFlightRequests inFlightRequests;
    private final UnaryOperator<HostKey> keys;

    /** How a host holds up its requests. */
    public enum TroubleKind {
        /** Its last exchanges had no answer. */
        SILENT,
        /** An exchange with it is under way. */
        SLOW,
        /** It is left alone because of its Retry-After, or after errors. */
        CLOSED
    }

    /**
     * The hosts of one kind.
     *
     * @param crawl whose requests wait for them; empty for those of all crawls
     * @param hosts how many
     * @param waiting requests that wait for them, those in flight and those that are tried again included
     * @param worst the host for which most wait
     * @param lasts how long that has been silent or slow, or will be closed
     * @param cause the last failure of that; empty if it had none
     */
    public record HostTrouble(TroubleKind kind, Optional<CrawlId> crawl, int hosts, long waiting, HostKey worst,
            Duration lasts, Optional<String> cause) {
        /** A sentence for people. */
        public String text(Instant now) {
            Instant since = now.minus(lasts).truncatedTo(ChronoUnit.SECONDS);
            String what = switch (kind) {
                case SILENT -> " has not answered since " + since + cause.map(why -> " (" + why + ")").orElse("");
                case SLOW -> " has been asked since " + since + " and has not answered yet";
                case CLOSED -> " is left alone until " + now.plus(lasts).truncatedTo(ChronoUnit.SECONDS)
                        + ", because of its Retry-After or errors";
            };
            return worst + what + (hosts == 1 ? "" : ", as " + (hosts - 1) + " more") + ": "
                    + (waiting == 1 ? "1 request waits" : waiting + " requests wait");
        }
    }

    /** What a trouble is about. */
    private record Subject(TroubleKind kind, Optional<CrawlId> crawl) {}

    /** How a host holds up its requests, and for how long. */
    private record Found(TroubleKind kind, long lasts) {}

    /** What is known of one subject so far. */
    private static final class Sum {
        private int hosts;
        private long waiting;
        private long most = -1;
        private long lasts;
        private HostKey worst;

        private Sum(HostKey first) {
            this.worst = first;
        }

        private void add(HostKey host, long waits, long time) {
            hosts++;
            waiting += waits;
            if (waits > most) {
                most = waits;
                worst = host;
                lasts = time;
            }
        }
    }

    /**
     * @param retryQueue the requests that are tried again later
     * @param keys the keys of the table by server
     */
    public TroubledHosts(HostTable hostTable, UnresponsiveHosts unresponsiveHosts, RetryQueue retryQueue,
            InFlightRequests inFlightRequests, UnaryOperator<HostKey> keys) {
        this.hostTable = hostTable;
        this.unresponsiveHosts = unresponsiveHosts;
        this.retryQueue = retryQueue;
        this.inFlightRequests = inFlightRequests;
        this.keys = keys;
    }

    /**
     * The troubles of the hosts for which requests wait: at most one of each kind, and one of each kind and crawl, for
     * the crawls of which most requests wait.
     */
    public List<HostTrouble> now(long now) {
        Map<HostKey, Map<CrawlId, Long>> unqueued = Stream.concat(retryQueue.all(), inFlightRequests.fetched())
                .collect(Collectors.groupingBy(p -> keys.apply(p.server()),
                        Collectors.groupingBy(p -> p.run().crawl(), Collectors.counting())));
        Map<Subject, Sum> sums = new HashMap<>();
        for (HostQueue host : candidates(now)) {
            Map<Optional<CrawlId>, Long> waiting = new HashMap<>();
            host.sizesByRun().forEach((run, size) -> waiting.merge(run.map(CrawlRun::crawl), size, Long::sum));
            unqueued.getOrDefault(host.key(), Map.of())
                    .forEach((crawl, count) -> waiting.merge(Optional.of(crawl), count, Long::sum));
            if (!waiting.isEmpty()) {
                found(host, now).ifPresent(found -> add(sums, host, found, waiting));
            }
        }
        List<HostTrouble> troubles = sums.entrySet().stream().map(of -> trouble(of.getKey(), of.getValue(), now))
                .sorted(Comparator.comparingLong(HostTrouble::waiting).reversed()).toList();
        return Stream
                .concat(troubles.stream().filter(trouble -> trouble.crawl().isEmpty()),
                        troubles.stream().filter(trouble -> trouble.crawl().isPresent()).limit(MOST_OF_CRAWLS))
                .toList();
    }

    /** Those that may be in trouble: all others are not looked at, since there may be a hundred thousand. */
    private Set<HostQueue> candidates(long now) {
        Set<HostQueue> hosts = new HashSet<>();
        inFlightRequests.longSince(now - FAULT, hosts::add);
        hostTable.waiting().descendingSet().stream().takeWhile(host -> host.since() - now >= FAULT).forEach(hosts::add);
        Stream.concat(retryQueue.all().map(PendingRequest::server).distinct(),
                unresponsiveHosts.silentSince(now - FAULT).stream())
                .forEach(server -> hostTable.find(keys.apply(server)).ifPresent(hosts::add));
        return hosts;
    }

    private Optional<Found> found(HostQueue host, long now) {
        long silent = unresponsiveHosts.silentFor(host.server(), now);
        long inFlight = host.inFlight() > 0 ? host.pace().age(now) : 0;
        long closed = host.pace().closedUntil() - now;
        return Stream.of(new Found(TroubleKind.SILENT, silent), new Found(TroubleKind.SLOW, inFlight),
                new Found(TroubleKind.CLOSED, closed)).filter(found -> found.lasts() >= FAULT).findFirst();
    }

    private static void add(Map<Subject, Sum> sums, HostQueue host, Found found, Map<Optional<CrawlId>, Long> waiting) {
        Map<Optional<CrawlId>, Long> all = new HashMap<>(waiting);
        all.put(Optional.empty(), waiting.values().stream().mapToLong(Long::longValue).sum());
        all.forEach(
                (crawl, waits) -> sums.computeIfAbsent(new Subject(found.kind(), crawl), _ -> new Sum(host.server()))
                        .add(host.server(), waits, found.lasts()));
    }

    private HostTrouble trouble(Subject of, Sum sum, long now) {
        Optional<String> cause = of.kind() == TroubleKind.SILENT
                ? unresponsiveHosts.of(sum.worst, now).map(silence -> silence.last())
                : Optional.empty();
        return new HostTrouble(of.kind(), of.crawl(), sum.hosts, sum.waiting, sum.worst, Duration.ofNanos(sum.lasts),
                cause);
    }
}
