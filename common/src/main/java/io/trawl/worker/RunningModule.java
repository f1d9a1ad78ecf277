package io.trawl.worker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.telemetry.RecentLog;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.trawl.api.Counts;
import io.trawl.api.ScoreCalculator;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.ControlTopic;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaErrorChannel;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.KafkaIdentity.OtherKafkaException;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.channel.TopicTrimmer;
import io.trawl.channel.offset.KeptPositions;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.http.Endpoint;
import io.trawl.http.ModulePages;
import io.trawl.ledger.CachedLedger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.memory.HeapLoad;
import io.trawl.memory.HeapShares;
import io.trawl.memory.HeapWatch;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Counters;
import io.trawl.module.Deal;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import io.trawl.module.SerialNumbers;
import io.trawl.module.SerialNumbers.SerialRange;
import io.trawl.module.SerialNumbers.SerialNumberLostException;
import io.trawl.module.StageState;
import io.trawl.module.StopSignHistory.Dealt;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.plugin.Plugins;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsInForce;
import io.trawl.settings.SettingsLog;
import io.trawl.settings.SharedSetting;
import io.trawl.telemetry.Outage;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;
import io.trawl.worker.ModuleEnd.CannotContinue;
import io.trawl.worker.ModuleEnd.OtherKafka;
import io.trawl.worker.ModuleEnd.StartAgain;
import io.trawl.worker.ModuleEnd.Stopped;
import io.trawl.worker.Worker.StoreFactory;
import io.trawl.worker.WorkerContext.Identity;
import io.trawl.worker.WorkerContext.Kafka;
import io.trawl.worker.WorkerContext.Telemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The skeleton of every process, from one start to one end: it waits for its dependencies, reads {@code control} to its
 * end, takes a MID, starts its stage, and keeps its registration alive until it is stopped. Thread-safe.
 */
final class RunningModule {
    private static final Logger LOG = LoggerFactory.getLogger(RunningModule.class);
    private static final String VERSION = Optional
            .ofNullable(RunningModule.class.getPackage().getImplementationVersion()).orElse("0.1.0");
    private final Settings settings;
    private final Time time;
    private final Endpoint endpoint;
    private final KafkaErrorChannel errors;
    private final ClockWatch clocks;
    private final ModuleNotes notes;
    private final WriteOutage writes;
    private final KafkaClients kafka;
    private final KafkaIdentity identity;
    private final KafkaHealthCheck broker;
    private final ControlTopic control;
    private final RedisStore store;
    private final Outage redis = new Outage("Redis");
    private final SerialNumbers serials;
    private final MID mid;
    private final Tracing tracing;
    private final Counters counters = new Counters();
    private final Plugins plugins;
    private final ScoreCalculator scores;
    private final Instant since;
    private final RecentLog log;
    private final Stage stage;
    private final TopicTrimmer trimmer;
    private final HeapWatch heap;
    private final Supplier<LogEndCheck> logs;
    private final Thread heartbeat;
    /** The monotonic time of the last renewal. */
    private volatile long registered;
    /** The stop signs that this module has dealt with, and the version; belongs to the heartbeat. */
    private Map<String, Long> notedDeals = Map.of();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<ModuleEnd> end = new CompletableFuture<>();

