package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.admission.AcceptedDomains;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.DomainMirror;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.CachedLedger;
import io.trawl.store.DeliveryAttempts;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.store.LogEndStore;
import io.trawl.ledger.RunPermitStore;
import io.trawl.store.StoreGeneration;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.module.Registrar;
import io.trawl.module.SerialNumbers.SerialRange;
import io.trawl.module.StopSignHistory;
import io.trawl.politeness.HostBudgetStore;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.HostSessionStore;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.RobotsStore;
import io.trawl.store.Store;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.redisson.api.redisnode.RedisNode.InfoSection;

/** The Redis of one module: the ports on the client of its process. */
public final class RedisStore implements Store, AutoCloseable {
    private final RedisModuleStore modules;
    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    private final Runnable close;
    private final AnsweredMarks marks;
    private final DeliveryAttempts attempts;

    RedisStore(RedisModuleStore modules, RedisConnection redis, RedisKeys redisKeys, Runnable close) {
        this.modules = modules;
        this.redis = redis;
        this.redisKeys = redisKeys;
        this.close = close;
        this.marks = new RedisAnsweredMarks(redis, redisKeys);
        this.attempts = attempts(UUID.randomUUID().toString());
    }

    /**
     * Connects with a client of its own, which closes with the store.
     *
     * @param namespace the prefix of all keys; letters, digits, '.', '_' and '-'
     * @param clusterId the Kafka cluster's id: data about another cluster is not visible
     * @param responsesTopicId the id that Kafka assigned to the topic {@code responses}: a topic that is created again
     * starts again at offset 0
     * @throws io.trawl.model.InvalidValueException if the kind of server, the namespace, the user or the password is
     * not valid
     * @throws io.trawl.ledger.LedgerUnavailableException if the server cannot be reached, or is still loading its data
     */
    public static RedisStore connect(RedisServers servers, String namespace, String clusterId, String responsesTopicId,
            Time time) {
        RedisModuleStore modules = RedisModuleStore.connect(servers, namespace, time);
        return modules.store(clusterId, responsesTopicId, modules::close);
    }

    /** Facts about URLs, always from Redis. */
    public Ledger ledger() {
        return new RedisLedger(redis, redisKeys);
    }

    /**
     * Facts about URLs, with a cache for {@link Ledger#surelyKnown}.
     *
     * @param cacheEntries the number of URLs in this process's cache, at 17 bytes each
     * @param valid whether the cache may be trusted now
     */
    public CachedLedger ledger(int cacheEntries, BooleanSupplier valid) {
        return new CachedLedger(ledger(), cacheEntries, valid);
    }

    @Override
    public AnsweredMarks marks() {
        return marks;
    }

    @Override
    public DeliveryAttempts attempts() {
        return attempts;
    }

    /**
     * Delivery attempts of records.
     *
     * @param owner a unique id of a process
     */
    public DeliveryAttempts attempts(String owner) {
        return new RedisDeliveryAttempts(redis, redisKeys, owner);
    }

    /** From here on no fact is visible that was learnt before this loss. */
    public void forgetBefore(KafkaLoss loss) {
        redisKeys.since(loss);
    }

    @Override
    public LogEndStore logEnds() {
        return new RedisLogEnds(redis, redisKeys);
    }

    @Override
    public StoreGeneration storeGeneration() {
        return new RedisGeneration(redis, redisKeys);
    }

    @Override
    public Registrar registrar() {
        return modules.registrar();
    }

    /** The time of the server now. */
    public Instant clock() {
        return modules.clock();
    }

    @Override
    public StopSignHistory stopSignHistory() {
        return modules.stopSignHistory();
    }

    @Override
    public PartitionLeaseStore leases() {
        return modules.leases();
    }

    /** Serial numbers; the object is one holder: only it can renew or release the numbers it took. */
    public RedisSerialNumbers serialNumbers(Duration lease, Supplier<SerialRange> ranges) {
        return modules.serialNumbers(lease, ranges);
    }

    @Override
    public AcceptedDomains acceptedDomains(ControlView control) {
        return new RedisAcceptedDomains(redis, redisKeys, control);
    }

    @Override
    public DomainMirror domainsMirror() {
        return new RedisDomainMirror(redis, redisKeys);
    }

    @Override
    public SeedDomainStore seedDomains() {
        return new RedisSeedDomains(redis, redisKeys);
    }

    @Override
    public RobotsStore robots() {
        return new RedisRobotsStore(redis, redisKeys);
    }

    @Override
    public HostBudgetStore hostBudgets() {
        return new RedisHostBudgetStore(redis, redisKeys);
    }

    @Override
    public RunPermitStore runPermits() {
        return runPermits(RunPermitStore.LONGEST_FETCH_SECONDS);
    }

    RunPermitStore runPermits(int longestFetchSeconds) {
        return new RedisRunPermitStore(redis, redisKeys, longestFetchSeconds);
    }

    @Override
    public FirstItemStore firstItems() {
        return new RedisFirstItems(redis, redisKeys);
    }

    @Override
    public HostSessionStore hostSessions() {
        return new RedisHostSessions(redis, redisKeys);
    }

    /**
     * Warnings about server settings that cost memory or make work repeat, for the operator; empty if there are none.
     */
    public List<String> check() {
        return modules.check();
    }

    /**
     * Closes its own client, if it has one; calls in flight fail with
     * {@link io.trawl.ledger.LedgerUnavailableException}.
     */
    @Override
    public void close() {
        close.run();
    }

    /** The sessions of a run as one hash, by host. */
    private record RedisHostSessions(RedisConnection redis, RedisKeys redisKeys) implements HostSessionStore {
        @Override
        public KeptSession find(CrawlRun run, HostKey host) {
            List<byte[]> kept = redis.list(RedisScript.SESSION_FIND, redisKeys.sessions(run), text(host.value()));
            try {
                return kept.isEmpty() ? KeptSession.NEW : Json.read(kept.getFirst(), KeptSession.class);
            } catch (MalformedRecordException e) {
                return KeptSession.NEW;
            }
        }

        @Override
        public long keep(CrawlRun run, HostKey host, KeptSession session) {
            return redis.number(RedisScript.SESSION_KEEP, redisKeys.sessions(run), text(host.value()),
                    text(session.number()), Json.bytes(session));
        }
    }

    /** Accepted domains as a hash per run: the names, and {@code #version}. */
    private record RedisDomainMirror(RedisConnection redis, RedisKeys redisKeys) implements DomainMirror {
        @Override
        public void write(Domains domains) {
            byte[][] arguments = Stream
                    .concat(Stream.of(text(domains.version())), domains.domains().stream().map(RedisConnection::text))
                    .toArray(byte[][]::new);
            redis.number(RedisScript.DOMAINS_WRITE, redisKeys.domains(domains.run()), arguments);
        }
    }

    /** A counter in Redis, and the memory use of the servers. */
    private record RedisGeneration(RedisConnection redis, RedisKeys redisKeys) implements StoreGeneration {
        @Override
        public long increment() {
            return redis.number(RedisScript.INCREMENT, redisKeys.storeGeneration());
        }

        @Override
        public long bytes() {
            return redis.info(InfoSection.MEMORY).stream()
                    .mapToLong(memory -> Long.parseLong(memory.getOrDefault("used_memory", "0"))).sum();
        }
    }
}
