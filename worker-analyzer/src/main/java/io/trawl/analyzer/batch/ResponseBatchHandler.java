package io.trawl.analyzer.batch;

import io.trawl.admission.AcceptedDomains;
import io.trawl.analyzer.batch.AnalysisReport.UnreadableResponse;
import io.trawl.analyzer.loop.BatchHandler;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.Budget;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.api.Item;
import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.channel.offset.LayoutHeader;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlView;
import io.trawl.ledger.ResponseLayout;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import io.trawl.telemetry.ProcessLog.LogKeys;
import io.trawl.telemetry.Tracing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The analyzer's part of the protocol: turns a batch of responses into records. Handling is idempotent: retries and
 * other batch boundaries lead to the same decisions, because a response that is handled again finds its own offset in
 * the ledger. The handler announces requests to the ledger only after their commit. Confined to one thread.
 */
public final class ResponseBatchHandler implements BatchHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseBatchHandler.class);
    /**
     * Half of the consumer's poll interval: a batch that exceeded that interval would be redelivered to another member
     * again and again.
     */
    private static final Duration PARSING = Duration.ofSeconds(60);
    /** Below what a broker takes by default, 1 MiB. */
    private static final int LARGEST_VISIT = 1_000_000;
    private final AnalysisPorts analysisPorts;
    private final ParseThreads threads;
    private final TopicNames topicNames;
    private final PartitionCounts counts;
    private final RunBatch runs;
    private final AnalysisReport analysisReport;
    private final ItemWriter items;
    private final LedgerRecordBuilder ledger;

    /** @param ids supplies the ids of requests: never one twice, see {@link io.trawl.ledger.IdSequence} */
    public ResponseBatchHandler(AnalysisPorts analysisPorts, Parsing parsing, AnalysisLimits analysisLimits,
            TopicNames topicNames, AnalysisReport analysisReport, LongSupplier ids) {
        this.analysisPorts = analysisPorts;
        this.threads = parsing.threads();
        this.topicNames = topicNames;
        this.counts = new PartitionCounts(topicNames, analysisPorts.control()::channels);
        this.runs = new RunBatch(analysisPorts, parsing, analysisLimits, ids);
        this.analysisReport = analysisReport;
        this.items = new ItemWriter(topicNames.items(), analysisLimits.recordSize());
        this.ledger = new LedgerRecordBuilder(counts);
    }

    @Override
    public BatchOutput handle(List<ConsumerRecord<byte[], byte[]>> batch) {
        analysisReport.begin(batch.size());
        Budget budget = threads.budget(PARSING);
        try {
            AnalysisOutput analysisOutput = new AnalysisOutput();
            for (Map.Entry<CrawlRun, List<ReceivedResponse>> part : byRun(batch, analysisOutput).entrySet()) {
                Optional<CrawlStatus> crawl = current(part.getKey());
                if (crawl.isPresent()) {
                    analysisOutput.add(runs.of(crawl.get(), part.getValue(), channels().levels(), budget));
                }
            }
            return analysisOutput.outgoing();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public boolean alone(ConsumerRecord<byte[], byte[]> record) {
        return ResponseHeaders.alone(record.headers());
    }

    @Override
    public BatchOutput giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
        analysisReport.begin(1);
        try {
            AnalysisOutput analysisOutput = new AnalysisOutput();
            for (Map.Entry<CrawlRun, List<ReceivedResponse>> part : byRun(List.of(record), analysisOutput).entrySet()) {
                Optional<CrawlStatus> crawl = current(part.getKey());
                String url = part.getValue().getFirst().response().url();
                LOG.atError().addKeyValue(LogKeys.CRAWL, part.getKey().crawl()).addKeyValue(LogKeys.URL, url)
                        .log("giving up the response of {}", url);
                if (crawl.isPresent()) {
                    analysisOutput.add(runs.gaveUp(crawl.get(), part.getValue().getFirst(),
                            "given up after several attempts: " + cause));
                }
            }
            return analysisOutput.outgoing();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static InterruptException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new InterruptException(e);
    }

    /**
     * Groups the readable responses by run, in offset order within each partition. Unreadable records do not affect the
     * others.
     */
    private Map<CrawlRun, List<ReceivedResponse>> byRun(List<ConsumerRecord<byte[], byte[]>> batch,
            AnalysisOutput analysisOutput) throws InterruptedException {
        Map<CrawlRun, List<ReceivedResponse>> byRun = new LinkedHashMap<>();
        ResponseLayout layout = analysisPorts.control().responseLayout();
        long loss = analysisPorts.control().kafkaLoss().map(KafkaLoss::id).orElse(0L);
        for (ConsumerRecord<byte[], byte[]> record : batch) {
            LayoutHeader header = LayoutHeader.of(record.headers());
            OptionalLong position = layout.position(header.layout(), record.offset());
            if (position.isEmpty()) {
                analysisOutput.copy(record);
                continue;
            }
            try {
                ReceivedResponse receivedResponse = analysisOutput.begin(record, position.getAsLong());
                if (receivedResponse.response().outcome().kind() == OutcomeKind.DUPLICATE && header.loss() != loss) {
                    continue; // By facts of before a loss in Kafka: the request is answered again.
                }
                requireKnownDomains(receivedResponse.response().request());
                byRun.computeIfAbsent(receivedResponse.response().run(), run -> new ArrayList<>())
                        .add(receivedResponse);
            } catch (MalformedRecordException e) {
                analysisOutput.add(UnreadableResponse.of(record, e));
            }
        }
        byRun.values().forEach(list -> list.sort(
                Comparator.comparingInt(ReceivedResponse::partition).thenComparingLong(ReceivedResponse::position)));
        return byRun;
    }

    /**
     * The set of domains that admitted a request is in {@code control} before the request is in Kafka. The analyzer
     * would wait for a version that does not exist for ever. That of the domains of seeds is in the ledger.
     */
    private void requireKnownDomains(Request request) throws InterruptedException {
        ControlView control = analysisPorts.control();
        if (control.status(request.run()) == ControlView.RunStatus.PRESENT
                && request.domains() > control.domains(request.run()).version()
                && !control.acceptsSeeds(request.run())) {
            control.refresh();
            long newest = control.domains(request.run()).version();
            if (control.status(request.run()) == ControlView.RunStatus.PRESENT && request.domains() > newest) {
                throw new MalformedRecordException("domains: '" + request.domains() + "' is not valid: at most "
                        + newest + ", the newest version in control");
            }
        }
    }

    /**
     * The crawl, if this is its current run and not finished. Reads {@code control} to its end before it rejects a run,
     * because the definition or a new start may be newer than the local view. Late repeats of a finished run need no
     * analysis.
     */
    private Optional<CrawlStatus> current(CrawlRun run) throws InterruptedException {
        Optional<CrawlStatus> crawl = status(run);
        if (crawl.isEmpty()) {
            analysisPorts.control().refresh();
            crawl = status(run);
        }
        if (crawl.isEmpty()) {
            LOG.atInfo().addKeyValue(LogKeys.CRAWL, run.crawl())
                    .log("dropping responses of {}: the run is unknown or over", run);
        }
        return crawl;
    }

    private Optional<CrawlStatus> status(CrawlRun run) {
        ControlView control = analysisPorts.control();
        return control.status(run) == ControlView.RunStatus.PRESENT
                ? control.crawl(run.crawl()).filter(c -> !c.finished())
                : Optional.empty();
    }

    private Channels channels() throws InterruptedException {
        Optional<Channels> channels = analysisPorts.control().channels();
        if (channels.isEmpty()) {
            analysisPorts.control().refresh();
            channels = analysisPorts.control().channels();
        }
        return channels.orElseThrow(() -> new IllegalStateException("no coordinator has announced the request topics"));
    }

    /** The records of one transaction, and the facts to announce after its commit. */
    private final class AnalysisOutput {
        private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        private final Map<CrawlRun, List<Ledger.Fact>> facts = new LinkedHashMap<>();
        private final List<RunBatch.Result> results = new ArrayList<>();
        private final List<UnreadableResponse> unreadableResponses = new ArrayList<>();
        private int itemsCut;
        private final BatchSpans spans = new BatchSpans(analysisPorts.tracing());

        /** @throws MalformedRecordException if the record is not a response */
        ReceivedResponse begin(ConsumerRecord<byte[], byte[]> record, long position) {
            return spans.received(ReceivedResponse.of(record, position), record.headers());
        }

        /**
         * A response that was written when its layout had ended: it goes where responses go now, and nothing is learnt
         * of it.
         */
        void copy(ConsumerRecord<byte[], byte[]> record) {
            LOG.info("the response in partition {} at offset {} was written too late for its layout: it is copied",
                    record.partition(), record.offset());
            records.add(counts.response(record.key() == null ? new byte[0] : record.key(), record.value(),
                    record.headers(), true));
        }

        /**
         * Answers the request if it can be identified, since no other response will. The report follows after the
         * commit, so it happens once.
         */
        void add(UnreadableResponse unreadable) throws InterruptedException {
            unreadableResponses.add(unreadable);
            if (unreadable.header().isPresent() && current(unreadable.header().get().run()).isPresent()) {
                records.addAll(ledger.records(unreadable.header().get().answer()));
            }
        }

        void add(RunBatch.Result result) throws InterruptedException {
            Channels channels = channels();
            result.requests().forEach(request -> records
                    .add(HostPartitioner.record(topicNames, channels, request, spans.found(request))));
            result.visited().next().forEach(visit -> records.add(visit(visit)));
            result.visited().changes().forEach(change -> records.add(new ProducerRecord<>(topicNames.changes(), 0,
                    change.key().getBytes(StandardCharsets.UTF_8), Codec.encode(change))));
            result.pageResults().forEach(this::store);
            records.addAll(ledger.records(result.ledger()));
            facts.put(result.ledger().run(), result.facts());
            results.add(result);
        }

        /** The request of a seed may be as large as a record may be: what its next visit knows must fit, too. */
        private ProducerRecord<byte[], byte[]> visit(Request next) {
            byte[] whole = Codec.encode(next);
            return new ProducerRecord<>(topicNames.visits(), 0, null,
                    whole.length > LARGEST_VISIT ? Codec.encode(next.withoutOptions()) : whole);
        }

        private void store(PageResult pageResult) {
            TraceContext trace = spans.answered(pageResult.answered());
            pageResult.items().forEach(item -> {
                ItemWriter.Encoded encoded = items.encode(item, pageResult.cuts());
                itemsCut += encoded.cut() ? 1 : 0;
                analysisReport.encoded(encoded.record().value().length);
                Tracing.write(trace, encoded.record().headers());
                records.add(encoded.record());
            });
        }

        BatchOutput outgoing() {
            return new BatchOutput(records, this::committed);
        }

        private void committed() {
            analysisReport.committed(results, unreadableResponses, itemsCut);
            spans.end();
            facts.forEach((run, known) -> {
                if (!known.isEmpty()) {
                    announce(run, known);
                }
            });
        }

        private void announce(CrawlRun run, List<Ledger.Fact> known) {
            try {
                analysisPorts.ledger().learn(run, known);
            } catch (LedgerUnavailableException e) {
                // Harmless: these URLs may be requested once more, and the analyzer then recognises their responses.
                LOG.atWarn().addKeyValue(LogKeys.CRAWL, run.crawl()).log("cannot announce {} requests of {}: {}",
                        known.size(), run, e.getMessage());
            }
        }
    }

    /**
     * Encodes items within the record size limit: an item that is too large loses its Markdown, then its text, then the
     * texts of its links, then its links, then all optional fields, and names the budget {@code item} in {@code cuts}.
     */
    private static final class ItemWriter {
        private static final List<List<String>> IN_THIS_ORDER = List.of(List.of("markdown", "headingIds"),
                List.of("text"), List.of("anchors"), List.of("links"));
        private static final Set<String> REQUIRED = Set.of("status", "kind", "reason", "depth", "fetchedAt",
                "responseTime", "attempts", "bytes", "sha256", "encoding", "contentType", "noindex", "noText",
                "truncated", "parser", "type", "ordinal", "change", "visit", "changedFields", "previous", "movedTo");
        private final String topic;
        private final int largest;

        /** @param largest the limit for a record's value in bytes */
        ItemWriter(String topic, int largest) {
            this.topic = topic;
            this.largest = largest;
        }

        /** A record. @param cut whether the item was too large for it */
        record Encoded(ProducerRecord<byte[], byte[]> record, boolean cut) {}

        /** @param cuts the budgets that the page has exceeded already */
        Encoded encode(Item item, Set<PageBudget> cuts) {
            byte[] value = Codec.encode(item);
            boolean cut = value.length > largest;
            Map<String, Object> fields = new LinkedHashMap<>(item.fields());
            Set<PageBudget> all = new TreeSet<>(cuts);
            all.add(PageBudget.ITEM);
            for (int step = 0; value.length > largest && step <= IN_THIS_ORDER.size(); step++) {
                if (step < IN_THIS_ORDER.size()) {
                    IN_THIS_ORDER.get(step).forEach(fields::remove);
                } else {
                    fields.keySet().retainAll(REQUIRED);
                }
                ItemBuilder.cuts(fields, all);
                value = Codec.encode(item.withFields(fields));
            }
            return new Encoded(new ProducerRecord<>(topic, item.id().getBytes(StandardCharsets.UTF_8), value), cut);
        }
    }

    /** The parsers, their threads, and the digest of the plug-ins among them. */
    public record Parsing(Parsers parsers, ParseThreads threads, Optional<String> plugins) {}

    /** The services that an analysis calls. */
    public record AnalysisPorts(ControlView control, Ledger ledger, AcceptedDomains domains, Tracing tracing) {}
}
