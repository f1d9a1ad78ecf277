package io.trawl.downloader;

import io.trawl.channel.offset.TopicBacklog;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlVariables;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.UnreadableRecordHandler.UnreadableRecord;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.api.PageFetcher;
import io.trawl.downloader.fetch.HttpFetcher;
import io.trawl.downloader.fetch.browser.BrowserFetcher;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.NamedFetchers;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.frontier.CrawlTerms;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.frontier.FrontierLoop;
import io.trawl.downloader.frontier.FrontierSettings;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.downloader.frontier.FrontierStatus;
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
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.downloader.session.HostSessions;
import io.trawl.downloader.session.SessionFetcher;
import io.trawl.http.DirectCall;
import io.trawl.downloader.trap.SpiderTraps;
import io.trawl.memory.HeapShares;
import io.trawl.model.CrawlRun;
import io.trawl.model.ModuleKind;
import io.trawl.model.PolitenessKey;
import io.trawl.module.Deal;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.telemetry.Outage;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.BackPressure;
import io.trawl.worker.BackPressure.Limits;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The stage that answers every request (S12): it reads the request topics, fetches politely, and writes one response
 * per request. It never creates requests. A kill at any moment loses nothing: the next owner of the partitions reads
 * requests without an acknowledged answer again.
 */
public final class Downloader implements Stage {
    private static final int POLL_RECORDS = 1000;
    private static final int LOOK_UPS = 200;
    private static final int SETTLED = 500;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration SHUTDOWN_RESERVE = Duration.ofSeconds(2);
    private final WorkerContext context;
    private final Outage redis = new Outage("redis");
    private final Outage reading = new Outage("kafka (requests)");
    private final Outage bodies = new Outage("kafka (bodies of requests)");
    private final Outage writing = new Outage("kafka (responses)");
    private final Thread opening;
    private volatile @Nullable Running running;
    private final CrawlVariables variables = CrawlVariables.ofProcess();
    private final DownloadCallHandler downloadCalls;
    private final FrontierCallHandler frontierCalls;
    private final HostAnswers hostAnswers = new HostAnswers();
    private final HostsCallHandler hostsCalls;
    private volatile boolean stopped;

    /** Everything that runs, created when the topics are known. */
    private record Running(FrontierLoop frontier, RequestReader reader, ResponseWriter answers, List<BatchExecutor<?>> executors,
            NamedFetchers fetchers, PartitionOwnership ownership, BackPressure pressure, TopicBacklog backlogs, BodyReader bodies,
            UnreadableRecordHandler unreadables, RequestTopics topics, Thread readerThread) {}

    private Downloader(WorkerContext context) {
        this.context = context;
        this.downloadCalls = new DownloadCallHandler(context.mid(), context.counters(), variables, context.time());
        this.frontierCalls = new FrontierCallHandler(context.mid(), this::state, context.time());
        this.hostsCalls = new HostsCallHandler(context.mid(), hostAnswers);
        this.opening = Thread.ofPlatform().daemon().name("downloader").unstarted(this::open);
    }

    /** A factory of downloaders. */
    public static StageFactory factory() {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.DOWNLOADER;
            }

