package io.trawl.redis;

import io.trawl.admission.AcceptedDomains;
import io.trawl.control.ControlView;
import io.trawl.control.DomainsMirror;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Attempts;
import io.trawl.ledger.CachedLedger;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Pulse;
import io.trawl.lease.PartitionLeases;
import io.trawl.module.Registrar;
import io.trawl.robots.FleetRobots;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;

/**
 * Redis as one process uses it: one connection, and the ports that are kept in it. All of them are thread-safe, block, and throw
 * {@link io.trawl.ledger.LedgerUnavailable} within about half a minute when Redis cannot be reached, is loading its data, cannot write, or does not
 * answer; afterwards they work again by themselves.
 */
public final class RedisStore implements AutoCloseable {
    private final RedisModules modules;
    private final RedisConnection redis;
    private final Keys keys;

    RedisStore(RedisModules modules, RedisConnection redis, Keys keys) {
        this.modules = modules;
        this.redis = redis;
        this.keys = keys;
    }

    /**
     * Connects.
     *
     * @param url {@code redis://[user:password@]host:port[/database]}, or {@code rediss://} for TLS; the password is never logged
     * @param namespace begins all keys; letters, digits, '.', '_' and '-'
     * @param clusterId the Kafka cluster's id: what was said about another cluster is not seen
     * @param responsesTopicId the id that Kafka gave the topic {@code responses}: offsets of a topic made anew begin again at 0
     * @throws io.trawl.model.InvalidValue if the URL, the namespace, the user or the password is not valid
     * @throws io.trawl.ledger.LedgerUnavailable if the server cannot be reached, or is still loading its data
     */
    public static RedisStore connect(String url, String namespace, String clusterId, String responsesTopicId, Time time) {
        return RedisModules.connect(url, namespace, time).store(clusterId, responsesTopicId);
    }

    /**
     * Facts about URLs, always from Redis.
     *
     * @param buckets hashes per run, 1 to 16,777,216: about one for every 240 expected URLs; a run keeps the number it began with
     */
    public Ledger ledger(int buckets) {
        return new RedisLedger(redis, keys, buckets);
    }

    /**
     * Facts about URLs, with a cache for {@link Ledger#surelyKnown}.
     *
     * @param cacheEntries how many URLs are remembered in this process, at 17 bytes each
     */
    public CachedLedger ledger(int buckets, int cacheEntries) {
        return new CachedLedger(ledger(buckets), cacheEntries);
    }

    /** Answered marks. */
    public AnsweredMarks marks() {
        return new RedisAnsweredMarks(redis, keys);
    }

    /**
     * Attempts at records.
     *
     * @param owner this process, unlike any before
     */
    public Attempts attempts(String owner) {
        return new RedisAttempts(redis, keys, owner);
    }

    /** What tells a loss of data. */
    public Pulse pulse() {
        return new RedisPulse(redis, keys);
    }

    /** The live modules. */
    public Registrar registrar() {
        return modules.registrar();
    }

    /** Leases on partitions of the requests. */
    public PartitionLeases leases() {
        return modules.leases();
    }

    /** Serial numbers; the object is one holder: what it took, only it can renew or release. */
    public RedisSerialNumbers serialNumbers(Duration lease) {
        return modules.serialNumbers(lease);
    }

    /** Accepted domains; make one per process, as it remembers what it was told. */
    public AcceptedDomains acceptedDomains(ControlView control) {
        return new RedisAcceptedDomains(redis, keys, control);
    }

    /** Where the leader writes accepted domains for {@link #acceptedDomains}. */
    public DomainsMirror domainsMirror() {
        return new RedisDomainsMirror(redis, keys);
    }

    /** The robots.txt files that the fleet has asked for. */
    public FleetRobots robots() {
        return new RedisRobots(redis, keys);
    }

    /** Settings of the server that cost memory or make work repeat, in sentences for the operator; empty if all is well. */
    public List<String> check() {
        return modules.check();
    }

    /** Ends the connection; calls under way fail with {@link io.trawl.ledger.LedgerUnavailable}. */
    @Override
    public void close() {
        modules.close();
    }
}
