package io.trawl.coordinator.channel;

import io.trawl.channel.HostPartitioner;
import io.trawl.control.Channels;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a replacement of the request topics would change.
 *
 * @param generation of the present topics
 * @param levels present and future number of priorities
 * @param partitions present and future number of partitions
 * @param items present and future number of partitions that items are written to
 * @param responses present and future number of partitions that responses are written to
 * @param ledger present and future number of partitions of the ledger, for runs that begin
 * @param waiting requests that are forwarded, at most: offsets of transaction markers and answered requests count
 * @param restSeconds how long nothing is fetched, at most, if all downloaders answer: exchanges in flight end or are
 * cut, and partitions change hands
 * @param leaseSeconds the same, if a downloader was killed: until its leases have ended
 * @param hosts the hosts with most waiting requests whose partition changes; which downloader gets a partition is
 * decided when the new topics open
 * @param complete whether all waiting requests were read to find the hosts
 * @param begun whether the replacement has begun with this call
 */
public record ReplacementPlan(int generation, CountChange levels, CountChange partitions, CountChange items,
        CountChange responses, CountChange ledger, long waiting, long restSeconds, long leaseSeconds,
        List<MovedHost> hosts, boolean complete, boolean begun) {
    private static final int SHOWN = 100;
    /**
     * Exchanges end within two seconds or are cut; then offsets are committed, leases released and taken, and logs
     * read.
     */
    private static final long REST_SECONDS = 5;

    /** A number, and the one that replaces it. */
    public record CountChange(int from, int to) {}

    /**
     * A host whose requests go to another partition number.
     *
     * @param waiting its requests that were read
     */
    public record MovedHost(String host, long waiting, int from, int to) {}

    /** Reads requests that wait. */
    @FunctionalInterface
    public interface WaitingScan {
        /** Gives each to the consumer. @return whether all were read */
        boolean read(Channels of, Consumer<Request> each) throws InterruptedException;
    }

    /** The plan, if the request topics stay: nothing is forwarded, and nothing rests. */
    public static ReplacementPlan ofPartitions(Channels now, int items, int responses, int ledger) {
        return new ReplacementPlan(now.generation(), new CountChange(now.levels(), now.levels()),
                new CountChange(now.partitions(), now.partitions()), new CountChange(now.items(), items),
                new CountChange(now.responses(), responses), new CountChange(now.ledger(), ledger), 0, 0, 0, List.of(),
                true, false);
    }

    /** Whether the request topics are replaced. */
    public boolean ofRequests() {
        return levels.from() != levels.to() || partitions.from() != partitions.to();
    }

    /** The plan. @param backlog of all priorities */
    public static ReplacementPlan of(Channels now, Channels next, long backlog, long leaseSeconds, WaitingScan requests)
            throws InterruptedException {
        Map<HostKey, Long> byHost = new HashMap<>();
        boolean complete = requests.read(now, request -> byHost.merge(request.host(), 1L, Long::sum));
        Stream<MovedHost> moved = byHost.entrySet().stream().map(host -> new MovedHost(host.getKey().value(),
                host.getValue(), HostPartitioner.of(host.getKey(), now), HostPartitioner.of(host.getKey(), next)));
        return new ReplacementPlan(now.generation(), new CountChange(now.levels(), next.levels()),
                new CountChange(now.partitions(), next.partitions()), new CountChange(now.items(), next.items()),
                new CountChange(now.responses(), next.responses()), new CountChange(now.ledger(), next.ledger()),
                backlog, REST_SECONDS, leaseSeconds,
                moved.filter(host -> host.from() != host.to())
                        .sorted(Comparator.comparing(MovedHost::waiting).reversed().thenComparing(MovedHost::host))
                        .limit(SHOWN).toList(),
                complete, false);
    }

    /** The same, carried out. */
    public ReplacementPlan carriedOut() {
        return new ReplacementPlan(generation, levels, partitions, items, responses, ledger, waiting, restSeconds,
                leaseSeconds, hosts, complete, true);
    }
}
