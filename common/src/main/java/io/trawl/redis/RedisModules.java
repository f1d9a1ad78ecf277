package io.trawl.redis;

import io.trawl.lease.PartitionLeases;
import io.trawl.module.Registrar;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;

/**
 * The part of Redis that needs no Kafka: live modules, serial numbers and leases, under the namespace alone. Thread-safe.
 */
public final class RedisModules implements AutoCloseable {
    private final RedisConnection redis;
    private final String namespace;

    private RedisModules(RedisConnection redis, String namespace) {
        this.redis = redis;
        this.namespace = namespace;
    }

    /**
     * Connects.
     *
     * @param url {@code redis://[user:password@]host:port[/database]}, or {@code rediss://} for TLS
     * @param namespace begins all keys; letters, digits, '.', '_' and '-'
     * @throws io.trawl.model.InvalidValue if the URL, the namespace, the user or the password is not valid
     * @throws io.trawl.ledger.LedgerUnavailable if the server cannot be reached, or is still loading its data
     */
    public static RedisModules connect(String url, String namespace, Time time) {
        String checked = new Keys(namespace, "").namespace();
        return new RedisModules(RedisConnection.open(RedisUrl.parse(url), time), checked);
    }

    /** The live modules. */
    public Registrar registrar() {
        return new RedisRegistrar(redis, Keys.modules(namespace));
    }

    /** Serial numbers up to {@link RedisSerialNumbers#DEFAULT_MAX}. */
    public RedisSerialNumbers serialNumbers(Duration lease) {
        return serialNumbers(lease, RedisSerialNumbers.DEFAULT_MAX);
    }

    /**
     * Serial numbers. The object is one holder: what it took, only it can renew or release.
     *
     * @param lease how long a number stays held without being renewed
     * @param max the largest number, 1 to {@link RedisSerialNumbers#LARGEST_MAX}; the same in all processes
     */
    public RedisSerialNumbers serialNumbers(Duration lease, long max) {
        return new RedisSerialNumbers(redis, namespace, lease, max);
    }

    /** Leases on partitions of the requests. */
    public PartitionLeases leases() {
        return new RedisPartitionLeases(redis, namespace);
    }

    /**
     * Ends all leases as if they had run out. Only for who knows that no process of the deployment lives: a killed one would be waited for without need.
     */
    public void dropLeases() {
        RedisPartitionLeases.drop(redis, namespace);
    }

    /** Settings of the server that cost memory or make work repeat, in sentences for the operator; empty if all is well. */
    public List<String> check() {
        return SettingsCheck.of(redis);
    }

    /** The same connection, with what speaks about records of one Kafka. */
    RedisStore store(String clusterId, String responsesTopicId) {
        return new RedisStore(this, redis, Keys.of(namespace, clusterId, responsesTopicId));
    }

    /** Ends the connection; calls under way fail with {@link io.trawl.ledger.LedgerUnavailable}. */
    @Override
    public void close() {
        redis.close();
    }
}
