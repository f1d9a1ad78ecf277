package io.trawl.worker;

import io.trawl.settings.Settings;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.trawl.channel.ControlTopic;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaErrors;
import io.trawl.channel.Topics;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.MID;
import io.trawl.module.Counters;
import io.trawl.module.Counts;
import io.trawl.module.Registration;
import io.trawl.module.ScoreCalculator;
import io.trawl.module.SerialNumberLost;
import io.trawl.module.SerialNumbers;
import io.trawl.module.Summary;
import io.trawl.plugin.Plugins;
import io.trawl.redis.RedisStore;
import io.trawl.time.Time;
import io.trawl.trace.Tracer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running module: the skeleton of every process. It waits for what it depends on, reads {@code control} to its end, takes a MID, starts its stage,
 * and keeps its registration alive until it is stopped. Thread-safe.
 */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final String WAITING = "waiting";
    private final Settings settings;
    private final Time time;
    private final Endpoint endpoint;
    private final KafkaErrors errors;
    private final KafkaWatch broker;
    private final ControlTopic control;
    private final RedisStore store;
    private final SerialNumbers serials;
    private final MID mid;
    private final Tracer tracer;
    private final Counters counters = new Counters();
    private final Plugins plugins;
    private final ScoreCalculator scores;
    private final Instant since;
    private final Stage stage;
    private final Thread heartbeat;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Optional<String>> end = new CompletableFuture<>();

    /**
     * Starts a module and returns when it works. Waits for Kafka, Redis and the topics as long as it takes.
     *
     * @throws io.trawl.model.InvalidValue if a setting cannot be used, for example a port that is taken
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public static Worker start(Settings settings, StageFactory factory, Time time) throws InterruptedException {
        return start(settings, factory, time, mid -> {});
    }

    /** @param named is told the MID as soon as it is known, before anything else is done in its name */
    static Worker start(Settings settings, StageFactory factory, Time time, Consumer<MID> named) throws InterruptedException {
        Endpoint endpoint = factory.endpoint(settings);
        try {
            return new Worker(settings, factory, time, endpoint, named);
        } catch (RuntimeException | InterruptedException e) {
            endpoint.close();
            throw e;
        }
    }

    private Worker(Settings settings, StageFactory factory, Time time, Endpoint endpoint, Consumer<MID> named)
            throws InterruptedException {
        this.settings = settings;
        this.time = time;
        this.endpoint = endpoint;
        this.since = time.now();
        this.plugins = Plugins.in(settings.plugins());
        this.scores = ScoreCalculator.among(plugins);
        Topics topics = new Topics(settings.namespace());
        KafkaClients kafka = new KafkaClients(settings);
        Connections connections = new Connections(settings, topics, kafka, time);
        String cluster = connections.awaitKafka();
        factory.prepare(settings, topics, kafka, time);
        this.store = connections.awaitRedis(cluster, connections.awaitTopics());
        this.serials = store.serialNumbers(settings.lease());
        long serial = connections.awaitAnswer(() -> {
            store.check().forEach(finding -> LOG.warn("Redis: {}", finding));
            return serials.take(factory.kind());
        });
        this.mid = new MID(factory.kind(), serial, advertised(settings.http()), endpoint.port());
        named.accept(mid);
        this.tracer = Tracer.of(settings.traces(), mid);
        this.control = new ControlTopic(kafka.reader("control-" + mid), kafka.admin(), topics, time);
        control.refresh();
        this.errors = new KafkaErrors(kafka.producer("errors-" + mid), topics);
        this.broker = new KafkaWatch(kafka.admin(), settings.kafka().bootstrapServers(), time);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ModuleMetrics metrics = new ModuleMetrics(meters, factory.kind());
        metrics.machine();
        metrics.counts(counters);
        this.stage = factory.create(new WorkerContext(settings, time, mid, topics, kafka, control,
                new MeasuredLedger(store.ledger(settings.ledger().buckets(), settings.ledger().cache()), meters), store.marks(),
                store.attempts(UUID.randomUUID().toString()), store.pulse(),
                store.leases(),
                store.acceptedDomains(control),
                store.domainsMirror(), store.robots(), store.registrar(), errors, counters, meters, plugins, tracer,
                this::fatal));
        stage.start();
        Pages pages = new Pages(meters);
        metrics.standing(pages::ready, control::lag, errors::dropped);
        endpoint.serve(pages);
        this.heartbeat = Thread.ofVirtual().name("heartbeat").start(this::beat);
        LOG.info("{} {} is running", factory.kind().word(), mid);
    }

    private static String advertised(Settings.Http http) {
        return http.advertised()
                .orElseGet(() -> http.bind().equals("0.0.0.0") || http.bind().equals("::") ? ownAddress() : inUrl(http.bind()));
    }

    private static String ownAddress() {
        try {
            return inUrl(InetAddress.getLocalHost().getHostAddress());
        } catch (UnknownHostException e) {
            return "127.0.0.1";
        }
    }

    private static String inUrl(String address) {
        return address.indexOf(':') >= 0 && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    /** Who this is. */
    public MID mid() {
        return mid;
    }

    /** The stage, for those who started it in their own process. */
    public Stage stage() {
        return stage;
    }

    /** What the module says of itself. */
    public Summary summary() {
        Counts counts = counters.counts();
        return new Summary(mid, scores.score(counts), counts, since, state(), stage.extra());
    }

    /** What the stage says, unless it has not noticed yet that nobody answers it. */
    private String state() {
        String state = stage.state();
        return broker.away() && !state.startsWith(WAITING) ? WAITING + " for kafka" : state;
    }

    private void beat() {
        try {
            while (!stopping.get()) {
                renew();
                time.pause(settings.lease().dividedBy(6));
            }
        } catch (InterruptedException e) {
            LOG.debug("no more heartbeats");
        }
    }

    private void renew() {
        Counts counts = counters.counts();
        try {
            serials.renew(mid.kind(), mid.serial());
            store.registrar()
                    .register(
                            new Registration(mid, scores.score(counts), counts, since, stage.deals(),
                                    state()),
                            settings.lease());
        } catch (SerialNumberLost e) {
            fatal(e.getMessage(), e);
        } catch (LedgerUnavailable e) {
            LOG.debug("registration not renewed: {}", e.getMessage());
        } catch (RuntimeException e) {
            // Whatever Redis refuses now it may take in a second; a module that no longer renews would seem dead while it works.
            LOG.warn("registration not renewed: {}", e.toString());
        }
    }

    private void fatal(String explanation, Throwable cause) {
        LOG.error("{} cannot go on: {}", mid, explanation, cause);
        end.complete(Optional.of(explanation));
    }

    /** Completes when the module has ended: with why it cannot go on, or with nothing if it was stopped. */
    public CompletableFuture<Optional<String>> end() {
        return end;
    }

    /** Finishes what is in flight within the grace period, commits, leaves the registrar and closes everything. Only the first call does anything. */
    public void stop(Duration grace) {
        if (!stopping.compareAndSet(false, true)) {
            return;
        }
        LOG.info("{} is stopping", mid);
        heartbeat.interrupt();
        stage.stop(grace);
        try {
            store.registrar().unregister(mid);
            serials.release(mid.kind(), mid.serial());
        } catch (LedgerUnavailable e) {
            LOG.debug("not unregistered, the lease will run out: {}", e.getMessage());
        }
        tracer.close();
        control.close();
        errors.close();
        broker.close();
        store.close();
        endpoint.close();
        plugins.close();
        end.complete(Optional.empty());
        LOG.info("{} has stopped", mid);
    }

    /** What the endpoint shows. */
    private final class Pages implements ModulePages {
        private final PrometheusMeterRegistry meters;

        Pages(PrometheusMeterRegistry meters) {
            this.meters = meters;
        }

        @Override
        public Summary summary() {
            return Worker.this.summary();
        }

        @Override
        public String metrics() {
            return meters.scrape();
        }

        @Override
        public boolean live() {
            return !end.isDone();
        }

        @Override
        public boolean ready() {
            return !stopping.get() && !end.isDone() && !state().startsWith(WAITING);
        }

        @Override
        public List<DirectCall> calls() {
            return stage.calls();
        }
    }
}