    /**
     * Starts a module and returns when it is running. Waits for Kafka, Redis and the topics without a time-out.
     *
     * @param port to listen on
     * @param stores opens the store of the module
     * @param named receives the MID as soon as it is known, before its first use
     * @throws io.trawl.model.InvalidValueException if a setting cannot be used, for example a port that is taken
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    static RunningModule start(Settings settings, int port, StageFactory factory, Time time, StoreFactory stores,
            Consumer<MID> named) throws InterruptedException {
        Endpoint endpoint = factory.endpoint(settings, port);
        try {
            return new RunningModule(settings, factory, time, stores, endpoint, named);
        } catch (RuntimeException | InterruptedException e) {
            endpoint.close();
            throw e;
        }
    }

    private RunningModule(Settings settings, StageFactory factory, Time time, StoreFactory stores, Endpoint endpoint,
            Consumer<MID> named) throws InterruptedException {
        this.settings = settings;
        this.time = time;
        this.endpoint = endpoint;
        this.since = time.now();
        this.log = RecentLog.ofThisProcess();
        this.plugins = Plugins.in(settings.plugins());
        this.scores = plugins.of(ScoreCalculator.class).stream().findFirst().orElse(ScoreCalculator.HANDLING_FIRST);
        TopicNames allNames = new TopicNames(settings.namespace());
        KafkaClients own = new KafkaClients(settings);
        StartupConnections startupConnections = new StartupConnections(settings, allNames, own, time);
        startupConnections.awaitKafka();
        factory.prepare(settings, allNames, own, time);
        // A broker answers the requests of a client one after the other: whether it answers, and has the newest record
        // of control, is not to wait for a slow one.
        Admin prompt = own.admin();
        this.kafka = own.sharingAdmin();
        this.identity = new KafkaIdentity(prompt, allNames, startupConnections.awaitTopics(), time, this::replaced);
        this.store = startupConnections.awaitRedis(stores, identity.ids());
        this.control = new ControlTopic(kafka.reader(
                "control-" + factory.kind().word() + "-" + AdvertisedAddress.of(settings) + ":" + endpoint.port()),
                prompt, identity::confirm, allNames, time);
        control.refresh();
        SettingsInForce inForce = new SettingsInForce(settings, control::channels, control::fleetSettings);
        this.serials = store.serialNumbers(settings.lease(), () -> range(inForce));
        long serial = startupConnections.awaitAnswer(() -> {
            store.check().forEach(warning -> LOG.warn("Redis: {}", warning));
            return serials.take(factory.kind());
        });
        this.mid = new MID(factory.kind(), serial, AdvertisedAddress.of(settings), endpoint.port());
        named.accept(mid);
        this.tracing = Tracing.of(settings.traces(), mid);
        PartitionCounts allCounts = new PartitionCounts(allNames, control::channels);
        control.listen(new SettingsLog(inForce));
        this.logs = () -> new LogEndCheck(store.logEnds(), new TopicOffsets(kafka.admin(), allCounts::serves),
                () -> allNames.ofFacts(control.channels()));
        if (factory.kind() != ModuleKind.COORDINATOR) {
            startupConnections.awaitLogs(logs, control);
        }
        Optional<KafkaLoss> lastLoss = control.kafkaLoss();
        lastLoss.ifPresent(store::forgetBefore);
        TopicNames topicNames = allNames.after(lastLoss);
        PartitionCounts counts = new PartitionCounts(topicNames, control::channels);
        CachedLedger facts = store.ledger(settings.ledger().buckets(), cached(factory.kind()), identity::confirmed);
        control.listen(record -> {
            if (record instanceof KafkaLoss loss && !lastLoss.map(KafkaLoss::id).equals(Optional.of(loss.id()))) {
                startAgain();
            }
        });
        Producer<byte[], byte[]> producer = kafka.producer("errors-" + mid);
        this.errors = new KafkaErrorChannel(producer, topicNames);
        this.clocks = new ClockWatch(producer, topicNames.positions(), store::clock, time);
        this.notes = new ModuleNotes(mid, errors, time);
        this.writes = new WriteOutage(settings.lease(), time);
        this.broker = new KafkaHealthCheck(identity, control, settings.kafka().bootstrapServers(), time);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ModuleMetrics metrics = new ModuleMetrics(meters, factory.kind());
        metrics.machine();
        metrics.counts(counters);
        this.heap = new HeapWatch(HeapLoad.ofThisJvm(), time);
        metrics.memory(heap);
        heap.start();
        KeptPositions positions = new KeptPositions(topicNames.positions(), () -> kafka.seeker("positions-" + mid),
                kafka::admin);
        this.stage = factory.create(new WorkerContext(settings, time, new Identity(mid, identity.ids(), serials),
                new Kafka(topicNames, counts, kafka.counting(counts), positions, errors, clocks, writes), control,
                store, new MeasuredLedger(facts, meters), new Telemetry(counters, meters, tracing, heap), plugins,
                this::fatal));
        stage.start();
        this.trimmer = new TopicTrimmer(kafka, () -> trimmed(topicNames), settings.topics().trimInterval(),
                new TrimRules(topicNames, control, logs), stage::trimmed, clocks.ofKafka());
        this.registered = time.nanos();
        metrics.health(this::ready, control::lag, errors::dropped, notes::faults);
        endpoint.serve(new ModulePages(mid.address(), this::summary, meters::scrape, () -> !end.isDone(), this::ready,
                calls()));
        this.heartbeat = Thread.ofVirtual().name("heartbeat").start(this::keepRegistered);
        Thread.ofVirtual().name("registration").start(this::watchRegistration);
        LOG.info("{} {} is running", factory.kind().word(), mid);
    }

    /** A leader writes no range without numbers, but a foreign record could have one. */
    private static SerialRange range(SettingsInForce settings) {
        long largest = settings.number(SharedSetting.SERIALS_LARGEST);
        return new SerialRange(Math.min(settings.number(SharedSetting.SERIALS_START), largest), largest);
    }

