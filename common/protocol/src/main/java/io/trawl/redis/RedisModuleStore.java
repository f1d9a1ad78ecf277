package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.module.Registrar;
import io.trawl.module.SerialNumbers.SerialRange;
import io.trawl.module.StopSignHistory;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The part of Redis that needs no Kafka: live modules, serial numbers and leases, under the namespace alone. It owns
 * the Redis client of a process, which the modules of a process share through {@link #store}. Thread-safe.
 */
public final class RedisModuleStore implements AutoCloseable {
    private final RedisConnection redis;
    private final String namespace;

    private RedisModuleStore(RedisConnection redis, String namespace) {
        this.redis = redis;
        this.namespace = namespace;
    }

    /**
     * Connects.
     *
     * @param namespace the prefix of all keys; letters, digits, '.', '_' and '-'
     * @throws io.trawl.model.InvalidValueException if the kind of server, the namespace, the user, the password or the
     * database is not valid
     * @throws io.trawl.ledger.LedgerUnavailableException if the server cannot be reached, or is still loading its data
     */
    public static RedisModuleStore connect(RedisServers servers, String namespace, Time time) {
        String checked = RedisKeys.checked(namespace);
        return new RedisModuleStore(RedisConnection.open(servers, time), checked);
    }

    /** The live modules. */
    public Registrar registrar() {
        return new RedisRegistrar(redis, RedisKeys.modules(namespace));
    }

    /** The time of the server now. */
    public Instant clock() {
        return Instant.ofEpochMilli(redis.number(RedisScript.CLOCK, RedisKeys.modules(namespace)));
    }

    /** What is remembered of stop signs. */
    public StopSignHistory stopSignHistory() {
        return new RedisStopSignHistory(redis, RedisKeys.stopSignHistory(namespace));
    }

    /** Serial numbers up to {@link RedisSerialNumbers#DEFAULT_MAX}. */
    public RedisSerialNumbers serialNumbers(Duration lease) {
        return serialNumbers(lease, () -> new SerialRange(1, RedisSerialNumbers.DEFAULT_MAX));
    }

    /**
     * Serial numbers. The object is one holder: only it can renew or release the numbers it took.
     *
     * @param lease how long a number stays held without renewal
     * @param ranges asked for at each take; the same in all processes
     */
    public RedisSerialNumbers serialNumbers(Duration lease, Supplier<SerialRange> ranges) {
        return new RedisSerialNumbers(redis, namespace, lease, ranges);
    }

    /** Leases on partitions of the requests. */
    public PartitionLeaseStore leases() {
        return new RedisPartitionLeaseStore(redis, namespace);
    }

    /**
     * Ends all leases as if they had expired. Use only if no process of the deployment is alive; it avoids waiting for
     * the leases of killed processes.
     */
    public void dropLeases() {
        RedisPartitionLeaseStore.drop(redis, namespace);
    }

    /**
     * Deletes all keys of the namespace. Use only if no process of the deployment is alive.
     *
     * @return how many there were
     */
    public long clear() {
        return redis.call("clear", client -> CompletableFuture.completedFuture(RedisKeys.patterns(namespace).stream()
                .mapToLong(pattern -> client.getKeys().deleteByPattern(pattern)).sum()));
    }

    /**
     * Warnings about server settings that cost memory or make work repeat, for the operator; empty if there are none.
     */
    public List<String> check() {
        return RedisSettingsCheck.of(redis);
    }

    /**
     * The store of one module on the same client, which stays open when that store closes. The arguments are those of
     * {@link RedisStore#connect}.
     */
    public RedisStore store(String clusterId, String responsesTopicId) {
        return store(clusterId, responsesTopicId, () -> {});
    }

    /** @param close what the store does when it closes */
    RedisStore store(String clusterId, String responsesTopicId, Runnable close) {
        return new RedisStore(this, redis, RedisKeys.of(namespace, clusterId, responsesTopicId), close);
    }

    /**
     * Closes the client; close it after all modules that share it. Calls in flight fail with
     * {@link io.trawl.ledger.LedgerUnavailableException}.
     */
    @Override
    public void close() {
        redis.close();
    }

    /** Notes as a list of JSON; one that is unreadable, for example of another version, is left out. */
    private record RedisStopSignHistory(RedisConnection redis, String key) implements StopSignHistory {
        @Override
        public void add(StopSignNote note) {
            redis.number(RedisScript.NOTE, key, Json.bytes(note), text(MOST));
        }

        @Override
        public List<StopSignNote> all() {
            return redis.list(RedisScript.NOTES, key).stream().flatMap(json -> read(json).stream()).toList();
        }

        private static Optional<StopSignNote> read(byte[] json) {
            try {
                return Optional.of(Json.read(json, StopSignNote.class));
            } catch (MalformedRecordException e) {
                return Optional.empty();
            }
        }
    }
}
