package io.trawl.worker;

import java.util.ArrayList;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.telemetry.RecentLog;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.trawl.api.ScoreCalculator;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.ControlTopic;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaErrorChannel;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.KafkaIdentity.OtherKafkaException;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicTrimmer;
import io.trawl.channel.offset.KeptPositions;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.http.Endpoint;
import io.trawl.http.ModulePages;
import io.trawl.ledger.CachedLedger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.memory.HeapLoad;
import io.trawl.memory.HeapShares;
import io.trawl.memory.HeapWatch;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Counters;
import io.trawl.module.SerialNumbers;
import io.trawl.plugin.Plugins;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsInForce;
import io.trawl.settings.SettingsLog;
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
    private final Endpoint endpoint;
    private final KafkaErrorChannel errors;
    private final KafkaClients kafka;
    /** Of the cluster and the topics that it began with. */
    final KafkaIdentity identity;
    private final KafkaHealthCheck broker;
    private final ControlTopic control;
    private final RedisStore store;
    final MID mid;
    private final WorkerContext context;
    final Stage stage;
    private final TopicTrimmer trimmer;
    private final Supplier<LogEndCheck> logs;
    final ModuleStatus status;
    private final AtomicBoolean stopping = new AtomicBoolean();
    /** Completes when the module has ended, or cannot continue. */
    final CompletableFuture<ModuleEnd> end = new CompletableFuture<>();

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
        this.endpoint = endpoint;
        Instant since = time.now();
        RecentLog log = RecentLog.ofThisProcess();
        Plugins plugins = Plugins.in(settings.plugins());
        ScoreCalculator scores = plugins.of(ScoreCalculator.class).stream().findFirst()
                .orElse(ScoreCalculator.HANDLING_FIRST);
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
        SerialNumbers serials = store.serialNumbers(settings.lease(), inForce::serials);
        long serial = startupConnections.awaitAnswer(() -> {
            store.check().forEach(warning -> LOG.warn("Redis: {}", warning));
            return serials.take(factory.kind());
        });
        this.mid = new MID(factory.kind(), serial, AdvertisedAddress.of(settings), endpoint.port());
        named.accept(mid);
        Tracing tracing = Tracing.of(settings.traces(), mid);
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
        CachedLedger facts = store.ledger(cached(settings, factory.kind()), identity::confirmed);
        control.listen(record -> {
            if (record instanceof KafkaLoss loss && !lastLoss.map(KafkaLoss::id).equals(Optional.of(loss.id()))) {
                startAgain();
            }
        });
        Producer<byte[], byte[]> producer = kafka.producer("errors-" + mid);
        this.errors = new KafkaErrorChannel(producer, topicNames);
        ClockWatch clocks = new ClockWatch(producer, topicNames.positions(), store::clock, time);
        WriteOutage writes = new WriteOutage(settings.lease(), time);
        this.broker = new KafkaHealthCheck(identity, control, settings.kafka().bootstrapServers(), time);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ModuleMetrics metrics = new ModuleMetrics(meters, factory.kind());
        metrics.machine();
        Counters counters = new Counters();
        metrics.counts(counters);
        HeapWatch heap = new HeapWatch(HeapLoad.ofThisJvm(), time);
        metrics.memory(heap);
        heap.start();
        KeptPositions positions = new KeptPositions(topicNames.positions(), () -> kafka.seeker("positions-" + mid),
                kafka::admin);
        this.context = new WorkerContext(settings, time, new Identity(mid, identity.ids(), serials),
                new Kafka(topicNames, counts, kafka.counting(counts), positions, errors, clocks, writes), control,
                store, new MeasuredLedger(facts, meters), new Telemetry(counters, meters, tracing, heap), plugins,
                this::fatal);
        this.stage = factory.create(context);
        stage.start();
        TrimRules rules = new TrimRules(topicNames, control, logs);
        this.trimmer = new TopicTrimmer(kafka, () -> rules.topics(settings.topics(), factory.kind()),
                settings.topics().trimInterval(), rules, stage::trimmed, clocks.ofKafka());
        this.status = new ModuleStatus(context, stage, broker, scores, since,
                why -> expelled(new CannotContinue(why), why));
        metrics.health(this::ready, control::lag, errors::dropped, status.notes::faults);
        endpoint.serve(new ModulePages(mid.address(), status::summary, meters::scrape, () -> !end.isDone(), this::ready,
                calls(log)));
        status.start();
        LOG.info("{} {} is running", factory.kind().word(), mid);
    }

    /** Only analyzers ask the cache: they leave out links that are surely known. */
    private static int cached(Settings settings, ModuleKind kind) {
        return kind == ModuleKind.ANALYZER ? Math.min(settings.ledger().cache(), HeapShares.ofThisJvm().facts()) : 0;
    }

    /** What every module answers, and what its stage does. */
    private List<Route> calls(RecentLog log) {
        List<Route> calls = new ArrayList<>(stage.calls());
        calls.add(Route.get(RecentLog.PATH, call -> {
            return CallResponse.json(log.last(call.number("lines", RecentLog.MOST, 1, RecentLog.MOST)));
        }));
        return calls;
    }

    private boolean ready() {
        return !stopping.get() && !end.isDone() && status.state().ready();
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

    /**
     * Finishes the work in flight within the grace period, commits, unregisters and closes everything. Later calls do
     * nothing.
     */
    void stop(Duration grace) {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        LOG.info("{} is stopping", mid);
        status.close();
        trimmer.close();
        stage.stop(grace);
        context.telemetry().heap().close();
        status.release();
        context.telemetry().tracing().close();
        broker.close();
        control.close();
        context.kafka().clocks().close();
        errors.close();
        kafka.close();
        store.close();
        endpoint.close();
        context.plugins().close();
        end.complete(new Stopped());
        LOG.info("{} has stopped", mid);
    }
}