            @Override
            public Stage create(WorkerContext context) {
                return new Downloader(context);
            }
        };
    }

    @Override
    public void start() {
        opening.start();
    }

    private void open() {
        try {
            Optional<Channels> channels = context.control().channels();
            while (channels.isEmpty()) {
                context.time().pause(PAUSE);
                channels = context.control().channels();
            }
            run(topics(channels.get()), channels.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            context.failures().fatal("the downloader cannot start", e);
        }
    }

    private RequestTopics topics(Channels channels) throws InterruptedException {
        while (true) {
            try (Admin admin = context.kafka().admin()) {
                RequestTopics topics = RequestTopics.of(context.topics(), channels,
                        admin.describeTopics(context.topics().requests(channels)).allTopicNames().get());
                reading.end();
                return topics;
            } catch (ExecutionException | KafkaException e) {
                reading.begin(e);
                context.time().pause(PAUSE);
            }
        }
    }

    private synchronized void run(RequestTopics topics, Channels channels) {
        if (stopped) {
            return;
        }
        int levels = channels.levels();
        var settings = context.settings().downloader();
        BodyMemory memory = BodyMemory.of(HeapShares.ofThisJvm().bodies(), settings.concurrency(), context.time());
        HttpFetcher fetcher = HttpFetcher.open(context.settings(), memory, context.time());
        CachedRobots robots = new CachedRobots(fetcher.web(), context.robots(), settings.robotsTtl(), context.time());
        RetryPolicy retries = new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        QueueKeys keys = channels.politeness() == PolitenessKey.IP
                ? new AddressQueueKeys(fetcher::addresses)
                : QueueKeys.by(channels.politeness());
        FrontierSettings frontierSettings = FrontierSettings.of(settings, levels, keys);
        FetchBounds bounds = new FetchBounds(fetcher, robots, frontierSettings.politeness(), memory, settings, context.time());
        NamedFetchers fetchers = new NamedFetchers(fetcher, pageFetchers(settings, context.plugins(), context.time()), bounds);
        Frontier frontier = new Frontier(frontierSettings,
                new ControlTopicTerms(context.control(), variables),
                robots::cached, retries,
                context.counters());
        FrontierLoop loop = new FrontierLoop(frontier, context.time(), context.failures());
        BatchExecutor<AcknowledgedAnswer> settling = executor("settle", SETTLED,
                new AnswerSettlement(context.ledger(), context.marks(), this::notOver,
                        tickets -> loop.send((f, now) -> f.answered(tickets, now))));
        BatchExecutor<FrontierAction.LookUp> lookUps = executor("look-up", LOOK_UPS,
                ActionExecutor.lookingUp(context.ledger(), loop));
        BatchExecutor<CrawlRun> refreshes = executor("refresh", LOOK_UPS, runs -> refresh(runs, loop));
        BatchExecutor<FrontierAction.UseBudget> budgets = executor("budgets", LOOK_UPS,
                ActionExecutor.usingBudgets(context.hostBudgets(), loop));
        BatchExecutor<FrontierAction.UsePermit> permits = executor("permits", LOOK_UPS,
                ActionExecutor.usingPermits(context.runPermits(), loop));
        PauseWriter pauseWriter = PauseWriter.open(context.leases(), channels.generation(), context.time(),
                work -> executor("closures", LOOK_UPS, work));
        ResponseWriter answers = new ResponseWriter(() -> context.kafka().producer("answers-" + context.mid()), memory,
                context.topics(), channels, context.mid(),
                context.time(), writing, settling::add,
                e -> context.failures().fatal("answers cannot be written", e));
        UnreadableRecordHandler unreadables = new UnreadableRecordHandler(context, answers, settling::add);
        BatchExecutor<UnreadableRecord> unreadableRecords = executor("unreadable", LOOK_UPS, unreadables);
        HostSessions sessions = HostSessions.open(context.hostSessions(), context.time(),
                work -> executor("sessions", LOOK_UPS, work));
        PartitionOwnership partitionOwnership = new PartitionOwnership(context.leases(), settings.lease(), channels.generation(),
                loop, ended -> {
                    sessions.cut(ended);
                    fetchers.cut(ended);
                }, redis,
                context.time(), context.failures());
        String group = context.topics().downloaderGroup();
        var consumer = context.kafka().groupConsumer(group, context.mid().toString(), POLL_RECORDS);
        RequestReader reader = new RequestReader(consumer, topics, keys, loop,
                new PartitionTakeover(consumer, topics, group, partitionOwnership, context.marks(), redis, context.time(),
                        context.failures()),
                new PartitionHandover(partitionOwnership, context.leases(), channels.generation(), loop, sessions::flush,
                        context.time()),
                context.tracing(), reading, () -> leaves(loop), context.time(),
                context.failures());
        BodyReader bodyReader = new BodyReader(context.kafka().seeker("bodies-" + context.mid()), topics, loop,
                context.tracing(), bodies,
                context.time(), context.failures());
        DownloaderMetrics metrics = new DownloaderMetrics(context.meters(), levels, loop::status,
                () -> fetcher.restingProxies().size());
        TopicBacklog topicBacklog = new TopicBacklog(context.kafka().admin(), context.counts()::serves);
        BackPressure pressure = new BackPressure(HoldReason.ANALYZERS,
                () -> Limits.of(context.inForce(), SharedSetting.RESPONSE_BACKLOG, SharedSetting.RESPONSE_BACKLOG_BYTES),
                () -> topicBacklog.of(context.topics().analyzerGroup(), context.topics().responses()), metrics::meanBody,
                () -> context.heap().full() || memory.overdrawn(), on -> loop.send((f, now) -> f.hold(on)), context.time());
        ActionExecutor actionExecutor = new ActionExecutor(loop, reader, bodyReader, topics,
                new SessionFetcher(fetchers, sessions, bounds), robots, new SpiderTraps(),
                answers, memory,
                unreadableRecords, lookUps, budgets, permits,
                settling, refreshes, pauseWriter, metrics, hostAnswers, new DownloadSpans(context.tracing()));
        Thread.ofPlatform().daemon().name("frontier").start(() -> loop.run(actionExecutor));
        context.control().listen(command -> loop.send((f, now) -> f.crawlsChanged(signs(), now)));
        pressure.start();
        partitionOwnership.start();
        Thread.ofPlatform().daemon().name("bodies").start(bodyReader);
        Thread readerThread = Thread.ofPlatform().daemon().name("requests").start(reader);
        downloadCalls.open(loop, keys, channels);
        frontierCalls.open(loop, keys, channels);
        hostsCalls.open(loop, keys);
        running = new Running(loop, reader, answers,
                List.of(settling, lookUps, budgets, permits, refreshes, unreadableRecords, pauseWriter.executor(),
                        sessions.executor()),
                fetchers,
                partitionOwnership,
                pressure, topicBacklog, bodyReader, unreadables, topics, readerThread);
    }

    /** Those of plug-ins, and the browser if there is one. */
    static List<PageFetcher> pageFetchers(Settings.DownloaderSettings settings, Plugins plugins, Time time) {
        Stream<PageFetcher> browser = settings.browser().stream().map(program -> new BrowserFetcher(program,
                settings.browserArguments().orElse(List.of()), settings.browserPages(), time));
        return Stream.concat(plugins.of(PageFetcher.class).stream(), browser).toList();
    }

    private <T> BatchExecutor<T> executor(String name, int most, Consumer<List<T>> work) {
        return new BatchExecutor<>(name, most, work, redis, context.time(), e -> context.failures().fatal(name + " failed", e));
    }

    /** The stop signs that this downloader deals with. */
    private List<StopSign> signs() {
        return context.control().stopSigns().stream().filter(sign -> sign.scope().concerns(context.mid())).toList();
    }

    /** Whether the sign of this downloader is in force, the frontier has read it, and nothing is in flight. */
    private boolean leaves(FrontierLoop loop) {
        String own = SignScope.of(context.mid()).key();
        return context.control().stopped(context.mid()) && loop.status().deals().stream()
                .anyMatch(deal -> deal.sign().equals(own) && (deal.took().isPresent() || deal.inFlight() == 0));
    }

    private boolean notOver(CrawlRun run) {
        return context.control().standing(run) != RunStatus.OVER;
    }

    private void refresh(List<CrawlRun> runs, FrontierLoop loop) {
        try {
            context.control().refresh();
            runs.forEach(run -> loop.send((f, now) -> f.refreshed(run, now)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public StageState state() {
        if (stopped) {
            return Phase.STOPPING;
        }
        if (redis.now()) {
            return new WaitingFor(Dependency.REDIS, redis.cause());
        }
        Optional<Outage> kafka = Stream.of(reading, bodies, writing).filter(Outage::now).findFirst();
        if (kafka.isPresent()) {
            return new WaitingFor(Dependency.KAFKA, kafka.get().cause());
        }
        Running now = running;
        if (now == null) {
            return new WaitingFor(Dependency.REQUEST_TOPICS);
        }
        PartitionOwnership.LeaseCount leases = now.ownership().count();
        if (leases.held() == 0 && leases.awaited() > 0) {
            return new WaitingFor(Dependency.LEASES);
        }
        if (signs().stream().anyMatch(sign -> sign.signed() && (sign.scope().fleet() || sign.module().isPresent()))) {
            return new HoldingFor(HoldReason.STOP_SIGN);
        }
        return now.pressure().reason().<StageState>map(HoldingFor::new).orElse(Phase.RUNNING);
    }

    @Override
    public Optional<List<String>> names() {
        return Optional.ofNullable(running).map(now -> now.fetchers().names());
    }

    @Override
    public Map<String, Object> extra() {
        Running now = running;
        Map<String, Object> extra = new LinkedHashMap<>();
        if (now != null) {
            FrontierStatus status = now.frontier().status();
            extra.put("slots", Map.of("total", status.slotsTotal(), "used", status.slotsUsed()));
            Map<String, Long> pending = new LinkedHashMap<>();
            for (int p = status.pending().size() - 1; p >= 0; p--) {
                pending.put(Integer.toString(p), status.pending().get(p));
            }
            extra.put("pendingByPriority", pending);
            extra.put("hosts", status.hosts());
            extra.put("hostsGivenUp", status.givenUp());
            extra.put("hostsLimited", status.limited());
            extra.put("hostsPostponed", status.postponed());
            extra.put("answering", status.answering());
            extra.put("parked", status.parked());
            extra.put("partitions", status.partitions());
            PartitionOwnership.LeaseCount leases = now.ownership().count();
            extra.put("leases", Map.of("held", leases.held(), "awaited", leases.awaited()));
            extra.put("fetchers", now.fetchers().names());
            extra.put("proxiesResting", now.fetchers().restingProxies());
            extra.put("holding", now.pressure().reason().isPresent());
            extra.put("unreadable", now.unreadables().count());
        }
        return extra;
    }

    @Override
    public List<Deal> deals() {
        Running now = running;
        return now == null ? List.of() : now.frontier().status().deals();
    }

    /** Deletes the marks of deleted requests. */
    @Override
    public void trimmed(String topic, int partition, long below) {
        Running now = running;
        if (now != null) {
            context.marks().dropBelow(now.topics().log(new TopicPartition(topic, partition)), below);
        }
    }

    @Override
    public List<DirectCall> calls() {
        return List.of(downloadCalls.call(), frontierCalls.call(), hostsCalls.call());
    }

    /**
     * New fetches end at once; the rest of the time is for those in flight, their answers, the last commit, and leaving
     * the group.
     */
    @Override
    public void stop(Duration grace) {
        stopped = true;
        opening.interrupt();
        Running last = running();
        if (last == null) {
            return;
        }
        try {
            long end = context.time().nanos() + grace.toNanos();
            last.frontier().ask((f, now) -> {
                f.stopping();
                return true;
            });
            await(() -> last.frontier().status().stopping() && last.frontier().status().quiet(),
                    end - SHUTDOWN_RESERVE.toNanos());
            last.reader().stop();
            last.readerThread().join(Duration.ofNanos(Math.max(SHUTDOWN_RESERVE.toNanos(), end - context.time().nanos())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(last);
        }
    }

    private synchronized @Nullable Running running() {
        return running;
    }

    private void await(BooleanSupplier quiet, long end) throws InterruptedException {
        while (!quiet.getAsBoolean() && context.time().nanos() - end < 0) {
            context.time().pause(PAUSE);
        }
    }

    private static void close(Running last) {
        last.pressure().close();
        last.ownership().close();
        last.backlogs().close();
        last.frontier().stop();
        last.bodies().stop();
        last.answers().close();
        last.executors().forEach(BatchExecutor::close);
        last.fetchers().close();
    }

    /** The terms of runs, from the {@code control} topic. Thread-safe. */
    private record ControlTopicTerms(ControlView control, CrawlVariables variables) implements CrawlTerms {
        @Override
        public Terms terms(CrawlRun run) {
            RunStatus runStatus = control.standing(run);
            Optional<CrawlStatus> crawl = control.crawl(run.crawl()).filter(c -> c.run().equals(run));
            if (runStatus != RunStatus.PRESENT || crawl.isEmpty()) {
                return Terms.absent(runStatus);
            }
            var definition = crawl.get().definition();
            return new Terms(runStatus, control.fetches(run), definition.fetch().delay(),
                    FetchProfile.of(definition.fetch(), variables).taking(definition.scope().wantedTypes()),
                    definition.limits().depthMode(), definition.limits().host(), definition.weight(),
                    definition.limits().countsFetches(), new TermsOfScope(crawl.get().version(), definition.scopeRules(),
                            definition.scope().maxPages()),
                    definition.identity());
        }
    }
}