    /** Only analyzers ask the cache: they leave out links that are surely known. */
    private int cached(ModuleKind kind) {
        return kind == ModuleKind.ANALYZER ? Math.min(settings.ledger().cache(), HeapShares.ofThisJvm().facts()) : 0;
    }

    /** What every module answers, and what its stage does. */
    private List<Route> calls() {
        List<Route> calls = new ArrayList<>(stage.calls());
        calls.add(Route.get(RecentLog.PATH, call -> {
            return CallResponse.json(log.last(call.number("lines", RecentLog.MOST, 1, RecentLog.MOST)));
        }));
        return calls;
    }

    /** The topics from which processes of this kind delete handled records. */
    private List<TopicSpec> trimmed(TopicNames topicNames) {
        return TopicSpec
                .all(topicNames, settings.topics(), control.channels().map(topicNames::requests).orElse(List.of()))
                .stream().filter(topic -> topic.trimmedBy(mid.kind())).toList();
    }

    /** The MID of this module. */
    public MID mid() {
        return mid;
    }

    /** The stage, for callers that run it in their own process. */
    public Stage stage() {
        return stage;
    }

    /** The summary of the module. */
    public ModuleSummary summary() {
        Counts counts = counters.counts();
        return new ModuleSummary(mid, scores.score(counts), counts, since, state(), extra());
    }

