package io.trawl.downloader.frontier.inflight;

import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Finds the hosts that hold up their requests, for people. Changes nothing. Belongs to the frontier's thread, which it
 * takes for a moment: it looks at requests in flight and at hosts that fail or wait for long only.
 */
public final class TroubledHosts {
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
     * @param hosts how many
     * @param waiting requests that wait for them, those in flight and those that are tried again included
     * @param worst the host for which most wait
     * @param lasts how long that has been silent or slow, or will be closed
     * @param cause the last failure of that; empty if it had none
     */
    public record HostTrouble(TroubleKind kind, int hosts, long waiting, HostKey worst, Duration lasts,
            Optional<String> cause) {
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

    /** What is known of one kind so far. */
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

    /** The troubles of the hosts for which requests wait, at most one for each kind. */
    public List<HostTrouble> now(long now) {
        Map<HostKey, Integer> retries = retryQueue.byHost();
        Map<TroubleKind, Sum> sums = new EnumMap<>(TroubleKind.class);
        for (HostQueue host : candidates(retries.keySet(), now)) {
            int retried = retries.getOrDefault(host.server(), 0);
            if (retried > 0 || host.inFlight() > 0 || !host.empty()) {
                add(sums, host, retried, now);
            }
        }
        return sums.entrySet().stream().map(of -> trouble(of.getKey(), of.getValue(), now)).toList();
    }

    /** Those that may be in trouble: all others are not looked at, since there may be a hundred thousand. */
    private Set<HostQueue> candidates(Set<HostKey> retried, long now) {
        Set<HostQueue> hosts = new HashSet<>();
        inFlightRequests.longSince(now - FAULT, hosts::add);
        hostTable.waiting().descendingSet().stream().takeWhile(host -> host.since() - now >= FAULT).forEach(hosts::add);
        Stream.concat(retried.stream(), unresponsiveHosts.silentSince(now - FAULT).stream())
                .forEach(server -> hostTable.find(keys.apply(server)).ifPresent(hosts::add));
        return hosts;
    }

    private void add(Map<TroubleKind, Sum> sums, HostQueue host, int retried, long now) {
        long silent = unresponsiveHosts.silentFor(host.server(), now);
        long inFlight = host.inFlight() > 0 ? host.pace().age(now) : 0;
        long closed = host.pace().closedUntil() - now;
        if (silent >= FAULT) {
            add(sums, TroubleKind.SILENT, host, retried, silent);
        } else if (inFlight >= FAULT) {
            add(sums, TroubleKind.SLOW, host, retried, inFlight);
        } else if (closed >= FAULT) {
            add(sums, TroubleKind.CLOSED, host, retried, closed);
        }
    }

    private static void add(Map<TroubleKind, Sum> sums, TroubleKind kind, HostQueue host, int retried, long lasts) {
        sums.computeIfAbsent(kind, _ -> new Sum(host.server())).add(host.server(),
                host.size() + host.inFlight() + retried, lasts);
    }

    private HostTrouble trouble(TroubleKind kind, Sum sum, long now) {
        Optional<String> cause = kind == TroubleKind.SILENT
                ? unresponsiveHosts.of(sum.worst, now).map(silence -> silence.last())
                : Optional.empty();
        return new HostTrouble(kind, sum.hosts, sum.waiting, sum.worst, Duration.ofNanos(sum.lasts), cause);
    }
}
