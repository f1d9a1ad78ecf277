package io.trawl.pipeline.store;

import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.offset.StoredPosition;
import io.trawl.channel.offset.TopicBacklog;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.module.Counters;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.pipeline.store.KafkaSinkOffsets.KnownLoss;
import io.trawl.pipeline.store.ResponseHandler.ReadResponse;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FileRules;
import io.trawl.pipeline.sink.FileSink;
import io.trawl.pipeline.sink.NotedEnds;
import io.trawl.pipeline.sink.RetriedSinks;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.sink.StorageException;
import io.trawl.settings.Settings;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of the archive group: stores responses in WARC files exactly once, by the steps of the file sink. It exists
 * in every pipeline, and has no thread and no client before a crawl has an archive; while no unfinished crawl has one,
 * it is no member of its group. Thread-safe.
 */
public final class Archive {
    private static final Logger LOG = LoggerFactory.getLogger(Archive.class);
    private static final int MOST_RECORDS = 100;
    private final WorkerContext context;
    private final FileOpener fileOpener;
    private final FaultPoint faults;
    private final String nonce;
    private final NotedEnds ends = new NotedEnds();
    private final ReportedState state = new ReportedState("archive");
    private final AtomicBoolean needed = new AtomicBoolean();
    private volatile boolean stopped;
    private volatile Optional<Running> running = Optional.empty();

    private record Running(ItemLoop<ReadResponse> loop, FileSink sink, Thread thread) {}

    /** @param nonce of this process */
    public Archive(WorkerContext context, String nonce, FileOpener fileOpener, FaultPoint faults) {
        this.context = context;
        this.nonce = nonce;
        this.fileOpener = fileOpener;
        this.faults = faults;
    }

    /** Begins as soon as a crawl has an archive. */
    public void start() {
        context.control().listen(record -> {
            if (record instanceof ItemEnds noted) {
                ends.note(noted.run(), noted.version(), noted.responses());
            }
            if (record instanceof CrawlStatus crawl && crawl.archives() && needed.compareAndSet(false, true)) {
                Thread.ofPlatform().daemon().name("archive").start(this::run);
            }
        });
    }

    private void run() {
        try {
            SinkFolder folder = SinkFolder.ofArchives(context.settings().out(),
                    SinkFolder.owner(context.identity().ids(), context.kafka().topics().namespace()),
                    FileWriters.among(context.plugins()));
            Consumer<byte[], byte[]> consumer = context.kafka().clients()
                    .groupConsumer(context.kafka().topics().archiveGroup(), context.mid().toString(), MOST_RECORDS);
            KafkaSinkOffsets offsets = offsets(consumer);
            FileSink sink = sink(folder, offsets);
            ItemLoop<ReadResponse> loop = new ItemLoop<>(context, consumer, offsets,
                    context.kafka().topics().responses(), sink,
                    new ResponseHandler(sink, context.control(), folder.owner(), context.time()),
                    new StoringSpans(context.telemetry().tracing()), state, this::leaves);
            running = Optional.of(new Running(loop, sink, Thread.currentThread()));
            if (stopped) {
                loop.stop();
            }
            loop.run();
        } catch (StorageException e) {
            context.failures().fatal(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            // The grace period is over: the next owner reads the uncommitted records again.
        } catch (RuntimeException e) {
            context.failures().fatal("the archive cannot continue: " + e.getMessage(), e);
        }
    }

    private boolean leaves() {
        return context.control().stopped(context.mid()) || !context.control().archives();
    }

    private KafkaSinkOffsets offsets(Consumer<byte[], byte[]> consumer) {
        String transactions = context.kafka().topics().archiveTransactions(context.mid().instance());
        return new KafkaSinkOffsets(consumer,
                new TransactionalWriter(() -> context.kafka().clients().transactionalProducer(transactions),
                        context.kafka().positions(), context.kafka().writes(), context.time()),
                context.kafka().counts(), new KnownLoss(context.control().kafkaLoss(), context.store().logEnds()),
                context.kafka().topics().responses(), Archive::begin, state);
    }

    /** Responses that were deleted while no crawl had an archive. */
    private static StoredPosition begin(int partition, StoredPosition position, long start) {
        if (position.front() < start && start > 0) {
            LOG.warn(
                    "partition {} of the responses is archived from offset {}: {} responses before it were handled and deleted while"
                            + " no crawl had an archive, and are in none",
                    partition, start, start - Math.max(0, position.front()));
            return position.from(start);
        }
        return position;
    }

    private FileSink sink(SinkFolder folder, KafkaSinkOffsets offsets) {
        Settings.PipelineSettings settings = context.settings().pipeline();
        return new FileSink(folder,
                new FileRules(settings.fileSize(), settings.fileIdle(), settings.fileAge(),
                        () -> TopicBacklog.ARCHIVE_ALLOWANCE * context.inForce().number(SharedSetting.RESPONSE_BACKLOG),
                        () -> context.inForce().number(SharedSetting.RESPONSE_BACKLOG_BYTES), nonce,
                        run -> context.control().status(run) == RunStatus.OVER),
                ends, new FileSink.SinkPorts(offsets, context.kafka().errors()::report, new Counters(),
                        context.time()::nanos, fileOpener, faults, RetriedSinks.none(context.time()::nanos)));
    }

    /** What it waits for; empty if it works, or has nothing to do. */
    public Optional<StageState> waits() {
        return running.map(member -> member.loop().state()).filter(WaitingFor.class::isInstance);
    }

    /** Whether it is no member of its group. */
    public boolean away() {
        return !needed.get() || running.filter(member -> member.loop().away()).isPresent();
    }

    /** Its counters; empty if it never began. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        running.ifPresent(member -> {
            figures.put("state", state.now().toString());
            figures.putAll(member.sink().figures().all());
        });
        return figures;
    }

    /** Makes it finish its files and leave its group; returns at once. */
    public void stop() {
        stopped = true;
        running.ifPresent(member -> member.loop().stop());
    }

    /** Waits until it has stopped, and interrupts it then. */
    public void await(Duration grace) throws InterruptedException {
        if (running.isPresent() && !running.get().thread().join(grace)) {
            running.get().thread().interrupt();
        }
    }
}
