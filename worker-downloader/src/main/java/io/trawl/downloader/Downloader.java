package io.trawl.downloader;

import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.generation.DownloaderMetrics;
import io.trawl.downloader.call.DownloadCallHandler;
import io.trawl.downloader.call.FrontierCallHandler;
import io.trawl.downloader.call.HostsCallHandler;
import io.trawl.downloader.generation.DownloadSpans;
import io.trawl.downloader.generation.HostAnswers;
import io.trawl.downloader.generation.ServedGeneration;
import io.trawl.control.Channels;
import io.trawl.definition.CrawlVariables;
import io.trawl.downloader.generation.ServedGeneration.DownloadRecorder;
import io.trawl.downloader.generation.StageOutages;
import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.downloader.partition.PartitionOwnership;
import io.trawl.downloader.partition.RequestTopics;
import io.trawl.http.Route;
import io.trawl.model.ModuleKind;
import io.trawl.module.Deal;
import io.trawl.module.SlotCount;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.telemetry.Outage;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.StageNote;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stage that answers every request (S12): it reads the request topics, fetches politely, and writes one response
 * per request. It never creates requests. A kill at any moment loses nothing: the next owner of the partitions reads
 * requests without an acknowledged answer again.
 */
public final class Downloader implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Downloader.class);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration TROUBLES = Duration.ofSeconds(5);
    /** How long exchanges may take to end, and partitions to be given back, when the request topics are replaced. */
    private static final Duration REPLACED = Duration.ofSeconds(4);
    private final WorkerContext context;
    private final StageOutages outages = new StageOutages();
    private final Thread serving;
    private final BlockingQueue<Channels> changes = new LinkedBlockingQueue<>();
    private volatile @Nullable ServedGeneration served;
    private final Optional<ArchiveSource> replayed;
    private final DownloadCallHandler downloadCalls;
    private final FrontierCallHandler frontierCalls;
    private final HostAnswers hostAnswers = new HostAnswers();
    private final HostsCallHandler hostsCalls;
    private final DownloaderMetrics metrics;
    private volatile boolean stopped;
    private volatile List<StageNote> troubles = List.of();
    private volatile long askedForTroubles;

    private Downloader(WorkerContext context, Optional<ArchiveSource> replayed) {
        this.context = context;
        this.askedForTroubles = context.time().nanos() - TROUBLES.toNanos();
        this.replayed = replayed;
        this.downloadCalls = new DownloadCallHandler(context.mid(), context.telemetry().counters(),
                CrawlVariables.ofProcess(), context.time(), this::now);
        this.frontierCalls = new FrontierCallHandler(context.mid(), this::state, context.time(), this::now);
        this.hostsCalls = new HostsCallHandler(context.mid(), hostAnswers, this::now);
        this.metrics = new DownloaderMetrics(context.telemetry().meters(),
                () -> now().map(s -> s.frontier().status()).orElse(FrontierStatus.NOTHING),
                () -> now().map(s -> s.fetchers().restingProxies().size()).orElse(0));
        this.serving = Thread.ofPlatform().daemon().name("downloader").unstarted(this::serve);
    }

    /** A factory of downloaders. */
    public static StageFactory factory() {
        return factory(Optional.empty());
    }

    /** A factory of downloaders that send nothing: archives answer. */
    public static StageFactory replaying(ArchiveSource archives) {
        return factory(Optional.of(archives));
    }

    private static StageFactory factory(Optional<ArchiveSource> replayed) {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.DOWNLOADER;
            }

            @Override
            public Stage create(WorkerContext context) {
                return new Downloader(context, replayed);
            }
        };
    }

    @Override
    public void start() {
        context.control().listen(record -> {
            if (record instanceof Channels channels) {
                changes.add(channels);
            }
            now().ifPresent(serves -> serves.control().changed(record));
        });
        serving.start();
    }

    private Optional<ServedGeneration> now() {
        return Optional.ofNullable(served);
    }

    /** Serves the request topics that are on {@code control}, those of one generation after those of another. */
    private void serve() {
        try {
            context.control().channels().ifPresent(changes::add);
            while (true) {
                follow(changes.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            context.failures().fatal("the downloader cannot start", e);
        }
    }

    private void follow(Channels channels) throws InterruptedException {
        ServedGeneration before = served;
        if (before != null && before.generation() < channels.generation()) {
            LOG.info(
                    "the request topics of generation {} are replaced by those of generation {}: giving all partitions back",
                    before.generation(), channels.generation());
            before.stop(REPLACED);
            served = null;
        }
        if (served == null && channels.served()) {
            open(topics(channels), channels);
        }
    }

    private RequestTopics topics(Channels channels) throws InterruptedException {
        while (true) {
            try (Admin admin = context.kafka().clients().admin()) {
                RequestTopics topics = RequestTopics.of(context.kafka().topics(), channels,
                        admin.describeTopics(context.kafka().topics().requests(channels)).allTopicNames().get());
                outages.reading().end();
                return topics;
            } catch (ExecutionException | KafkaException e) {
                outages.reading().begin(e);
                context.time().pause(PAUSE);
            }
        }
    }

    private synchronized void open(RequestTopics topics, Channels channels) {
        if (stopped) {
            return;
        }
        metrics.levels(channels.levels());
        ServedGeneration next = new ServedGeneration(context, topics, channels, outages,
                new DownloadRecorder(metrics, hostAnswers, new DownloadSpans(context.telemetry().tracing())), replayed);
        next.start();
        served = next;
        next.control().changed();
    }

    @Override
    public StageState state() {
        if (stopped) {
            return Phase.STOPPING;
        }
        if (outages.redis().now()) {
            return new WaitingFor(Dependency.REDIS, outages.redis().cause());
        }
        Optional<Outage> kafka = outages.ofKafka();
        if (kafka.isPresent()) {
            return new WaitingFor(Dependency.KAFKA, kafka.get().cause());
        }
        ServedGeneration now = served;
        if (now == null) {
            return new WaitingFor(Dependency.REQUEST_TOPICS);
        }
        PartitionOwnership.LeaseCount leases = now.leases();
        if (leases.held() == 0 && leases.awaited() > 0) {
            return new WaitingFor(Dependency.LEASES);
        }
        if (now.control().signs().stream()
                .anyMatch(sign -> sign.signed() && (sign.scope().fleet() || sign.module().isPresent()))) {
            return new HoldingFor(HoldReason.STOP_SIGN);
        }
        return now.state();
    }

    /** Of the hosts that hold up their requests; the frontier is asked every few seconds. */
    @Override
    public List<StageNote> notes() {
        ServedGeneration now = served;
        long nanos = context.time().nanos();
        if (now == null) {
            return List.of();
        }
        if (nanos - askedForTroubles >= TROUBLES.toNanos()) {
            askedForTroubles = nanos;
            now.frontier().ask((frontier, at) -> frontier.troubles(at))
                    .thenAccept(found -> troubles = found.stream().map(trouble -> StageNote
                            .ofHosts(trouble.kind() + " hosts", trouble.text(context.time().now()), trouble.crawl()))
                            .toList());
        }
        return Stream.concat(outages.names().cause()
                .map(cause -> new StageNote("name servers", cause + ". Requests wait for them")).stream(),
                troubles.stream()).toList();
    }

    @Override
    public Optional<SlotCount> slots() {
        return now().map(ServedGeneration::slots);
    }

    @Override
    public Optional<List<String>> names() {
        return now().map(now -> now.fetchers().names());
    }

    @Override
    public Map<String, Object> extra() {
        ServedGeneration now = served;
        if (now == null) {
            return Map.of();
        }
        Map<String, Object> extra = new LinkedHashMap<>(now.frontier().status().figures());
        PartitionOwnership.LeaseCount leases = now.leases();
        extra.put("leases", Map.of("held", leases.held(), "awaited", leases.awaited()));
        extra.put("fetchers", now.fetchers().names());
        extra.put("proxiesResting", now.fetchers().restingProxies());
        extra.put("holding", now.state() instanceof HoldingFor);
        extra.put("unreadable", now.unreadable());
        return extra;
    }

    @Override
    public List<Deal> deals() {
        return now().map(now -> now.frontier().status().deals()).orElse(List.of());
    }

    @Override
    public Optional<Integer> partitions() {
        return Optional.of(now().map(now -> now.frontier().status().partitions()).orElse(0));
    }

    /** Deletes the marks of deleted requests. */
    @Override
    public void trimmed(String topic, int partition, long below) {
        now().ifPresent(now -> context.store().marks().dropBelow(now.topics().log(new TopicPartition(topic, partition)),
                below));
    }

    @Override
    public List<Route> calls() {
        return List.of(downloadCalls.call(), frontierCalls.call(), hostsCalls.call());
    }

    /**
     * New fetches end at once; the rest of the time is for those in flight, their answers, the last commit, and leaving
     * the group.
     */
    @Override
    public void stop(Duration grace) {
        stopped = true;
        serving.interrupt();
        last().ifPresent(s -> s.stop(grace));
    }

    /** After {@link #stopped} is set, none is opened. */
    private synchronized Optional<ServedGeneration> last() {
        return now();
    }
}
