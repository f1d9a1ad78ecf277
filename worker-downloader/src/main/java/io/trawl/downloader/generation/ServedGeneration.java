package io.trawl.downloader.generation;

import io.trawl.codec.BodyPacking;
import io.trawl.channel.offset.TopicBacklog;
import io.trawl.control.Channels;
import io.trawl.definition.CrawlVariables;
import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.generation.ActionExecutor.AnswerPath;
import io.trawl.downloader.generation.ActionExecutor.Fetches;
import io.trawl.downloader.generation.ActionExecutor.RequestSource;
import io.trawl.downloader.generation.ActionExecutor.StoreCalls;
import io.trawl.downloader.fetch.http.HttpFetcher;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.budget.SlotLimit;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.partition.FrontierLoop;
import io.trawl.downloader.frontier.FrontierSettings;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.downloader.partition.BodyReader;
import io.trawl.downloader.partition.PartitionHandover;
import io.trawl.downloader.partition.PartitionOwnership;
import io.trawl.downloader.partition.PartitionTakeover;
import io.trawl.downloader.partition.PauseWriter;
import io.trawl.downloader.partition.RequestReader;
import io.trawl.downloader.partition.RequestTopics;
import io.trawl.downloader.politeness.RetryPolicy;
import io.trawl.downloader.response.AnswerSettlement;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.downloader.response.ResponseWriter;
import io.trawl.downloader.robots.ReplayRobots;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.downloader.session.HostSessions;
import io.trawl.downloader.session.SessionFetcher;
import io.trawl.downloader.trap.SpiderTraps;
import io.trawl.memory.HeapShares;
import io.trawl.model.PolitenessKey;
import io.trawl.module.SlotCount;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.BackPressure;
import io.trawl.worker.BackPressure.Limits;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the request topics of one generation, from the assignment of partitions to the answers. A downloader has one
 * at a time: when the topics are replaced, it stops this one, which gives its partitions back, and starts one for the
 * next generation. Thread-safe.
 */
public final class ServedGeneration {
    private static final Logger LOG = LoggerFactory.getLogger(ServedGeneration.class);
    private static final int POLL_RECORDS = 1000;
    private static final int SHARES_OF_BODIES = 64;
    private static final int CALLED = 200;
    private static final int SETTLED = 500;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration SHUTDOWN_RESERVE = Duration.ofSeconds(2);
    private final WorkerContext context;
    private final SlotLimit limit;
    private final RequestTopics topics;
    private final Channels channels;
    private final StageOutages outages;
    private final FrontierLoop loop;
    private final ControlChanges control;
    private final QueueKeys keys;
    private final NamedFetchers fetchers;
    private final ResponseWriter answers;
    private final UnreadableRecordHandler unreadables;
    private final PartitionOwnership ownership;
    private final RequestReader reader;
    private final BodyReader bodyReader;
    private final TopicBacklog backlogs;
    private final BackPressure pressure;
    private final ActionExecutor actionExecutor;
    private final List<BatchExecutor<?>> executors = new ArrayList<>();
    private final Thread readerThread;

    /**
     * What keeps a record of downloads, for people.
     *
     * @param answers counts the answers of each host
     */
    public record DownloadRecorder(DownloaderMetrics metrics, HostAnswers answers, DownloadSpans spans) {}

