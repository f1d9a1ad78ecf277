package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrar: a hash of the modules, readable JSON behind the end of its lease, from which a call of {@link #all}
 * drops those that have ended. Every call is one round trip.
 */
final class RedisRegistrar implements Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(RedisRegistrar.class);

    private final RedisConnection redis;
    private static final int MOST_REPORTED = 1000;
    /** Of modules that were killed and came back at other addresses. */
    private static final int MOST_UNENDED = 1000;
    private final String key;
    private final String unended;
    /** The unreadable entries that are logged: all entries are read every second. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    RedisRegistrar(RedisConnection redis, String key) {
        this.redis = redis;
        this.key = key;
        this.unended = key + ":unended";
    }

    @Override
    public void register(Registration registration, Duration lease) {
        MID mid = registration.mid();
        redis.number(RedisScript.REGISTER, List.of(key, unended), text(mid), Json.bytes(registration),
                text(lease.toMillis()), text("|" + mid.address()), text(MOST_UNENDED));
        redis.written();
    }

    @Override
    public Optional<String> refusal() {
        return redis.refusal();
    }

    @Override
    public void unregister(MID mid) {
        redis.number(RedisScript.UNREGISTER, List.of(key, unended), text(mid));
    }

    @Override
    public List<Registration> all() {
        List<byte[]> found = redis.list(RedisScript.MODULES, key);
        return IntStream.range(0, found.size() / 2).boxed()
                .flatMap(i -> read(found.get(2 * i), found.get(2 * i + 1)).stream())
                .sorted(Comparator.comparing((Registration r) -> r.mid().kind()).thenComparing(r -> r.mid().serial())
                        .thenComparing(r -> r.mid().address()))
                .toList();
    }

    @Override
    public Map<MID, Duration> unended() {
        List<byte[]> found = redis.list(RedisScript.UNENDED, unended);
        Map<MID, Duration> ages = new LinkedHashMap<>();
        for (int i = 0; i + 1 < found.size(); i += 2) {
            try {
                ages.put(MID.parse(new String(found.get(i), StandardCharsets.UTF_8)),
                        Duration.ofSeconds(Long.parseLong(new String(found.get(i + 1), StandardCharsets.UTF_8))));
            } catch (InvalidValueException e) {
                LOG.debug("no name of a module: {}", e.getMessage());
            }
        }
        return ages;
    }

    /** An entry of an incompatible version must not hide the others. */
    private Optional<Registration> read(byte[] name, byte[] json) {
        try {
            return Optional.of(Json.read(json, Registration.class));
        } catch (MalformedRecordException e) {
            String place = key + " " + new String(name, StandardCharsets.UTF_8);
            if (reported.size() < MOST_REPORTED && reported.add(place)) {
                LOG.warn("Redis: skipping {}, which is no entry of the registrar: {}", place, e.getMessage());
            }
            return Optional.empty();
        }
    }

    @Override
    public void clear() {
        redis.call("clear", client -> client.getKeys().unlinkAsync(key));
    }
}
