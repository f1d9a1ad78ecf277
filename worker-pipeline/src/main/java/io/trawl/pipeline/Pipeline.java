package io.trawl.pipeline;

import io.trawl.pipeline.call.DiffCallHandler;
import io.trawl.pipeline.call.ItemCallHandler;
import io.trawl.pipeline.call.ProcessCallHandler;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.pipeline.spi.SinkProvider;
import io.trawl.pipeline.spi.SinkProvider.SinkSetup;
import io.trawl.pipeline.spi.SinkProvider.SinkReader;
import io.trawl.pipeline.store.Archive;
import io.trawl.pipeline.store.HandledRecord;
import io.trawl.pipeline.store.ItemHandler;
import io.trawl.pipeline.store.ItemLog;
import io.trawl.pipeline.store.ItemLoop;
import io.trawl.pipeline.store.KafkaSinkOffsets;
import io.trawl.pipeline.store.StoringSpans;
import io.trawl.api.Sink;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.http.Route;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.ModuleKind;
import io.trawl.module.ReportedState;
import io.trawl.module.Deal;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.store.KafkaSinkOffsets.KnownLoss;
import io.trawl.pipeline.manifest.FinishedRuns;
import io.trawl.pipeline.manifest.KeptRuns;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.read.ItemReader;
import io.trawl.pipeline.read.SinkFileReader;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FileRules;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.NotedEnds;
import io.trawl.pipeline.sink.RetriedSinks;
import io.trawl.pipeline.sink.SinkCalls;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.sink.StorageException;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.settings.SharedSetting;
import io.trawl.time.Time;
import io.trawl.worker.DrainedStopSigns;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.StageNote;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * The pipeline stage: consumes {@code items}, passes each item through the item processors and writes it to a file
 * exactly once. It continues to store items under a stop sign, so it deals with a sign as soon as the current records
 * are stored. Any number of pipelines share the partitions of {@code items} and one folder.
 */
public final class Pipeline implements Stage {
    private static final int MOST_RECORDS = 500;
    private final WorkerContext context;
    private final ProcessorChain chain;
    private final ProcessorChain tried;
    private final RetriedSinks sinks;
    private final ReportedState state = new ReportedState("pipeline");
    private final FileSink sink;
    private final ItemLoop<HandledRecord> loop;
    private final Archive archive;
    private final FinishedRuns finishedRuns;
    private final DrainedStopSigns stopSigns;
    private final Thread thread;

    private Pipeline(WorkerContext context, Function<Plugins, ProcessorChain> chains, FileOpener fileOpener,
            FaultPoint faults) {
        this.context = context;
        this.chain = chains.apply(context.plugins());
        this.tried = chains.apply(context.plugins());
        Time time = context.time();
        this.sinks = new RetriedSinks(sinks(context), new SinkCalls(context.settings().pipeline().sinkTimeout()),
                this::wanted, (crawl, cause) -> context.kafka().errors().report(error(crawl, Optional.empty(), cause)),
                (item, cause) -> error(item.crawl(), Optional.of(item.url()), cause), time::nanos);
        String topic = context.kafka().topics().items();
        Consumer<byte[], byte[]> consumer = context.kafka().clients()
                .groupConsumer(context.kafka().topics().pipelineGroup(), context.mid().toString(), MOST_RECORDS);
        String transactions = context.kafka().topics().pipelineTransactions(context.mid().instance());
        KafkaSinkOffsets offsets = new KafkaSinkOffsets(consumer,
                new TransactionalWriter(() -> context.kafka().clients().transactionalProducer(transactions),
                        context.kafka().positions(), context.kafka().writes(), time),
                context.kafka().counts(), new KnownLoss(context.control().kafkaLoss(), context.store().logEnds()),
                state);
        String nonce = UUID.randomUUID().toString().substring(0, 18);
        this.archive = new Archive(context, nonce, fileOpener, faults);
        this.sink = sink(nonce, new FileSink.SinkPorts(offsets, context.kafka().errors()::report,
                context.telemetry().counters(), time::nanos, fileOpener, faults, sinks));
        SinkFolder out = folder(context);
        this.finishedRuns = new FinishedRuns(context.control(), new ManifestWriter(out, faults),
                new KeptRuns(out.root(), List.of(out.owner())), sink.figures()::partitions, time);
        new PipelineMetrics(context.telemetry().meters(), sink.figures(), sinks).measure();
        StoringSpans spans = new StoringSpans(context.telemetry().tracing());
        this.loop = new ItemLoop<>(context, consumer, offsets, topic, sink,
                new ItemHandler(context, sink, chain, spans), spans, state,
                () -> context.control().stopped(context.mid()));
        this.stopSigns = new DrainedStopSigns(context.control(), loop::turns, context.telemetry().counters(),
                context.time(), context.mid(), () -> loop.away() && archive.away());
        this.thread = Thread.ofPlatform().daemon().name("pipeline").unstarted(this::run);
    }

    private static List<Sink> sinks(WorkerContext context) {
        SinkSetup setup = setup(context);
        return Stream.concat(context.plugins().of(SinkProvider.class).stream().map(provider -> provider.create(setup)),
                context.plugins().of(Sink.class).stream()).toList();
    }

    private static List<SinkReader> stored(WorkerContext context) {
        SinkSetup setup = setup(context);
        return context.plugins().of(SinkProvider.class).stream().flatMap(provider -> provider.stored(setup).stream())
                .toList();
    }

