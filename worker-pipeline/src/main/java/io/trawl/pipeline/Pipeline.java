package io.trawl.pipeline;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlView.Standing;
import io.trawl.model.ModuleKind;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.Disk;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.NotedEnds;
import io.trawl.pipeline.sink.OutFolder;
import io.trawl.pipeline.sink.StorageFailure;
import io.trawl.time.Time;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.worker.DealtByTurns;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * The stage that stores: reads {@code items}, leads each item through the item processors, writes it into a file exactly once. It goes on storing what
 * is there whatever stop sign stands, so it deals with a sign when the records in hand are done. Any number of them share the partitions of {@code items} and one folder.
 */
public final class Pipeline implements Stage {
    private static final int MOST_RECORDS = 500;
    private static final Duration TRIM = Duration.ofMinutes(1);
    private final WorkerContext context;
    private final ProcessorChain chain;
    private final StageState state = new StageState();
    private final Admin admin;
    private final FileSink sink;
    private final ItemLoop loop;
    private final DealtByTurns dealt;
    private final Thread thread;

    private Pipeline(WorkerContext context, ProcessorChain chain, Disk disk, FaultPoint faults) {
        this.context = context;
        this.chain = chain;
        Time time = context.time();
        String topic = context.topics().items();
        this.admin = context.kafka().admin();
        Consumer<byte[], byte[]> consumer = context.kafka().groupConsumer(context.topics().pipelineGroup(),
                context.mid().toString(), MOST_RECORDS);
        this.sink = sink(
                new FileSink.Ports(new KafkaOffsets(consumer, topic, time, state), context.errors()::report, context.counters(),
                        time::nanos, disk, faults));
        new PipelineMetrics(context.meters(), sink.figures()).measure();
        StoringSpans spans = new StoringSpans(context.tracer());
        ItemHandler handler = new ItemHandler(sink, chain, context.control(), context.counters(), context.mid(), time,
                spans);
        this.loop = new ItemLoop(consumer, topic, sink, handler, spans, new Trimmer(admin, topic, TRIM, time::nanos), state,
                time);
        this.dealt = new DealtByTurns(context.control(), loop::turns);
        this.thread = Thread.ofPlatform().daemon().name("pipeline").unstarted(this::run);
    }

    private FileSink sink(FileSink.Ports ports) {
        Settings.Pipeline settings = context.settings().pipeline();
        NotedEnds ends = new NotedEnds();
        context.control().listen(record -> {
            if (record instanceof ItemEnds noted) {
                ends.note(noted.run(), noted.version(), noted.ends());
            }
        });
        String nonce = UUID.randomUUID().toString().substring(0, 18);
        return new FileSink(new OutFolder(context.settings().out()),
                new FileSink.Rules(settings.fileSize(), settings.fileIdle(), nonce,
                        run -> context.control().standing(run) == Standing.OVER),
                ends, ports);
    }

    /** Makes pipelines with the item processors of the plugins. */
    public static StageFactory factory() {
        return factory(ProcessorChain::among, Disk.REAL, FaultPoint.NONE);
    }

    /**
     * Makes pipelines with these parts.
     *
     * @param chain makes the item processors, of the plugins or other ones
     * @param disk where files come from
     * @param faults called between the steps of storing
     */
    public static StageFactory factory(Function<Plugins, ProcessorChain> chain, Disk disk, FaultPoint faults) {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.PIPELINE;
            }

            /** A folder that cannot be written must stop the process before it joins anything. */
            @Override
            public void prepare(Settings settings, Topics topics, KafkaClients kafka, Time time) {
                new OutFolder(settings.out()).check();
            }

            @Override
            public Stage create(WorkerContext context) {
                return new Pipeline(context, chain.apply(context.plugins()), disk, faults);
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
        } catch (StorageFailure e) {
            context.failures().fatal(e.getMessage(), e);
        } catch (InterruptedException e) {
            // The grace period is over: what was not committed is read again by the next owner.
        } catch (RuntimeException e) {
            context.failures().fatal("the pipeline cannot go on: " + e.getMessage(), e);
        } finally {
            state.is(StageState.STOPPED);
            admin.close(Duration.ZERO);
        }
    }

    @Override
    public String state() {
        return state.now();
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>(sink.figures().all());
        extra.put("processors", chain.names());
        return extra;
    }

    @Override
    public Map<String, Long> deals() {
        return dealt.deals();
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
}
