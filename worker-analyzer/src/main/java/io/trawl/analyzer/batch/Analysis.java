package io.trawl.analyzer.batch;

import io.trawl.admission.HostKeys;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.Budget;
import io.trawl.channel.BatchHandler;
import io.trawl.channel.Outgoing;
import io.trawl.channel.Topics;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.log.LogKeys;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import io.trawl.trace.TraceHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The analyzer's part of the protocol: what a batch of responses leads to. The same records lead to the same decisions however often they are handled and
 * however the batches are cut, because a response that is handled again finds its own offset in the ledger. Nothing that is only about to be written is
 * told to anybody; the committed requests are announced to the ledger after the commit. Called by one thread.
 */
public final class Analysis implements BatchHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Analysis.class);
    /** Half of what a member of the group has between two polls: a batch that takes longer would be read again by another, without end. */
    private static final Duration PARSING = Duration.ofSeconds(60);
    private final Ports ports;
    private final ParseThreads threads;
    private final Topics topics;
    private final RunAnalysis runs;
    private final Journal journal;
    private final ItemWriter items;
    private final LedgerEntries ledger;

    /** @param ids random 64-bit numbers, unpredictable and never repeated: the ids of requests */
    public Analysis(Ports ports, Parsing parsing, Limits limits, Topics topics, Journal journal, LongSupplier ids) {
        this.ports = ports;
        this.threads = parsing.threads();
        this.topics = topics;
        this.runs = new RunAnalysis(ports, parsing, limits, ids);
        this.journal = journal;
        this.items = new ItemWriter(topics.items(), limits.recordSize());
        this.ledger = new LedgerEntries(topics.ledger());
    }

    @Override
    public Outgoing handle(List<ConsumerRecord<byte[], byte[]>> batch) {
        journal.begin(batch.size());
        Budget budget = threads.budget(PARSING);
        try {
            Out out = new Out();
            for (Map.Entry<CrawlRun, List<Received>> part : byRun(batch, out).entrySet()) {
                Optional<CrawlStatus> crawl = present(part.getKey());
                if (crawl.isPresent()) {
                    out.add(runs.of(part.getKey(), crawl.get().definition(), part.getValue(), channels().levels(),
                            budget));
                }
            }
            return out.outgoing();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public Outgoing giveUp(ConsumerRecord<byte[], byte[]> record, RuntimeException cause) {
        journal.begin(1);
        try {
            Out out = new Out();
            for (Map.Entry<CrawlRun, List<Received>> part : byRun(List.of(record), out).entrySet()) {
                Optional<CrawlStatus> crawl = present(part.getKey());
                String url = part.getValue().getFirst().response().url();
                LOG.atError().addKeyValue(LogKeys.CRAWL, part.getKey().crawl()).addKeyValue(LogKeys.URL, url)
                        .log("the response of {} is given up", url);
                if (crawl.isPresent()) {
                    out.add(runs.gaveUp(part.getKey(), crawl.get().definition(), part.getValue().getFirst(),
                            "given up after several attempts: " + cause));
                }
            }
            return out.outgoing();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static InterruptException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new InterruptException(e);
    }

    /** What can be decoded, by run, each in offset order within its partition. What cannot costs only itself. */
    private Map<CrawlRun, List<Received>> byRun(List<ConsumerRecord<byte[], byte[]>> batch, Out out) throws InterruptedException {
        Map<CrawlRun, List<Received>> byRun = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : batch) {
            try {
                Received received = out.begin(record);
                byRun.computeIfAbsent(received.response().run(), run -> new ArrayList<>()).add(received);
            } catch (MalformedRecord e) {
                out.add(Unreadable.of(record, e));
            }
        }
        byRun.values()
                .forEach(list -> list.sort(Comparator.comparingInt(Received::partition).thenComparingLong(Received::offset)));
        return byRun;
    }

    /**
     * The crawl, if the run is its present one and not finished. Whatever speaks against it is believed only after reading {@code control} to its end: the
     * definition, or a new start, may be younger than what was read so far. A finished run's late repeats would only be analysed for nothing.
     */
    private Optional<CrawlStatus> present(CrawlRun run) throws InterruptedException {
        Optional<CrawlStatus> crawl = standing(run);
        if (crawl.isEmpty()) {
            ports.control().refresh();
            crawl = standing(run);
        }
        if (crawl.isEmpty()) {
            LOG.atInfo().addKeyValue(LogKeys.CRAWL, run.crawl())
                    .log("responses of {} are dropped: the run is unknown or over", run);
        }
        return crawl;
    }

    private Optional<CrawlStatus> standing(CrawlRun run) {
        ControlView control = ports.control();
        return control.standing(run) == ControlView.Standing.PRESENT
                ? control.crawl(run.crawl()).filter(c -> !c.finished())
                : Optional.empty();
    }

    private Channels channels() throws InterruptedException {
        Optional<Channels> channels = ports.control().channels();
        if (channels.isEmpty()) {
            ports.control().refresh();
            channels = ports.control().channels();
        }
        return channels.orElseThrow(() -> new IllegalStateException("no coordinator has said which request topics there are"));
    }

    /** The records of one transaction, and what is announced after it. */
    private final class Out {
        private final List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        private final Map<CrawlRun, List<Ledger.Fact>> facts = new LinkedHashMap<>();
        private final List<RunAnalysis.Result> results = new ArrayList<>();
        private final List<Unreadable> unreadable = new ArrayList<>();
        private final BatchSpans spans = new BatchSpans(ports.tracer());

        /** @throws MalformedRecord if the record is no response */
        Received begin(ConsumerRecord<byte[], byte[]> record) {
            return spans.received(Received.of(record), record.headers());
        }

        /** Answered if it can be said which request it belongs to, or nobody would ever do it; reported after the commit, so once. */
        void add(Unreadable none) throws InterruptedException {
            unreadable.add(none);
            if (none.remains().isPresent() && present(none.remains().get().run()).isPresent()) {
                records.addAll(ledger.records(none.remains().get().answer()));
            }
        }

        void add(RunAnalysis.Result result) throws InterruptedException {
            Channels channels = channels();
            for (Request request : result.requests()) {
                // No partition: equal keys and equal partition counts give equal numbers in the topics of all priorities.
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        topics.requests(channels.generation(), request.priority()),
                        HostKeys.politeness(request.host(), channels.politeness()).value().getBytes(StandardCharsets.UTF_8),
                        Codec.encode(request));
                TraceHeaders.write(spans.found(request), record.headers());
                records.add(record);
            }
            result.findings().forEach(this::store);
            records.addAll(ledger.records(result.ledger()));
            facts.put(result.ledger().run(), result.facts());
            results.add(result);
        }

        private void store(Finding finding) {
            TraceContext trace = spans.answered(finding.answered());
            finding.item().ifPresent(item -> {
                ProducerRecord<byte[], byte[]> record = items.record(item);
                TraceHeaders.write(trace, record.headers());
                records.add(record);
            });
        }

        Outgoing outgoing() {
            return new Outgoing(records, this::committed);
        }

        private void committed() {
            journal.committed(results, unreadable);
            spans.end();
            facts.forEach((run, known) -> {
                if (!known.isEmpty()) {
                    announce(run, known);
                }
            });
        }

        private void announce(CrawlRun run, List<Ledger.Fact> known) {
            try {
                ports.ledger().learn(run, known);
            } catch (LedgerUnavailable e) {
                // Knowing less is harmless: these URLs may be requested once more and are then recognised by their responses.
                LOG.atWarn().addKeyValue(LogKeys.CRAWL, run.crawl())
                        .log("{} requests of {} could not be announced: {}", known.size(), run, e.getMessage());
            }
        }
    }
}