    /** @param replayed what answers instead of the web, if that is so */
    public ServedGeneration(WorkerContext context, RequestTopics topics, Channels channels, StageOutages outages,
            DownloadRecorder recorder, Optional<ArchiveSource> replayed) {
        this.context = context;
        this.topics = topics;
        this.channels = channels;
        this.outages = outages;
        var settings = context.settings().downloader();
        this.limit = SlotLimit.of(settings);
        LOG.info("up to {} requests in flight: {}", limit.slots(), limit.reason());
        BodyMemory memory = BodyMemory.of(HeapShares.ofThisJvm().bodies(), Math.min(limit.slots(), SHARES_OF_BODIES),
                context.time());
        HttpFetcher fetcher = HttpFetcher.open(
                context.settings(), recorder.metrics()
                        .measured(NameService.open(settings, outages.names(), context.time()), context.time()),
                memory, context.time());
        RobotsSource robots = replayed.isPresent()
                ? new ReplayRobots()
                : new CachedRobots(fetcher.web(), context.store().robots(), settings.robotsTtl(), context.time());
        RetryPolicy retries = new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        this.keys = channels.politeness() == PolitenessKey.IP
                ? new AddressQueueKeys(fetcher::addresses)
                : QueueKeys.by(channels.politeness());
        FrontierSettings frontierSettings = FrontierSettings.of(settings, limit.slots(), channels.levels(), keys);
        FetchBounds bounds = new FetchBounds(fetcher, robots, frontierSettings.politeness(), memory, settings,
                context.time());
        this.fetchers = NamedFetchers.among(context.plugins(), bounds);
        Frontier frontier = new Frontier(frontierSettings,
                new ControlTopicTerms(context.control(), CrawlVariables.ofProcess()), robots::cached,
                replayed.isPresent() ? _ -> true : fetcher::isKnown, retries, context.telemetry().counters());
        this.loop = new FrontierLoop(frontier, context.time(), context.failures());
        this.control = new ControlChanges(context, loop, channels.generation());
        BatchExecutor<AcknowledgedAnswer> settling = executor("settle", SETTLED,
                new AnswerSettlement(context.ledger(), context.store().marks(), control::notOver, control::newestLayout,
                        tickets -> loop.send((f, now) -> f.answered(tickets, now))));
        StoreCalls calls = new StoreCalls(executor("look-up", CALLED, ActionExecutor.lookingUp(context.ledger(), loop)),
                executor("budgets", CALLED, ActionExecutor.usingBudgets(context.store().hostBudgets(), loop)),
                executor("permits", CALLED, ActionExecutor.usingPermits(context.store().runPermits(), loop)),
                executor("refresh", CALLED, control::refresh), PauseWriter.open(context.store().leases(),
                        channels.generation(), context.time(), work -> executor("pauses", CALLED, work)));
        this.answers = new ResponseWriter(() -> context.kafka().clients().producer("answers-" + context.mid()), memory,
                context.kafka().topics(), channels, context.kafka().counts(), context.mid(), context.time(),
                outages.writing(), settling::add, e -> context.failures().fatal("answers cannot be written", e));
        this.unreadables = new UnreadableRecordHandler(context, answers, settling::add);
        HostSessions sessions = HostSessions.open(context.store().hostSessions(), context.time(),
                work -> executor("sessions", CALLED, work));
        this.ownership = new PartitionOwnership(context, channels.generation(), loop, ended -> {
            sessions.cut(ended);
            fetchers.cut(ended);
        }, outages.redis());
        var consumer = context.kafka().clients().groupConsumer(context.kafka().topics().downloaderGroup(),
                context.mid().toString(), POLL_RECORDS);
        this.reader = new RequestReader(context, consumer, topics, keys, loop,
                new PartitionTakeover(context, consumer, topics, ownership, outages.redis()),
                new PartitionHandover(ownership, context.store().leases(), channels.generation(), loop, sessions::flush,
                        context.time()),
                outages.reading(), this::leaves);
        this.bodyReader = new BodyReader(context, topics, loop, outages.bodies());
        this.backlogs = new TopicBacklog(context.kafka().clients().admin(), context.kafka().counts()::serves);
        this.pressure = new BackPressure(HoldReason.ANALYZERS,
                () -> Limits.of(context.inForce(), SharedSetting.RESPONSE_BACKLOG,
                        SharedSetting.RESPONSE_BACKLOG_BYTES),
                () -> backlogs.ofResponses(context.kafka().topics().responses(),
                        context.kafka().topics().analyzerGroup(),
                        Optional.of(context.kafka().topics().archiveGroup()).filter(_ -> context.control().archives())),
                recorder.metrics()::meanBody, context.telemetry().counters()::counts,
                () -> context.telemetry().heap().full() || memory.overdrawn(), on -> loop.send((f, now) -> f.hold(on)),
                context.time());
        this.actionExecutor = new ActionExecutor(loop, new RequestSource(reader, bodyReader, topics), calls,
                new Fetches(
                        replayed.map(
                                source -> source.fetcher(settings.archives(), settings.bodyLimit(), context.time()))
                                .orElseGet(() -> new SessionFetcher(fetchers, sessions, bounds)),
                        fetcher::addresses, robots, memory, new SpiderTraps(), new BodyPacking()),
                new AnswerPath(answers, executor("unreadable", CALLED, unreadables), settling), recorder);
        this.readerThread = Thread.ofPlatform().daemon().name("requests").unstarted(reader);
    }