    /** The server of a sink may take so long for a request that some fit into the time of a call. */
    private static SinkSetup setup(WorkerContext context) {
        return new SinkSetup(CrawlVariables.ofProcess(), System.getenv(), new ItemLog(context)::name,
                context.settings().pipeline().sinkTimeout().multipliedBy(2).dividedBy(3), context.time());
    }

    private FileSink sink(String nonce, FileSink.SinkPorts sinkPorts) {
        Settings.PipelineSettings settings = context.settings().pipeline();
        NotedEnds ends = new NotedEnds();
        context.control().listen(record -> {
            if (record instanceof ItemEnds noted) {
                ends.note(noted.run(), noted.version(), noted.ends());
            }
        });
        return new FileSink(folder(context),
                new FileRules(settings.fileSize(), settings.fileIdle(), settings.fileAge(),
                        () -> context.inForce().number(SharedSetting.ITEM_BACKLOG),
                        () -> context.inForce().number(SharedSetting.ITEM_BACKLOG_BYTES), nonce,
                        run -> context.control().status(run) == RunStatus.OVER),
                ends, sinkPorts);
    }

    private static SinkFolder folder(WorkerContext context) {
        return new SinkFolder(context.settings().out(),
                SinkFolder.owner(context.identity().ids(), context.kafka().topics().namespace()),
                FileWriters.among(context.plugins()));
    }

    private boolean wanted(String key) {
        return context.control().crawl(new CrawlId(key.substring(0, key.indexOf('/')))).stream()
                .flatMap(status -> status.definition().sinks().stream())
                .anyMatch(sink -> !sink.skipped() && key.endsWith("/" + sink.named()));
    }

    private CrawlerError error(String crawl, Optional<String> url, String cause) {
        return CrawlerError.of(context.mid(), Optional.of(new CrawlId(crawl)), url, RetriedSinks.KIND, cause, 1,
                context.time().now());
    }

    /** The factory of pipelines with the item processors of the plug-ins. */
    public static StageFactory factory() {
        return factory(ProcessorChain::among, FileOpener.REAL, FaultPoint.NONE);
    }

    /**
     * A factory of pipelines with these parts.
     *
     * @param chain creates the item processors, from the plug-ins or otherwise; once more for previews
     * @param disk where files come from
     * @param faults called before each step of storing
     */
    public static StageFactory factory(Function<Plugins, ProcessorChain> chain, FileOpener fileOpener,
            FaultPoint faults) {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.PIPELINE;
            }

            /** A folder that cannot be written must stop the process before it joins the group. */
            @Override
            public void prepare(Settings settings, TopicNames topicNames, KafkaClients kafka, Time time) {
                SinkFolder.check(settings.out());
            }

            @Override
            public Stage create(WorkerContext context) {
                return new Pipeline(context, chain, fileOpener, faults);
            }
        };
    }

    @Override
    public void start() {
        thread.start();
        archive.start();
        finishedRuns.start();
    }

    private void run() {
        try {
            loop.run();
        } catch (StorageException e) {
            context.failures().fatal(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            // The grace period is over: the next owner reads the uncommitted records again.
        } catch (RuntimeException e) {
            context.failures().fatal("the pipeline cannot continue: " + e.getMessage(), e);
        } finally {
            sinks.close();
            state.is(Phase.STOPPED);
        }
    }

    @Override
    public StageState state() {
        StageState own = loop.state();
        return own == Phase.RUNNING ? archive.waits().orElse(own) : own;
    }

    /** Of sinks that fail: their items wait. */
    @Override
    public List<StageNote> notes() {
        return sinks.failing().entrySet().stream().map(failing -> new StageNote("sink " + failing.getKey(),
                "the sink " + failing.getKey() + " fails: " + failing.getValue())).toList();
    }

    @Override
    public Optional<List<String>> names() {
        return Optional.of(Stream.concat(chain.names().stream(), sinkTypes().stream()).toList());
    }

    private List<String> sinkTypes() {
        return Stream.concat(sinks.types().stream(), Stream.of(BuiltInSink.KAFKA.type())).sorted().toList();
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(sink.figures().all());
        extra.put("processors", chain.names());
        extra.put("sinks", sinkTypes());
        extra.put("sinksFailing", sinks.failing());
        extra.put("archive", archive.figures());
        return extra;
    }

    @Override
    public Optional<Long> waiting() {
        return Optional.of(sink.figures().waiting());
    }

    @Override
    public List<Deal> deals() {
        return stopSigns.deals();
    }

    @Override
    public List<Route> calls() {
        return List.of(
                new ItemCallHandler(new ItemReader(folder(context), context.time()::nanos),
                        new SinkFileReader(folder(context), context.time()::nanos), stored(context), context.control())
                        .call(),
                new DiffCallHandler(folder(context).root(), context.time()::nanos).call(),
                new ProcessCallHandler(tried, 2 * KafkaClients.largestRecord(context.settings())).call());
    }

    @Override
    public void stop(Duration grace) {
        finishedRuns.stop();
        loop.stop();
        archive.stop();
        long end = context.time().nanos() + grace.toNanos();
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
            }
            archive.await(Duration.ofNanos(Math.max(1, end - context.time().nanos())));
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
