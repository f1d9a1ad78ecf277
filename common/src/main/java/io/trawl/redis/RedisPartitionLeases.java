package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.lease.Claim;
import io.trawl.lease.Legacy;
import io.trawl.lease.PartitionLeases;
import io.trawl.lease.Shard;
import io.trawl.model.HostKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Leases as keys that Redis removes by itself; beside each stand a hash with how its last tenure ended, and the closed hosts by the time at which they open.
 * All times are of Redis' own clock, so that nobody else's matters. What is said holds for hosts, not for records: the names carry no id of a Kafka.
 */
final class RedisPartitionLeases implements PartitionLeases {
    private static final int NOTED_AT_A_TIME = 2000;
    private static final String UNBROKEN = "-1";

    private final RedisConnection redis;
    private final String key;

    RedisPartitionLeases(RedisConnection redis, String namespace) {
        this.redis = redis;
        this.key = Keys.leases(namespace);
    }

    @Override
    public Optional<Legacy> take(Claim claim, Duration length) {
        List<String> answer = redis
                .list(Script.LEASE_TAKE, key, text(claim.shard()), text(claim.token()), text(length.toMillis()))
                .stream().map(bytes -> new String(bytes, StandardCharsets.UTF_8)).toList();
        if (answer.isEmpty()) {
            return Optional.empty();
        }
        Map<HostKey, Duration> pauses = new HashMap<>();
        for (int i = 1; i < answer.size(); i += 2) {
            pauses.put(new HostKey(answer.get(i)), Duration.ofMillis(Long.parseLong(answer.get(i + 1))));
        }
        Optional<Duration> broken = Optional.of(answer.getFirst()).filter(age -> !age.equals(UNBROKEN)).map(Long::parseLong)
                .map(Duration::ofMillis);
        return Optional.of(new Legacy(broken, pauses));
    }

    @Override
    public Set<Claim> renew(Collection<Claim> claims, Duration length) {
        List<byte[]> arguments = new ArrayList<>(List.of(text(length.toMillis())));
        Set<String> held = redis.list(Script.LEASE_RENEW, key, with(arguments, claims)).stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8)).collect(Collectors.toSet());
        return claims.stream().filter(claim -> held.contains(claim.token())).collect(Collectors.toSet());
    }

    @Override
    public void note(Shard shard, Map<HostKey, Duration> pauses) {
        List<byte[]> arguments = new ArrayList<>();
        for (Map.Entry<HostKey, Duration> pause : pauses.entrySet()) {
            arguments.add(text(pause.getKey().value()));
            // Rounded up, and one more: Redis' present millisecond is partly over.
            arguments.add(text(pause.getValue().plusNanos(999_999).toMillis() + 1));
            if (arguments.size() >= 2 * NOTED_AT_A_TIME) {
                note(shard, arguments);
                arguments.clear();
            }
        }
        if (!arguments.isEmpty()) {
            note(shard, arguments);
        }
    }

    private void note(Shard shard, List<byte[]> pairs) {
        List<byte[]> arguments = new ArrayList<>(List.of(text(shard)));
        arguments.addAll(pairs);
        redis.number(Script.LEASE_NOTE, key, arguments.toArray(byte[][]::new));
    }

    @Override
    public void release(Collection<Claim> claims) {
        redis.number(Script.LEASE_RELEASE, key, with(new ArrayList<>(), claims));
    }

    /** Ends all leases, whoever holds them. */
    static void drop(RedisConnection redis, String namespace) {
        redis.number(Script.LEASES_DROP, Keys.leases(namespace));
    }

    private static byte[][] with(List<byte[]> arguments, Collection<Claim> claims) {
        claims.forEach(claim -> {
            arguments.add(text(claim.shard()));
            arguments.add(text(claim.token()));
        });
        return arguments.toArray(byte[][]::new);
    }
}
