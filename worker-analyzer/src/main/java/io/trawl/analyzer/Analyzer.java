package io.trawl.analyzer;

import io.trawl.ledger.IdSequence;
import io.trawl.analyzer.batch.AnalysisLimits;
import io.trawl.analyzer.batch.AnalysisReport;
import io.trawl.analyzer.batch.AnalyzeCallHandler;
import io.trawl.analyzer.batch.ResponseBatchHandler;
import io.trawl.analyzer.batch.ResponseBatchHandler.AnalysisPorts;
import io.trawl.analyzer.batch.ResponseBatchHandler.Parsing;
import io.trawl.analyzer.loop.ServedPartitions;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParseMemory;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.charset.WebCharset;
import io.trawl.analyzer.loop.BatchHandler;
import io.trawl.analyzer.loop.BatchLoop;
import io.trawl.channel.GroupMember;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.offset.TopicBacklog;
import io.trawl.channel.TransactionalWriter;
import io.trawl.codec.Json;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.memory.HeapShares;
import io.trawl.model.ModuleKind;
import io.trawl.model.Response;
import io.trawl.module.Counters;
import io.trawl.module.ReportedState;
import io.trawl.module.Deal;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.settings.Settings;
import io.trawl.settings.SharedSetting;
import io.trawl.worker.BackPressure;
import io.trawl.worker.BackPressure.Limits;
import io.trawl.worker.DrainedStopSigns;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/** The analyzer stage: one thread consumes {@code responses}, a pool of threads parses. */
public final class Analyzer implements Stage {
    /** Room for the call's JSON, in addition to the response. */
    private static final int LARGEST_CALL = 1 << 20;
    private final WorkerContext context;
    private final Parsing parsing;
    private final AnalysisReport analysisReport;
    private final StuckThreadLimit stuckThreadLimit;
    private final AnalyzeCallHandler callHandler;
    private final Route direct;
    private final ReportedState state = new ReportedState("analyzer");
    private final TopicBacklog itemBacklog;
    private final BackPressure pressure;
    private final BatchLoop loop;
    private final DrainedStopSigns stopSigns;
    private final Thread thread;

    private Analyzer(WorkerContext context) {
        this.context = context;
        Settings.AnalyzerSettings settings = context.settings().analyzer();
        int threads = settings.threads() > 0 ? settings.threads() : Runtime.getRuntime().availableProcessors();
        AnalyzerMetrics metrics = new AnalyzerMetrics(context.telemetry().meters());
        ParseMemory memory = new ParseMemory(HeapShares.ofThisJvm().parsing(), settings.nodesPerPage());
        this.parsing = new Parsing(Parsers.among(context.plugins(), settings.linksPerPage(), memory.mostNodes()),
                new ParseThreads(threads, settings.parseTimeout(), memory, context.time(), metrics::parsed),
                context.plugins().digest());
        this.stuckThreadLimit = new StuckThreadLimit(parsing.threads(), settings.stuckThreads(), context.failures());
        this.analysisReport = new AnalysisReport(context.mid(), context.kafka().errors(),
                context.telemetry().counters(), context.time());
        AnalysisPorts analysisPorts = new AnalysisPorts(context.control(), context.ledger(),
                context.store().acceptedDomains(context.control()), context.telemetry().tracing());
        this.callHandler = new AnalyzeCallHandler(analysisPorts, parsing, AnalysisLimits.of(context.settings()),
                settings.parseTimeout());
        this.itemBacklog = new TopicBacklog(context.kafka().clients().admin(), context.kafka().counts()::serves);
        this.pressure = new BackPressure(HoldReason.PIPELINES,
                () -> Limits.of(context.inForce(), SharedSetting.ITEM_BACKLOG, SharedSetting.ITEM_BACKLOG_BYTES),
                () -> itemBacklog.of(context.kafka().topics().pipelineGroup(), context.kafka().topics().items()),
                analysisReport::meanItem, context.telemetry().counters()::counts, () -> false, _ -> {}, context.time());
        this.loop = loop(stuckThreadLimit.checking(metrics.timing(new ResponseBatchHandler(analysisPorts, parsing,
                AnalysisLimits.of(context.settings()), context.kafka().topics(), analysisReport, new IdSequence()))));
        this.stopSigns = new DrainedStopSigns(context.control(), loop::turns, context.telemetry().counters(),
                context.time(), context.mid(), loop::away);
        this.direct = Route.post(AnalyzeCall.PATH, FramedResponse.CONTENT_TYPE,
                KafkaClients.largestRecord(context.settings()) + LARGEST_CALL, this::analyze);
        this.thread = Thread.ofPlatform().name("analyzer").unstarted(this::runLoop);
        metrics.measure(analysisReport, parsing.threads());
    }

