package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.model.MID;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registrar: one key per module, JSON that people can read, which Redis removes when its lease ends; and a set of the names, from which names without
 * a key are dropped by whoever asks for all. Every call is one round trip.
 */
final class RedisRegistrar implements Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(RedisRegistrar.class);

    private final RedisConnection redis;
    private final String key;

    RedisRegistrar(RedisConnection redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    @Override
    public void register(Registration registration, Duration lease) {
        redis.number(Script.REGISTER, key, text(registration.mid()), Json.bytes(registration), text(lease.toMillis()));
    }

    @Override
    public void unregister(MID mid) {
        redis.number(Script.UNREGISTER, key, text(mid));
    }

    @Override
    public List<Registration> all() {
        return redis.list(Script.MODULES, key).stream().flatMap(json -> read(json).stream())
                .sorted(Comparator.comparing((Registration r) -> r.mid().kind()).thenComparing(r -> r.mid().serial())
                        .thenComparing(r -> r.mid().address()))
                .toList();
    }

    /** An entry of a version that this one cannot read must not hide the others. */
    private static Optional<Registration> read(byte[] json) {
        try {
            return Optional.of(Json.read(json, Registration.class));
        } catch (MalformedRecord e) {
            LOG.warn("an entry of the registrar is skipped: {}", e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void clear() {
        redis.number(Script.UNREGISTER, key);
    }
}
