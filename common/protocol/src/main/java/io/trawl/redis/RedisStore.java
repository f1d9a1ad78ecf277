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
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.SeedDomains;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.store.LogEndStore;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.ledger.RunPermitStore;
import io.trawl.store.StoreGeneration;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValueException.FieldRules;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
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

    /**
     * Facts about URLs, always from Redis.
     *
     * @param buckets hashes per run, 1 to 16,777,216: about one for every 240 expected URLs; a run keeps its first
     * number
     */
    public Ledger ledger(int buckets) {
        return new RedisLedger(redis, redisKeys, buckets);
    }

    /**
     * Facts about URLs, with a cache for {@link Ledger#surelyKnown}.
     *
     * @param cacheEntries the number of URLs in this process's cache, at 17 bytes each
     * @param valid whether the cache may be trusted now
     */
    public CachedLedger ledger(int buckets, int cacheEntries, BooleanSupplier valid) {
        return new CachedLedger(ledger(buckets), cacheEntries, valid);
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

    /** The same for those of seeds. Up to {@value #LARGEST_CALL} names take one round trip. */
    private record RedisSeedDomains(RedisConnection redis, RedisKeys redisKeys) implements SeedDomainStore {
        private static final int LARGEST_CALL = 1000;

        @Override
        public long version(CrawlRun run) {
            return Long
                    .parseLong(new String(redis.list(RedisScript.DOMAINS_READ, redisKeys.seedDomains(run)).getFirst(),
                            StandardCharsets.UTF_8));
        }

        @Override
        public void add(CrawlRun run, long before, SeedDomains added) {
            List<String> names = List.copyOf(added.names());
            for (int from = 0; from == 0 || from < names.size(); from += LARGEST_CALL) {
                int to = Math.min(names.size(), from + LARGEST_CALL);
                // The version comes with the last of them.
                Stream<Long> versions = to == names.size() ? Stream.of(before, added.version()) : Stream.of(0L, 0L);
                redis.number(
                        RedisScript.DOMAINS_ADD, redisKeys.seedDomains(run), Stream
                                .concat(versions.map(RedisConnection::text),
                                        names.subList(from, to).stream().map(RedisConnection::text))
                                .toArray(byte[][]::new));
            }
        }
    }

    /** Accepted domains as a hash per run: the names, and {@code #version}. */
    private static final class RedisDomainMirror implements DomainMirror {
        private final RedisConnection redis;
        private final RedisKeys redisKeys;

        RedisDomainMirror(RedisConnection redis, RedisKeys redisKeys) {
            this.redis = redis;
            this.redisKeys = redisKeys;
        }

        @Override
        public void write(Domains domains) {
            byte[][] arguments = Stream
                    .concat(Stream.of(text(domains.version())), domains.domains().stream().map(RedisConnection::text))
                    .toArray(byte[][]::new);
            redis.number(RedisScript.DOMAINS_WRITE, redisKeys.domains(domains.run()), arguments);
        }
    }

    /**
     * The first items of a run, by content and by key, which are deleted with the facts of the run. Up to
     * {@value #LARGEST_CALL} items take one round trip.
     */
    private record RedisFirstItems(RedisConnection redis, RedisKeys redisKeys) implements FirstItemStore {
        private static final int LARGEST_CALL = 1000;

        @Override
        public List<Boolean> learn(CrawlRun run, List<ContentOfItem> items) {
            return asked(RedisScript.FIRST_ITEMS, run, items,
                    one -> arguments(one.content().map(RedisFirstItems::field), one.item()))
                    .map(answer -> !answer.isEmpty()).toList();
        }

        @Override
        public List<Optional<SimilarItem>> similar(CrawlRun run, List<HashOfItem> items) {
            return asked(RedisScript.SIMILAR_ITEMS, run, items,
                    one -> arguments(one.hash().map(hash -> ByteBuffer.allocate(Long.BYTES).putLong(hash).array()),
                            one.item()))
                    .map(RedisFirstItems::found).toList();
        }

        @Override
        public void inherit(CrawlRun from, CrawlRun to) {
            Iterator<String> heirs = redisKeys.items(to).iterator();
            redis.bytes(RedisScript.INHERIT,
                    redisKeys.items(from).stream().flatMap(key -> Stream.of(key, heirs.next())).toList());
        }

        @Override
        public List<Boolean> released(CrawlRun run, List<VisitedPage> pages) {
            return asked(RedisScript.RELEASED_PAGES, run, pages,
                    one -> Stream.of(text(one.page()), text(one.missing() ? "1" : ""))).map(answer -> !answer.isEmpty())
                    .toList();
        }

        /** The answers, in order. @param arguments of each */
        private <T> Stream<String> asked(RedisScript script, CrawlRun run, List<T> asked,
                Function<T, Stream<byte[]>> arguments) {
            List<String> answers = new ArrayList<>(asked.size());
            for (int from = 0; from < asked.size(); from += LARGEST_CALL) {
                byte[] epoch = ByteBuffer.allocate(Integer.BYTES).putInt(run.epoch()).array();
                Stream<byte[]> of = asked.subList(from, Math.min(asked.size(), from + LARGEST_CALL)).stream()
                        .flatMap(arguments);
                redis.list(script, redisKeys.items(run), Stream.concat(Stream.of(epoch), of).toArray(byte[][]::new))
                        .forEach(answer -> answers.add(new String(answer, StandardCharsets.UTF_8)));
            }
            return answers.stream();
        }

        private static Stream<byte[]> arguments(Optional<byte[]> content, JudgedItem item) {
            return Stream.of(content.orElseGet(() -> new byte[0]), text(item.id()), text(item.key().orElse("")));
        }

        /** @param answer the bits and the item, or nothing */
        private static Optional<SimilarItem> found(String answer) {
            return answer.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new SimilarItem(answer.substring(1), answer.charAt(0) - '0'));
        }

        private static byte[] field(Fingerprint content) {
            return ByteBuffer.allocate(2 * Long.BYTES).putLong(content.high()).putLong(content.low()).array();
        }
    }

    /** The ends, and what was found lost, each as one JSON document in a list of one, and the epochs as a hash. */
    private record RedisLogEnds(RedisConnection redis, RedisKeys keys) implements LogEndStore {
        /** @param ends by {@code topic-partition} */
        private record Ends(Map<String, LogEnd> ends) {
            Ends {
                FieldRules.present("ends", ends);
            }
        }

        /** @param lost by {@code topic-partition} */
        private record Lost(Map<String, Long> lost) {
            Lost {
                FieldRules.present("lost", lost);
            }
        }

        @Override
        public Map<String, LogEnd> noted() {
            return document(keys.logEnds(), Ends.class).map(Ends::ends).orElse(Map.of());
        }

        @Override
        public void note(Map<String, LogEnd> ends) {
            redis.number(RedisScript.NOTE, keys.logEnds(), Json.bytes(new Ends(ends)), text(1));
        }

        @Override
        public Map<String, Long> lost() {
            return document(keys.lost(), Lost.class).map(Lost::lost).orElse(Map.of());
        }

        @Override
        public void lost(Map<String, Long> handled) {
            redis.number(RedisScript.NOTE, keys.lost(), Json.bytes(new Lost(handled)), text(1));
        }

        private <T> Optional<T> document(String key, Class<T> type) {
            for (byte[] json : redis.list(RedisScript.NOTES, key)) {
                try {
                    return Optional.of(Json.read(json, type));
                } catch (MalformedRecordException e) {
                    return Optional.empty();
                }
            }
            return Optional.empty();
        }

        @Override
        public int newestEpoch(CrawlId crawl) {
            return (int) redis.number(RedisScript.NUMBER_READ, keys.epochs(), text(crawl.value()));
        }

        @Override
        public void begun(CrawlRun run) {
            redis.number(RedisScript.NUMBER_WRITE, keys.epochs(), text(run.crawl().value()), text(run.epoch()));
        }
    }

    /** A counter in Redis, and the memory use of the servers. */
    private static final class RedisGeneration implements StoreGeneration {
        private final RedisConnection redis;
        private final RedisKeys redisKeys;

        RedisGeneration(RedisConnection redis, RedisKeys redisKeys) {
            this.redis = redis;
            this.redisKeys = redisKeys;
        }

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