    /** The factory of analyzers. */
    public static StageFactory factory() {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.ANALYZER;
            }

            @Override
            public Stage create(WorkerContext context) {
                // A process that cannot initialise what all pages need ends; later it would fail each page.
                WebCharset.forLabel("utf-8").orElseThrow();
                return new Analyzer(context);
            }
        };
    }

    private BatchLoop loop(BatchHandler analysis) {
        // The serial number in the MID is unique among live processes, so no other process uses this transactional id.
        TransactionalWriter writer = new TransactionalWriter(
                () -> context.kafka().clients()
                        .transactionalProducer(context.kafka().topics().analyzerTransactions(context.mid().instance())),
                context.kafka().positions(), context.kafka().writes(), context.time());
        GroupMember member = new GroupMember(
                context.kafka().clients().groupConsumer(context.kafka().topics().analyzerGroup(),
                        context.mid().toString(), context.settings().analyzer().batch()),
                List.of(context.kafka().topics().responses()), context.control(), context.time());
        return new BatchLoop(member, writer, analysis, context.store().attempts(), state, this::hold,
                new ServedResponses(), context.time());
    }

    /** A response is handled only if the layout that is known now has it below its limit. */
    private final class ServedResponses implements ServedPartitions {
        @Override
        public boolean serves(TopicPartition partition) {
            return context.kafka().counts().serves(partition);
        }

        @Override
        public void refresh() {
            readControl();
        }

        @Override
        public long limit(TopicPartition partition) {
            return context.control().responseLayout().limit(partition.partition());
        }
    }

    /** A sign of this module and memory count at once; how far pipelines are behind is looked up every second. */
    private Optional<HoldReason> hold() {
        if (context.control().stopped(context.mid())) {
            return Optional.of(HoldReason.STOP_SIGN);
        }
        return context.telemetry().heap().full() ? Optional.of(HoldReason.MEMORY) : pressure.reason();
    }

    private void readControl() {
        try {
            context.control().refresh();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** {@code POST /analyze}. */
    private CallResponse analyze(Call sent) throws InterruptedException {
        Counters counters = context.telemetry().counters();
        counters.called(1);
        AnalyzeCall call = Json.read(FramedResponse.line(sent.body()), AnalyzeCall.class);
        Response response = FramedResponse.read(FramedResponse.rest(sent.body()));
        counters.accepted(1);
        boolean completed = false;
        try {
            CallResponse callResponse = CallResponse.json(callHandler.of(call, response));
            completed = true;
            return callResponse;
        } finally {
            counters.completed(completed ? 1 : 0);
            counters.failed(completed ? 0 : 1);
            stuckThreadLimit.check();
        }
    }

    @Override
    public List<Route> calls() {
        return List.of(direct);
    }

    private void runLoop() {
        try {
            loop.run();
        } catch (RuntimeException | Error e) {
            context.failures().fatal("the analyzer cannot continue", e);
        }
    }

    @Override
    public void start() {
        pressure.start();
        thread.start();
    }

    @Override
    public StageState state() {
        return loop.state();
    }

    @Override
    public Optional<List<String>> names() {
        return Optional.of(parsing.parsers().names());
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("threads", parsing.threads().threads());
        extra.put("stuckThreads", parsing.threads().stuck());
        extra.put("parsers", parsing.parsers().names());
        extra.put("pages", analysisReport.pages());
        extra.put("pagesPerSecond", analysisReport.pagesPerSecond());
        extra.put("requests", analysisReport.requests());
        extra.put("unreadable", analysisReport.unreadable());
        Map<String, Long> cuts = new LinkedHashMap<>();
        for (PageBudget budget : PageBudget.values()) {
            cuts.put(budget.word(), analysisReport.cuts(budget));
        }
        extra.put("cuts", cuts);
        return extra;
    }

    /**
     * An analyzer continues to process downloaded responses, so it deals with a stop sign as soon as the current batch
     * is complete.
     */
    @Override
    public List<Deal> deals() {
        return stopSigns.deals();
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
        parsing.threads().close();
        pressure.close();
        itemBacklog.close();
    }
}