    /** Joins the group. */
    public void start() {
        Thread.ofPlatform().daemon().name("frontier").start(() -> loop.run(actionExecutor));
        pressure.start();
        ownership.start();
        Thread.ofPlatform().daemon().name("bodies").start(bodyReader);
        readerThread.start();
    }

    /** The number of the generation. */
    public int generation() {
        return channels.generation();
    }

    /** What control says to this downloader. */
    public ControlChanges control() {
        return control;
    }

    /** The thread of the frontier. */
    public FrontierLoop frontier() {
        return loop;
    }

    /** The counts of the channels that it serves. */
    public Channels channels() {
        return channels;
    }

    /** Which queue a host has. */
    public QueueKeys keys() {
        return keys;
    }

    /** All fetchers by their names. */
    public NamedFetchers fetchers() {
        return fetchers;
    }

    /** The topics that it serves. */
    public RequestTopics topics() {
        return topics;
    }

    /** The leases on the assigned partitions. */
    public PartitionOwnership.LeaseCount leases() {
        return ownership.count();
    }

    /** The slots, and those in use. */
    public SlotCount slots() {
        FrontierStatus status = loop.status();
        return new SlotCount(status.slotsTotal(), status.slotsUsed(), status.ready() + status.limited(), limit.by());
    }

    /** Whether it works, holds, or stands still. */
    public StageState state() {
        return reader.state(pressure.reason().<StageState>map(HoldingFor::new).orElse(Phase.RUNNING));
    }

    /** The records that could not be read. */
    public long unreadable() {
        return unreadables.count();
    }

    private <T> BatchExecutor<T> executor(String name, int most, Consumer<List<T>> work) {
        BatchExecutor<T> executor = new BatchExecutor<>(name, most, work, outages.redis(), context.time(),
                e -> context.failures().fatal(name + " failed", e));
        executors.add(executor);
        return executor;
    }

    /**
     * Whether this downloader gives all partitions back and waits; asked by the thread that reads requests, again and
     * again.
     */
    private boolean leaves() {
        context.kafka().writes().report(outages, outages.writing().cause());
        return control.drained() || context.kafka().writes().leaves();
    }

    /**
     * Begins no exchange any more, waits for those in flight, gives the partitions back, leaves the group, and closes
     * everything.
     *
     * @param grace for all of that; exchanges that take longer are cut
     */
    public void stop(Duration grace) {
        try {
            long end = context.time().nanos() + grace.toNanos();
            loop.ask((f, now) -> {
                f.stopping();
                return true;
            });
            await(() -> loop.status().stopping() && loop.status().quiet(), end - SHUTDOWN_RESERVE.toNanos());
            reader.stop();
            readerThread.join(Duration.ofNanos(Math.max(SHUTDOWN_RESERVE.toNanos(), end - context.time().nanos())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private void await(BooleanSupplier quiet, long end) throws InterruptedException {
        while (!quiet.getAsBoolean() && context.time().nanos() - end < 0) {
            context.time().pause(PAUSE);
        }
    }

    private void close() {
        pressure.close();
        ownership.close();
        backlogs.close();
        loop.stop();
        bodyReader.stop();
        answers.close();
        executors.forEach(BatchExecutor::close);
        fetchers.close();
    }
}
