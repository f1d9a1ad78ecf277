package io.trawl.analyzer;

import io.trawl.analyzer.batch.Analysis;
import io.trawl.analyzer.batch.DirectAnalysis;
import io.trawl.analyzer.batch.Journal;
import io.trawl.analyzer.batch.Limits;
import io.trawl.analyzer.batch.Parsing;
import io.trawl.analyzer.batch.Ports;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.channel.BatchHandler;
import io.trawl.channel.BatchLoop;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TransactionalWriter;
import io.trawl.codec.Json;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.model.ModuleKind;
import io.trawl.model.Response;
import io.trawl.module.Counters;
import io.trawl.settings.Settings;
import io.trawl.worker.DealtByTurns;
import io.trawl.worker.DirectCall;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.errors.InterruptException;

/** One analyzer: a loop over {@code responses} on its own thread, and threads that parse. */
public final class Analyzer implements Stage {
    /** What a direct call says beside the response. */
    private static final int LARGEST_CALL = 1 << 20;
    private final WorkerContext context;
    private final Parsing parsing;
    private final Journal journal;
    private final DirectAnalysis directly;
    private final DirectCall direct;
    private final BatchLoop loop;
    private final DealtByTurns dealt;
    private final Thread thread;

    private Analyzer(WorkerContext context) {
        this.context = context;
        Settings.Analyzer settings = context.settings().analyzer();
        int threads = settings.threads() > 0 ? settings.threads() : Runtime.getRuntime().availableProcessors();
        AnalyzerMetrics metrics = new AnalyzerMetrics(context.meters());
        this.parsing = new Parsing(Parsers.among(context.plugins(), settings.linksPerPage()),
                new ParseThreads(threads, settings.parseTimeout(), context.time(), metrics::parsed));
        this.journal = new Journal(context.mid(), context.errors(), context.counters(), context.time());
        Ports ports = new Ports(context.control(), context.ledger(), context.domains(), context.tracer());
        this.directly = new DirectAnalysis(ports, parsing, Limits.of(context.settings()), settings.parseTimeout());
        this.loop = loop(metrics.timing(new Analysis(ports, parsing, Limits.of(context.settings()),
                context.topics(), journal, new SecureRandom()::nextLong)));
        this.dealt = new DealtByTurns(context.control(), loop::turns);
        this.direct = DirectCall.post(AnalyzeCall.PATH, FramedResponse.CONTENT_TYPE,
                KafkaClients.largestRecord(context.settings()) + LARGEST_CALL, this::analyze);
        this.thread = Thread.ofPlatform().name("analyzer").unstarted(this::work);
        metrics.measure(journal, parsing.threads());
    }

    /** Makes analyzers. */
    public static StageFactory factory() {
        return new StageFactory() {
            @Override
            public ModuleKind kind() {
                return ModuleKind.ANALYZER;
            }

            @Override
            public Stage create(WorkerContext context) {
                return new Analyzer(context);
            }
        };
    }

    private BatchLoop loop(BatchHandler analysis) {
        // The serial number in the MID is unique among live processes, so nobody else writes under this id.
        String instance = context.mid().kind().letter() + Long.toString(context.mid().serial());
        TransactionalWriter writer = new TransactionalWriter(
                () -> context.kafka().transactionalProducer(context.topics().analyzerTransactions(instance)), context.time());
        return new BatchLoop(
                context.kafka().groupConsumer(context.topics().analyzerGroup(), context.mid().toString(),
                        context.settings().analyzer().batch()),
                writer, analysis, List.of(context.topics().responses()), this::readControl, context.attempts(),
                context.time());
    }

    private void readControl() {
        try {
            context.control().refresh();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
    }

    /** {@code POST /analyze}. */
    private DirectCall.Answer analyze(DirectCall.Question question) throws InterruptedException {
        Counters counters = context.counters();
        counters.called(1);
        AnalyzeCall call = Json.read(FramedResponse.line(question.body()), AnalyzeCall.class);
        Response response = FramedResponse.read(FramedResponse.rest(question.body()));
        counters.accepted(1);
        boolean completed = false;
        try {
            DirectCall.Answer answer = DirectCall.Answer.json(Json.bytes(directly.of(call, response)));
            completed = true;
            return answer;
        } finally {
            counters.completed(completed ? 1 : 0);
            counters.failed(completed ? 0 : 1);
        }
    }

    @Override
    public List<DirectCall> calls() {
        return List.of(direct);
    }

    private void work() {
        try {
            loop.run();
        } catch (RuntimeException | Error e) {
            context.failures().fatal("the analyzer cannot go on", e);
        }
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public String state() {
        return loop.state();
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("threads", parsing.threads().threads());
        extra.put("stuckThreads", parsing.threads().stuck());
        extra.put("parsers", parsing.parsers().names());
        extra.put("pages", journal.pages());
        extra.put("pagesPerSecond", journal.pagesPerSecond());
        extra.put("requests", journal.requests());
        extra.put("unreadable", journal.unreadable());
        return extra;
    }

    /** An analyzer goes on with what is downloaded, so a stop sign has to wait only for the batch under way. */
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
        parsing.threads().close();
    }
}
