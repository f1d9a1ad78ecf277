package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.model.HostKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Leases as keys that expire in Redis; next to each are a hash that says how its last holder ended, and the paused
 * hosts by the time at which they may be fetched. All times are of Redis' clock, so that other clocks do not matter.
 * The data is about hosts, not records: the keys carry no id of a Kafka cluster.
 */
final class RedisPartitionLeaseStore implements PartitionLeaseStore {
    private static final int NOTED_AT_A_TIME = 2000;
    private static final String UNBROKEN = "-1";
    private static final Duration CLOSE = Duration.ZERO;

    private final RedisConnection redis;
    private final String key;

    RedisPartitionLeaseStore(RedisConnection redis, String namespace) {
        this.redis = redis;
        this.key = RedisKeys.leases(namespace);
    }

    @Override
    public Optional<InheritedPauses> take(LeaseClaim leaseClaim, Duration length) {
        return takeOrClose(leaseClaim, length);
    }

    @Override
    public Optional<InheritedPauses> close(LeasedPartition leasedPartition) {
        return takeOrClose(LeaseClaim.on(leasedPartition), CLOSE);
    }

    private Optional<InheritedPauses> takeOrClose(LeaseClaim leaseClaim, Duration length) {
        List<String> answer = redis
                .list(RedisScript.LEASE_TAKE,
                        List.of(key, lease(leaseClaim.shard()), state(leaseClaim.shard()), hosts(leaseClaim.shard()),
                                key + ":server"),
                        text(leaseClaim.shard()), text(leaseClaim.token()), text(length.toMillis()))
                .stream().map(bytes -> new String(bytes, StandardCharsets.UTF_8)).toList();
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        Map<HostKey, Duration> pauses = new HashMap<>();
        for (int i = 1; i < answer.size(); i += 2) {
            pauses.put(new HostKey(answer.get(i)), Duration.ofMillis(Long.parseLong(answer.get(i + 1))));
        }
        Optional<Duration> broken = Optional.of(answer.getFirst()).filter(age -> !age.equals(UNBROKEN))
                .map(Long::parseLong).map(Duration::ofMillis);
        return Optional.of(new InheritedPauses(broken, pauses));
    }

    @Override
    public Set<LeaseClaim> renew(Collection<LeaseClaim> leaseClaims, Duration length) {
        if (leaseClaims.isEmpty()) {
            return Set.of();
        }
        List<byte[]> arguments = new ArrayList<>(List.of(text(length.toMillis())));
        leaseClaims.forEach(leaseClaim -> arguments.add(text(leaseClaim.token())));
        List<String> leases = leaseClaims.stream().map(leaseClaim -> lease(leaseClaim.shard())).toList();
        Set<String> held = redis.list(RedisScript.LEASE_RENEW, leases, arguments.toArray(byte[][]::new)).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8)).collect(Collectors.toSet());
        return leaseClaims.stream().filter(leaseClaim -> held.contains(leaseClaim.token())).collect(Collectors.toSet());
    }

    @Override
    public void note(LeasedPartition leasedPartition, Map<HostKey, Duration> pauses) {
        bequeath(leasedPartition, new InheritedPauses(Optional.empty(), pauses));
    }

    @Override
    public void bequeath(LeasedPartition leasedPartition, InheritedPauses pauses) {
        byte[] broken = pauses.sinceBreak().map(since -> text(since.toMillis())).orElseGet(() -> text(UNBROKEN));
        Iterator<Map.Entry<HostKey, Duration>> hosts = pauses.pauses().entrySet().iterator();
        boolean first = true;
        while (first || hosts.hasNext()) {
            List<byte[]> arguments = new ArrayList<>(List.of(text(leasedPartition), broken));
            for (int n = 0; n < NOTED_AT_A_TIME && hosts.hasNext(); n++) {
                Map.Entry<HostKey, Duration> pause = hosts.next();
                arguments.add(text(pause.getKey().value()));
                // Rounded up, plus one: Redis' current millisecond is partly over.
                arguments.add(text(pause.getValue().plusNanos(999_999).toMillis() + 1));
            }
            redis.number(RedisScript.LEASE_NOTE, List.of(key, state(leasedPartition), hosts(leasedPartition)),
                    arguments.toArray(byte[][]::new));
            first = false;
        }
    }

    @Override
    public void release(Collection<LeaseClaim> leaseClaims) {
        if (!leaseClaims.isEmpty()) {
            redis.number(RedisScript.LEASE_RELEASE, leaseClaims.stream()
                    .flatMap(leaseClaim -> Stream.of(lease(leaseClaim.shard()), state(leaseClaim.shard()))).toList(),
                    leaseClaims.stream().map(leaseClaim -> text(leaseClaim.token())).toArray(byte[][]::new));
        }
    }

    /** Ends all leases of all holders. */
    static void drop(RedisConnection redis, String namespace) {
        String key = RedisKeys.leases(namespace);
        String[] dropped = Stream
                .concat(Stream.of(key + ":server"),
                        redis.list(RedisScript.LEASES, key).stream()
                                .map(name -> key + ":" + new String(name, StandardCharsets.UTF_8)))
                .toArray(String[]::new);
        redis.call("drop", client -> client.getKeys().unlinkAsync(dropped));
    }

    private String lease(LeasedPartition leasedPartition) {
        return key + ":" + leasedPartition;
    }

    private String state(LeasedPartition leasedPartition) {
        return lease(leasedPartition) + ":state";
    }

    private String hosts(LeasedPartition leasedPartition) {
        return lease(leasedPartition) + ":hosts";
    }
}
