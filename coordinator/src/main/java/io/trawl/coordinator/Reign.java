package io.trawl.coordinator;

import io.trawl.channel.TransactionalWriter;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.events.EventSource;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.lifecycle.Commands;
import io.trawl.coordinator.lifecycle.CrawlWatch;
import io.trawl.coordinator.lifecycle.CrawlWatch.SeedProgress;
import io.trawl.coordinator.lifecycle.DomainChanges;
import io.trawl.coordinator.lifecycle.FleetSign;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.coordinator.lifecycle.Places;
import io.trawl.coordinator.lifecycle.Scribe;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.seed.AdmittedSeeds;
import io.trawl.coordinator.seed.SeedAdmission;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.log.LogKeys;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.PolitenessKey;
import io.trawl.trace.Span;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of leading, from the moment at which the transactional id was taken until it is given up or taken away. All that may change is changed on
 * the leader's thread, in {@link #turn}; other threads ask by {@link #call}.
 */
final class Reign implements LeaderThread, SeedProgress, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Reign.class);
    private static final Duration AFTER_TROUBLE = Duration.ofMillis(500);
    private final WorkerContext context;
    private final TransactionalWriter writer;
    private final Book book;
    private final Lifecycle lifecycle;
    private final Scribe scribe;
    private final CoordinatorParts parts;
    private final PastRuns past;
    private final Map<CrawlId, Thread> watches = new HashMap<>();
    private final Map<CrawlId, Long> requests = new ConcurrentHashMap<>();
    private final Decisions decisions = new Decisions();
    private final Announcements announcements = new Announcements();
    private volatile Optional<Admitting> admitting = Optional.empty();
    /** Ends the telling of events. */
    private Runnable webhooks = () -> {};
    private volatile long admitted;

    /** What admits seeds, once the channels are known. */
    private record Admitting(SeedAdmission admission, Capacity capacity) {}

    Reign(CoordinatorParts parts, TransactionalWriter writer) {
        this.parts = parts;
        this.context = parts.context();
        this.writer = writer;
        this.book = parts.book();
        this.scribe = new Scribe(writer, context.topics(), book, new EventSource(context.topics().events(), book::crawl,
                run -> parts.tally().standing(run).totals(), context.time()));
        this.lifecycle = new Lifecycle(scribe, book, parts.progress(), context.topics(), context.time());
        this.past = new PastRuns(book, context.ledger(), context.time());
    }

    /** Takes the pen and reads everything that was written before, in that order: from here on nobody else writes. */
    void begin() throws InterruptedException {
        writer.open();
        context.control().refresh();
        Capacity capacity = new Capacity(parts.capacity(channels()),
                () -> parts.queue().requests(book.channels().orElseThrow()), context.time());
        admitting = Optional.of(new Admitting(new SeedAdmission(parts.admission(), context.ledger(), book, capacity,
                context.topics(), context.mid(), parts.ids(), context.time(), context.tracer()), capacity));
        book.crawls().forEach(c -> mirror(book.domains(c.run())));
        webhooks = parts.webhooks().begin();
        past.start();
        LOG.info("{} leads", context.mid());
    }

    /**
     * The first leader of a deployment says which request topics there are and what they are keyed by; from then on that holds, whatever the settings
     * say: what is keyed in two ways would be asked by two downloaders at a time.
     */
    private Channels channels() throws InterruptedException {
        int levels = context.settings().topics().levels();
        int partitions = parts.progress().ends(context.topics().requests(TopicMaker.FIRST_GENERATION, 0)).size();
        PolitenessKey politeness = context.settings().politenessKey();
        if (book.channels().isEmpty()) {
            scribe.write(new Channels(1, TopicMaker.FIRST_GENERATION, levels, partitions, politeness));
        }
        Channels known = book.channels().orElseThrow();
        if (known.levels() != levels || known.partitions() != context.settings().topics().requestPartitions()) {
            LOG.warn("this deployment has {} levels of {} partitions; the settings say {} of {}, which holds only for a new one",
                    known.levels(),
                    known.partitions(), levels, context.settings().topics().requestPartitions());
        }
        if (known.politeness() != politeness) {
            LOG.warn(
                    "delays hold per {} in this deployment, as its first coordinator was told: TRAWL_POLITENESS_KEY={} is not heeded; "
                            + "set it back, or begin a deployment of its own with another TRAWL_NAMESPACE (or another data folder)",
                    known.politeness().word(), politeness.word());
        }
        return known;
    }

    /** What people may ask for; for the leader's thread. */
    Commands commands() {
        return new Commands(lifecycle, book, parts.rules(), places(), run -> parts.tally().standing(run).totals(),
                context.time());
    }

    /** Changes accepted domains; for the leader's thread. */
    DomainChanges domainChanges() {
        return new DomainChanges(scribe, book, this::mirror);
    }

    /** Has the facts of a run deleted that is over. Thread-safe. */
    void over(CrawlRun run) {
        past.over(run);
    }

    /** The stop sign of the whole fleet; for the leader's thread. */
    FleetSign fleetSign() {
        return new FleetSign(scribe, book, context.time());
    }

    /** Where seeds get their places. Thread-safe. */
    Places places() {
        return admitting().capacity();
    }

    private Admitting admitting() {
        return admitting.orElseThrow(NotLeading::new);
    }

    /** Everything that is to be done between two polls but the seeds. */
    void turn() throws InterruptedException {
        decisions.make();
        announcements.makeIfPossible();
        List<CrawlStatus> crawls = book.crawls();
        for (CrawlStatus status : crawls) {
            if (status.state() == CrawlState.INITIALIZING || status.state() == CrawlState.STARTING) {
                goOn(status);
            }
            watches.computeIfAbsent(status.run().crawl(), this::watch);
        }
        endWatches(crawls);
    }

    /** Nobody watches a crawl that was deleted. */
    private void endWatches(List<CrawlStatus> crawls) {
        if (watches.size() > crawls.size()) {
            Set<CrawlId> there = crawls.stream().map(c -> c.run().crawl()).collect(Collectors.toSet());
            watches.entrySet().removeIf(watch -> {
                boolean gone = !there.contains(watch.getKey());
                if (gone) {
                    watch.getValue().interrupt();
                    requests.remove(watch.getKey());
                }
                return gone;
            });
        }
    }

    /** Goes on with what a leader before, or a failed transaction of this one, has left half-way. */
    private void goOn(CrawlStatus status) throws InterruptedException {
        try {
            lifecycle.goOn(status);
        } catch (Scribe.NotWritten | KafkaException e) {
            LOG.atWarn().addKeyValue(LogKeys.CRAWL, status.run().crawl())
                    .log("crawl {} cannot go on now: {}", status.run(), e.getMessage());
            context.time().pause(AFTER_TROUBLE);
        }
    }

    /**
     * Admits seeds, in one transaction with their offsets.
     *
     * @param group the metadata captured with the poll
     * @return whether it is committed; if not, nothing has happened
     * @throws LedgerUnavailable if the ledger does not answer; nothing has happened
     * @throws KafkaException if the broker does not say how much waits; nothing has happened
     */
    boolean admit(List<ConsumerRecord<byte[], byte[]>> batch, Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) throws InterruptedException {
        // No seed is admitted before Redis knows of those before it.
        announcements.make();
        if (batch.isEmpty()) {
            return scribe.write(List.of(), List.of(), offsets, group);
        }
        context.counters().called(batch.size());
        AdmittedSeeds seeds = admitting().admission().judge(batch, book.channels().orElseThrow());
        if (write(batch.size(), seeds, offsets, group)) {
            return true;
        }
        return scribe.tooLarge() && admitWithout(batch, offsets, group);
    }

    /** One seed is too large for Kafka, which would refuse the whole batch again and again: each is admitted by itself, and that one refused. */
    private boolean admitWithout(List<ConsumerRecord<byte[], byte[]>> batch, Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) throws InterruptedException {
        if (batch.size() == 1) {
            return write(1, admitting().admission().tooLarge(batch.getFirst(), book.channels().orElseThrow()), offsets, group);
        }
        LOG.warn("one of {} seeds is too large, taking them one by one", batch.size());
        for (ConsumerRecord<byte[], byte[]> seed : batch) {
            OffsetAndMetadata next = new OffsetAndMetadata(seed.offset() + 1, seed.leaderEpoch(), "");
            if (!admit(List.of(seed), Map.of(new TopicPartition(seed.topic(), seed.partition()), next), group)) {
                return false;
            }
        }
        return true;
    }

    private boolean write(int all, AdmittedSeeds seeds, Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group) {
        boolean committed = scribe.write(seeds.control(), seeds.records(), offsets, group);
        if (committed) {
            admitting().capacity().committed(seeds.room());
            seeds.requests().forEach((crawl, count) -> requests.merge(crawl, (long) count, Long::sum));
            seeds.errors().forEach(context.errors()::report);
            seeds.spans().forEach(Span::end);
            seeds.control().forEach(c -> {
                if (c instanceof Domains domains) {
                    mirror(domains);
                }
            });
            seeds.facts().forEach((run, facts) -> announcements.add(() -> context.ledger().learn(run, facts)));
            count(all, seeds);
            announcements.makeIfPossible();
        }
        return committed;
    }

    private void count(int all, AdmittedSeeds seeds) {
        long made = seeds.requests().values().stream().mapToLong(n -> n).sum();
        context.counters().accepted(made);
        context.counters().completed(made);
        LOG.info("{} seeds: {} requests, {} errors", all, made, seeds.errors().size());
    }

    private void mirror(Domains domains) {
        announcements.add(() -> context.domainsMirror().write(domains));
    }

    /** Every seed below this offset is admitted or refused. */
    void admittedBelow(long offset) {
        admitted = offset;
    }

    @Override
    public long admitted() {
        return admitted;
    }

    @Override
    public long requests(CrawlId crawl) {
        return requests.getOrDefault(crawl, 0L);
    }

    private Thread watch(CrawlId crawl) {
        CrawlWatch watch = new CrawlWatch(crawl,
                new CrawlWatch.Surroundings(book, lifecycle, this, parts.tally(), parts.progress(), context.registrar(),
                        context.topics(), this, now -> commands().fire(now).ifPresent(this::over)),
                context.time());
        return Thread.ofVirtual().name("watch " + crawl).start(watch);
    }

    @Override
    public <T> T call(Callable<T> decision) throws InterruptedException {
        return decisions.call(decision);
    }

    /** Steps down: what waits is told so, what is open in Kafka is ended by the successor. */
    @Override
    public void close() {
        decisions.end();
        watches.values().forEach(Thread::interrupt);
        past.close();
        webhooks.run();
        writer.close();
    }
}
