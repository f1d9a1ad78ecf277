package io.trawl.downloader;

import io.trawl.channel.Backlogs;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.answer.Acknowledged;
import io.trawl.downloader.answer.AnswerWriter;
import io.trawl.downloader.answer.Desk;
import io.trawl.downloader.answer.Outage;
import io.trawl.downloader.answer.Settling;
import io.trawl.downloader.fetch.HttpFetcher;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.frontier.Frontier;
import io.trawl.downloader.frontier.FrontierSettings;
import io.trawl.downloader.frontier.FrontierStatus;
import io.trawl.downloader.frontier.QueueKeys;
import io.trawl.downloader.retry.RetryPolicy;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.model.CrawlRun;
import io.trawl.model.ModuleKind;
import io.trawl.model.PolitenessKey;
import io.trawl.worker.DirectCall;
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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The stage that answers every request (S12): reads the request topics, fetches politely, writes one response per request. It never makes requests.
 * Killed at any moment it loses nothing: what has no acknowledged answer is read again by whoever gets its partitions.
 */
public final class Downloader implements Stage {
    private static final int POLL_RECORDS = 1000;
    private static final int LOOK_UPS = 200;
    private static final int SETTLED = 500;
    private static final Duration PAUSE = Duration.ofMillis(20);
    /** Not {@code waiting ...}: a downloader that holds is well, and ready. */
    private static final String HOLDING = "holding: waiting for analyzers";
    private static final Duration LAST_MOMENTS = Duration.ofSeconds(2);
    private final WorkerContext context;
    private final Outage redis = new Outage("redis");
    private final Outage reading = new Outage("kafka (requests)");
    private final Outage bodies = new Outage("kafka (bodies of requests)");
    private final Outage writing = new Outage("kafka (responses)");
    private final Thread opening;
    private volatile @Nullable Running running;
    private final DirectDownloads direct;
    private final FrontierWindow window;
    private volatile boolean stopped;

    /** Everything that runs, made when the topics are known. */
    private record Running(FrontierLoop frontier, RequestReader reader, AnswerWriter answers, List<Desk<?>> desks,
            HttpFetcher fetcher, Ownership ownership, BackPressure pressure, Backlogs backlogs, RequestBodies bodies,
            Unreadables unreadables, Thread readerThread) {}

    private Downloader(WorkerContext context) {
        this.context = context;
        this.direct = new DirectDownloads(context.mid(), context.counters(), context.time());
        this.window = new FrontierWindow(context.mid(), this::state, context.time());
        this.opening = Thread.ofPlatform().daemon().name("downloader").unstarted(this::open);
    }