    /** What the stage reports, and the memory and version of the process. */
    private Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(stage.extra());
        Runtime runtime = Runtime.getRuntime();
        extra.put("heap", Map.of("used", runtime.totalMemory() - runtime.freeMemory(), "limit", runtime.maxMemory()));
        Optional.of(notes.latest()).filter(all -> !all.isEmpty()).ifPresent(all -> extra.put("notes", all));
        extra.put("version", VERSION);
        extra.put("java", Runtime.version().toString());
        return extra;
    }

    /**
     * The stage's state, unless the stage has not noticed yet that Kafka does not answer, or that Redis does not, or
     * takes no writes. An idle stage asks neither.
     */
    private StageState state() {
        StageState state = stage.state();
        if (state instanceof WaitingFor) {
            return state;
        }
        if (broker.away()) {
            return new WaitingFor(Dependency.KAFKA);
        }
        return store.registrar().refusal().or(this::unregistered)
                .<StageState>map(why -> new WaitingFor(Dependency.REDIS, Optional.of(why))).orElse(state);
    }

    /** For the others, a module whose registration ends is gone. */
    private Optional<String> unregistered() {
        Duration since = Duration.ofNanos(time.nanos() - registered);
        return since.compareTo(settings.lease().multipliedBy(2).dividedBy(3)) > 0
                ? Optional.of("it has not answered for " + since.toSeconds() + " s")
                : Optional.empty();
    }

    private boolean ready() {
        return !stopping.get() && !end.isDone() && state().ready();
    }

    private void keepRegistered() {
        try {
            while (!stopping.get()) {
                renew();
                time.pauseUntilNext(settings.lease().dividedBy(6));
            }
        } catch (InterruptedException e) {
            LOG.debug("heartbeat stopped");
        }
    }

    /** A renewal of which Redis says nothing ends late, and what is wrong then is noted here. */
    private void watchRegistration() {
        try {
            while (!stopping.get()) {
                notes.look(state(), Stream.concat(stage.notes().stream(), clocks.notes().stream()).toList());
                unregistered().ifPresent(redis::begin);
                time.pauseUntilNext(settings.lease().dividedBy(6));
            }
        } catch (InterruptedException e) {
            LOG.debug("the watch of the registration stopped");
        }
    }

    /** Whether a module of this kind works that could take the partitions of this one. */
    private boolean othersWork() {
        try {
            return store.registrar().all(mid.kind()).stream()
                    .anyMatch(other -> !other.mid().equals(mid) && other.state() == Phase.RUNNING);
        } catch (LedgerUnavailableException e) {
            return false;
        }
    }

    private void renew() {
        Counts counts = counters.counts();
        try {
            writes.look(!broker.away() && stage.state() instanceof WaitingFor(Dependency dependency, var _)
                    && dependency == Dependency.KAFKA, this::othersWork);
            serials.renew(mid.kind(), mid.serial());
            Optional<Integer> before = stage.partitions();
            List<Deal> signs = stage.deals();
            // Partitions that it got or lost in between are not among those of which the deals tell.
            Optional<Integer> partitions = before.flatMap(then -> stage.partitions().map(now -> Math.min(then, now)));
            store.registrar().register(notes.in(Registration.of(mid, scores.score(counts), counts, since, signs,
                    state(), stage.waiting(), partitions, stage.slots(), stage.names())), settings.lease());
            registered = time.nanos();
            redis.end();
            noteDeals(signs);
        } catch (SerialNumberLostException e) {
            expelled(new CannotContinue(String.valueOf(e.getMessage())), String.valueOf(e.getMessage()));
        } catch (WritesRefusedException e) {
            redis.begin(e);
        } catch (LedgerUnavailableException e) {
            LOG.debug("registration not renewed: {}", e.getMessage());
        } catch (RuntimeException e) {
            // Redis may accept the next renewal; a module that stops renewing would seem dead while it works.
            LOG.warn("registration not renewed: {}", e.toString());
        }
    }

    /** Notes each deal once; signs that are reset are forgotten here. */
    private void noteDeals(List<Deal> signs) {
        Map<String, Long> done = new HashMap<>();
        for (Deal deal : signs) {
            if (deal.took().isPresent()) {
                if (!Objects.equals(notedDeals.get(deal.sign()), deal.version())) {
                    store.stopSignHistory().add(new Dealt(deal.sign(), deal.version(), time.now(), mid,
                            deal.took().get(), deal.inFlight()));
                }
                done.put(deal.sign(), deal.version());
            }
        }
        notedDeals = done;
    }

    /**
     * What a thread of the stage cannot stand may come from records that Kafka has lost, before the leader has said so.
     * If the lost records are those of a group, only a new consumer joins it again: the client of a live member gives
     * up.
     */
    private void fatal(String explanation, Throwable cause) {
        Thread.ofVirtual().name("end of " + mid).start(() -> {
            if (GroupMembership.forgotten(cause) || lost()) {
                startAgain();
            } else {
                cannotContinue(explanation, cause);
            }
        });
    }

    private boolean lost() {
        try (LogEndCheck check = logs.get()) {
            if (!check.below().isEmpty()) {
                return true;
            }
            // The leader writes before it notes the new ends.
            control.refresh();
            return false;
        } catch (UnknownTopicOrPartitionException e) {
            return true;
        } catch (KafkaException | LedgerUnavailableException | OtherKafkaException | InterruptedException e) {
            LOG.debug("whether Kafka has lost records is not known: {}", e.getMessage());
            return false;
        }
    }

    private void startAgain() {
        end.complete(new StartAgain("Kafka has lost records: what this process knows may be about them"));
    }

    private void cannotContinue(String explanation, Throwable cause) {
        if (!end.complete(new CannotContinue(explanation))) {
            LOG.debug("{} after its end: {}", mid, explanation, cause);
        } else if (cause instanceof InvalidValueException mistake) {
            LOG.error("{} cannot continue: {}: {}", mid, explanation, mistake.getMessage());
        } else {
            LOG.error("{} cannot continue: {}", mid, explanation, cause);
        }
    }

    private void replaced(String why) {
        expelled(new OtherKafka(why), why);
    }

    /** The deployment goes on without this process: another one has its place. */
    private void expelled(ModuleEnd how, String why) {
        if (end.complete(how)) {
            LOG.error("{} ends and writes nothing more: {}; start it again", mid, why);
        }
    }

    /** Says that the module ends, and leaves everything else to the end of the process. */
    void unregister() {
        try {
            store.registrar().unregister(mid);
        } catch (LedgerUnavailableException e) {
            LOG.debug("not unregistered: {}", e.getMessage());
        }
    }

    /** The ids of the cluster and the topics that it began with. */
    public KafkaIdentity.Ids kafka() {
        return identity.ids();
    }

    /** Completes when the module has ended, or cannot continue. */
    public CompletableFuture<ModuleEnd> end() {
        return end;
    }

    /**
     * Finishes the work in flight within the grace period, commits, unregisters and closes everything. Later calls do
     * nothing.
     */
    public void stop(Duration grace) {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        LOG.info("{} is stopping", mid);
        heartbeat.interrupt();
        trimmer.close();
        stage.stop(grace);
        heap.close();
        try {
            store.registrar().unregister(mid);
            serials.release(mid.kind(), mid.serial());
        } catch (LedgerUnavailableException e) {
            LOG.debug("not unregistered, the lease will expire: {}", e.getMessage());
        }
        tracing.close();
        broker.close();
        control.close();
        clocks.close();
        errors.close();
        kafka.close();
        store.close();
        endpoint.close();
        plugins.close();
        end.complete(new Stopped());
        LOG.info("{} has stopped", mid);
    }
}
