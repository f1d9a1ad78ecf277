package io.trawl.pipeline;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.api.Sink;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.http.DirectCall;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.ModuleKind;
import io.trawl.module.ReportedState;
import io.trawl.module.Deal;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.read.ItemReader;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FileRules;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.NotedEnds;
import io.trawl.pipeline.sink.PluginSinks;
import io.trawl.pipeline.sink.SinkCounts;
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
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * The pipeline stage: consumes {@code items}, passes each item through the item processors and writes it to a file
 * exactly once. It continues to store items under a stop sign, so it deals with a sign as soon as the current records
 * are stored. Any number of pipelines share the partitions of {@code items} and one folder.
 */
public final class Pipeline implements Stage {
    private static final int MOST_RECORDS = 500;
    /** The kind of error of a sink that fails. */
    private static final String SINK = "SINK";
    private final WorkerContext context;
    private final ProcessorChain chain;
    private final ProcessorChain tried;
    private final PluginSinks plugins;
    private final ReportedState state = new ReportedState("pipeline");
    private final FileSink sink;
    private final ItemLoop loop;
    private final DrainedStopSigns stopSigns;
    private final Thread thread;

    private Pipeline(WorkerContext context, Function<Plugins, ProcessorChain> chains, FileOpener fileOpener, FaultPoint faults) {
        this.context = context;
        this.chain = chains.apply(context.plugins());
        this.tried = chains.apply(context.plugins());
        Time time = context.time();
        this.plugins = new PluginSinks(context.plugins().of(Sink.class), this::wanted, this::report, time::nanos);
        String topic = context.topics().items();
        Consumer<byte[], byte[]> consumer = context.kafka().groupConsumer(context.topics().pipelineGroup(),
                context.mid().toString(), MOST_RECORDS);
        String transactions = context.topics().pipelineTransactions(context.mid().instance());
        KafkaSinkOffsets offsets = new KafkaSinkOffsets(consumer,
                new TransactionalWriter(() -> context.kafka().transactionalProducer(transactions), context.positions(), time),
                context.topics(), state);
        this.sink = sink(new FileSink.SinkPorts(offsets, context.errors()::report, context.counters(), time::nanos, fileOpener,
                faults, plugins));
        new PipelineMetrics(context.meters(), sink.figures()).measure();
        StoringSpans spans = new StoringSpans(context.tracing());
        ItemHandler handler = new ItemHandler(sink, chain, context.control(), context.counters(), context.mid(), time,
                spans, new UniqueItems(context.firstItems()));
        this.loop = new ItemLoop(consumer, offsets, topic, sink, handler, spans, state, context.heap()::full,
                () -> context.control().stopped(context.mid()), context.counts()::serves, time);
        this.stopSigns = new DrainedStopSigns(context.control(), loop::turns, context.counters(), context.time(),
                context.mid(), loop::away);
        this.thread = Thread.ofPlatform().daemon().name("pipeline").unstarted(this::run);
    }

    private FileSink sink(FileSink.SinkPorts sinkPorts) {
        Settings.PipelineSettings settings = context.settings().pipeline();
        NotedEnds ends = new NotedEnds();
        context.control().listen(record -> {
            if (record instanceof ItemEnds noted) {
                ends.note(noted.run(), noted.version(), noted.ends());
            }
        });
        String nonce = UUID.randomUUID().toString().substring(0, 18);
        return new FileSink(new SinkFolder(context.settings().out(),
                SinkFolder.owner(context.cluster(), context.topics().namespace())),
                new FileRules(settings.fileSize(), settings.fileIdle(), settings.fileAge(),
                        () -> context.inForce().number(SharedSetting.ITEM_BACKLOG),
                        () -> context.inForce().number(SharedSetting.ITEM_BACKLOG_BYTES), nonce,
                        run -> context.control().standing(run) == RunStatus.OVER,
                        () -> context.control().kafkaLoss().map(KafkaLoss::at)),
                ends, sinkPorts);
    }

    private boolean wanted(String key) {
        return context.control().crawl(new CrawlId(key.substring(0, key.indexOf('/')))).stream()
                .flatMap(status -> status.definition().sinks().stream())
                .anyMatch(sink -> !sink.skipped() && key.endsWith("/" + sink.named()));
    }

    private void report(String crawl, String cause) {
        context.errors().report(CrawlerError.of(context.mid(), Optional.of(new CrawlId(crawl)), Optional.empty(), SINK, cause, 1,
                context.time().now()));
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
    public static StageFactory factory(Function<Plugins, ProcessorChain> chain, FileOpener fileOpener, FaultPoint faults) {
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
            plugins.close();
            state.is(Phase.STOPPED);
        }
    }

    @Override
    public StageState state() {
        return state.now();
    }

    @Override
    public Optional<List<String>> names() {
        return Optional.of(Stream.concat(chain.names().stream(), plugins.types().stream()).toList());
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(sink.figures().all());
        extra.put("processors", chain.names());
        extra.put("sinks", plugins.types());
        extra.put("sinksFailing", plugins.failing());
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
    public List<DirectCall> calls() {
        return List.of(new ItemCallHandler(new ItemReader(context.settings().out(), context.time()::nanos)).call(),
                new ProcessCallHandler(tried, 2 * KafkaClients.largestRecord(context.settings())).call());
    }

    @Override
    public void stop(Duration grace) {
        loop.stop();
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    /** The pipeline's metrics. */
    private static final class PipelineMetrics {
        private final MeterRegistry meters;
        private final SinkCounts figures;

        PipelineMetrics(MeterRegistry meters, SinkCounts figures) {
            this.meters = meters;
            this.figures = figures;
        }

        void measure() {
            counter("trawl.pipeline.items", "Lines written: items and errors", SinkCounts::lines);
            counter("trawl.pipeline.bytes", "Bytes written", SinkCounts::bytes);
            counter("trawl.pipeline.files", "Files finished", SinkCounts::finished);
            Gauge.builder("trawl.pipeline.items.waiting", figures, SinkCounts::waiting)
                    .description("Items of its partitions that this pipeline has not read").register(meters);
            Gauge.builder("trawl.pipeline.files.open", figures, SinkCounts::open).description("Files open for writing")
                    .register(meters);
            Gauge.builder("trawl.pipeline.partitions", figures, f -> f.partitions().size())
                    .description("Partitions of the items topic that this pipeline stores").register(meters);
        }

        private void counter(String name, String description, ToDoubleFunction<SinkCounts> value) {
            FunctionCounter.builder(name, figures, value).description(description).register(meters);
        }
    }
}