    /** Makes downloaders. */
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
        HttpFetcher fetcher = HttpFetcher.open(context.settings(), context.time());
        CachedRobots robots = new CachedRobots(fetcher.web(), context.robots(), settings.robotsTtl(), context.time());
        RetryPolicy retries = new RetryPolicy(settings, () -> ThreadLocalRandom.current().nextDouble());
        QueueKeys keys = channels.politeness() == PolitenessKey.IP
                ? new AddressKeys(fetcher::addresses)
                : QueueKeys.by(channels.politeness());
        Frontier frontier = new Frontier(FrontierSettings.of(settings, levels, keys),
                new ControlledCrawls(context.control()),
                robots::cached, retries,
                context.counters());
        FrontierLoop loop = new FrontierLoop(frontier, context.time(), context.failures());
        Desk<Acknowledged> settling = desk("settle", SETTLED, new Settling(context.ledger(), context.marks(), this::lives,
                tickets -> loop.tell((f, now) -> f.answered(tickets, now))));
        Desk<Action.LookUp> lookUps = desk("look-up", LOOK_UPS, Hands.lookingUp(context.ledger(), loop));
        Desk<CrawlRun> refreshes = desk("refresh", LOOK_UPS, runs -> refresh(runs, loop));
        Closures closures = Closures.open(context.leases(), channels.generation(), context.time(),
                work -> desk("closures", LOOK_UPS, work));
        AnswerWriter answers = new AnswerWriter(() -> context.kafka().producer("answers-" + context.mid()),
                context.topics(), context.mid(),
                context.time(), writing, settling::add,
                e -> context.failures().fatal("answers cannot be written", e));
        Unreadables none = new Unreadables(context, answers, settling::add);
        Desk<Unreadable> unreadables = desk("unreadable", LOOK_UPS, none);
        Ownership ownership = new Ownership(context.leases(), settings.lease(), channels.generation(), loop, fetcher::cut, redis,
                context.time(), context.failures());
        String group = context.topics().downloaderGroup();
        var consumer = context.kafka().groupConsumer(group, context.mid().toString(), POLL_RECORDS);
        RequestReader reader = new RequestReader(consumer, topics, keys, loop,
                new PartitionTakeover(consumer, topics, group, ownership, context.marks(), redis, context.time(),
                        context.failures()),
                new Handover(ownership, context.leases(), channels.generation(), loop, context.time()),
                new Trimmer(context.kafka(), context.marks()), context.tracer(), reading, context.time(), context.failures());
        RequestBodies requestBodies = new RequestBodies(context.kafka().seeker("bodies-" + context.mid()), topics, loop,
                context.tracer(), bodies,
                context.time(), context.failures());
        DownloaderMetrics metrics = new DownloaderMetrics(context.meters(), levels, loop::status);
        Backlogs backlogs = new Backlogs(context.kafka().admin());
        BackPressure pressure = new BackPressure(
                new BackPressure.Limits(settings.responseBacklog(), settings.responseBacklogBytes()),
                () -> backlogs.of(context.topics().analyzerGroup(), context.topics().responses()), metrics::meanBody,
                on -> loop.tell((f, now) -> f.hold(on)), context.time());
        Hands hands = new Hands(loop, reader, requestBodies, topics, fetcher, robots, answers, unreadables, lookUps,
                settling, refreshes, closures, metrics, new DownloadSpans(context.tracer()));
        Thread.ofPlatform().daemon().name("frontier").start(() -> loop.run(hands));
        context.control().listen(command -> loop.tell((f, now) -> f.crawlsChanged(context.control().stopSigns(), now)));
        pressure.start();
        ownership.start();
        Thread.ofPlatform().daemon().name("bodies").start(requestBodies);
        Thread readerThread = Thread.ofPlatform().daemon().name("requests").start(reader);
        direct.open(loop, keys, channels);
        window.open(loop, keys, channels);
        running = new Running(loop, reader, answers, List.of(settling, lookUps, refreshes, unreadables, closures.desk()), fetcher,
                ownership,
                pressure, backlogs, requestBodies, none, readerThread);
    }

    private <T> Desk<T> desk(String name, int most, Consumer<List<T>> work) {
        return new Desk<>(name, most, work, redis, context.time(), e -> context.failures().fatal(name + " failed", e));
    }

    private boolean lives(CrawlRun run) {
        return context.control().standing(run) != Standing.OVER;
    }

    private void refresh(List<CrawlRun> runs, FrontierLoop loop) {
        try {
            context.control().refresh();
            runs.forEach(run -> loop.tell((f, now) -> f.refreshed(run, now)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String state() {
        if (stopped) {
            return "stopping";
        }
        if (redis.now()) {
            return "waiting for redis";
        }
        if (reading.now() || bodies.now() || writing.now()) {
            return "waiting for kafka";
        }
        Running now = running;
        if (now == null) {
            return "waiting for request topics";
        }
        Ownership.Count leases = now.ownership().count();
        if (leases.held() == 0 && leases.awaited() > 0) {
            return "waiting for leases";
        }
        return now.pressure().holding() ? HOLDING : "running";
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
            extra.put("answering", status.answering());
            extra.put("parked", status.parked());
            extra.put("partitions", status.partitions());
            Ownership.Count leases = now.ownership().count();
            extra.put("leases", Map.of("held", leases.held(), "awaited", leases.awaited()));
            extra.put("holding", now.pressure().holding());
            extra.put("unreadable", now.unreadables().count());
        }
        return extra;
    }

    @Override
    public Map<String, Long> deals() {
        Running now = running;
        return now == null ? Map.of() : now.frontier().status().deals();
    }

    @Override
    public List<DirectCall> calls() {
        return List.of(direct.call(), window.call());
    }

    /** New fetches end at once; the rest of the time is for those in flight, their answers, the last commit and leaving the group. */
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
            await(() -> last.frontier().status().stopping() && last.frontier().status().quiet(), end - LAST_MOMENTS.toNanos());
            last.reader().stop();
            last.readerThread().join(Duration.ofNanos(Math.max(LAST_MOMENTS.toNanos(), end - context.time().nanos())));
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
        last.desks().forEach(Desk::close);
        last.fetcher().close();
    }
}
