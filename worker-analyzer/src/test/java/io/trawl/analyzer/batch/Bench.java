package io.trawl.analyzer.batch;

import io.trawl.admission.AcceptedDomains;
import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.ResponseBatchHandler.AnalysisPorts;
import io.trawl.analyzer.batch.ResponseBatchHandler.Parsing;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.api.Item;
import io.trawl.api.Page;
import io.trawl.api.Parsed;
import io.trawl.api.ResponseParser;
import io.trawl.analyzer.loop.BatchHandler.BatchOutput;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.definition.PageChange;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.MapLedger;
import io.trawl.model.CrawlerError;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.module.Counters;
import io.trawl.telemetry.Tracing;
import io.trawl.testkit.ListedControl;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** An analysis with an in-memory ledger that exposes all its output. */
final class Bench implements AutoCloseable {
    static final int LINKS = 1000;
    static final int NODES = 20_000;
    static final String A = "http://example.org/a";
    static final String B = "http://example.org/b";
    static final String C = "http://example.org/c";
    final ListedControl control = new ListedControl();
    final List<CrawlerError> errors = new ArrayList<>();
    final Counters counters = new Counters();
    final AnalysisReport analysisReport = new AnalysisReport(Fixtures.ANALYZER, errors::add, counters, Time.system());
    private final ParseThreads threads = Fixtures.threads(2, Duration.ofSeconds(5), Time.system());
    private final TopicNames topicNames = new TopicNames("t.");
    private final AtomicLong ids = new AtomicLong(1000);
    final ResponseBatchHandler responseBatchHandler;
    int questions;

    Bench(Ledger ledger, int recordSize) {
        this(ledger, recordSize, Tracing.OFF);
    }

    Bench(Ledger ledger, int recordSize, Tracing tracing, ResponseParser... plugins) {
        control.read(
                ChannelsBuilder.builder().version(1).generation(4).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build(),
                Fixtures.started(Fixtures.RUN, "{\"limits\":{\"depth\":3}}"),
                new Domains(Fixtures.RUN, 7, Set.of("example.org")));
        AcceptedDomains domains = (run, names, atLeast) -> {
            questions++;
            return new AcceptedDomains.DomainAnswer(java.util.Set.of("example.org"), 7);
        };
        List<ResponseParser> all = new ArrayList<>(List.of(plugins));
        all.addAll(List.of(new HtmlParser(NODES), new Failing()));
        Parsers parsers = new Parsers(all, LINKS);
        this.responseBatchHandler = new ResponseBatchHandler(new AnalysisPorts(control, ledger, domains, tracing),
                new Parsing(parsers, threads, Optional.empty()), new AnalysisLimits(2, 200, recordSize), topicNames,
                analysisReport, ids::incrementAndGet);
    }

    static Bench with(Ledger ledger) {
        return new Bench(ledger, 100_000);
    }

    static Bench fresh() {
        return with(new MapLedger());
    }

    /** A plug-in that fails on every page of type {@code test/bomb}, and takes all time for {@code test/endless}. */
    private static final class Failing implements ResponseParser {
        @Override
        public String name() {
            return "failing";
        }

        @Override
        public boolean handles(Page page) {
            return page.header("content-type").equals("test/bomb")
                    || page.header("content-type").equals("test/endless");
        }

        @Override
        public Parsed parse(Page page) {
            while (page.header("content-type").equals("test/endless")) {
                if (Thread.currentThread().isInterrupted()) {
                    break;
                }
            }
            throw new IllegalStateException("boom");
        }
    }

    static ConsumerRecord<byte[], byte[]> record(int partition, long offset, Response response) {
        ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>("t.responses", partition, offset,
                "example.org:80".getBytes(StandardCharsets.UTF_8), response.body().held());
        ResponseHeaders.of(response).forEach(record.headers()::add);
        return record;
    }

    static ConsumerRecord<byte[], byte[]> page(long offset, Request request, String html, String... headers) {
        Map<String, String> all = new java.util.HashMap<>(Map.of("content-type", "text/html"));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        return record(0, offset, Fixtures.response(request, new Outcome.Success(200, false), all,
                html.getBytes(StandardCharsets.UTF_8)));
    }

    static ConsumerRecord<byte[], byte[]> outcome(long offset, Request request, Outcome outcome) {
        return record(0, offset, Fixtures.response(request, outcome, Map.of(), new byte[0]));
    }

    /** A page with links to paths. */
    static String linking(String... paths) {
        StringBuilder html = new StringBuilder("<title>t</title>");
        Stream.of(paths).forEach(path -> html.append("<a href=\"").append(path).append("\">l</a>"));
        return html.toString();
    }

    /** The output of one batch. */
    record Written(BatchOutput outgoing) {
        private Stream<ProducerRecord<byte[], byte[]>> in(String begin) {
            return outgoing.records().stream().filter(r -> r.topic().startsWith(begin));
        }

        List<Request> requests() {
            return in("t.requests.").map(r -> Codec.request(r.value())).toList();
        }

        List<Request> visits() {
            return in("t.visits").map(r -> Codec.request(r.value())).toList();
        }

        List<PageChange> changes() {
            return in("t.changes").map(r -> Codec.change(r.value())).toList();
        }

        List<String> requestKeys() {
            return in("t.requests.").map(r -> new String(r.key(), StandardCharsets.UTF_8)).toList();
        }

        List<String> requestTopics() {
            return in("t.requests.").map(ProducerRecord::topic).distinct().toList();
        }

        List<String> urls() {
            return requests().stream().map(Request::url).toList();
        }

        List<Item> items() {
            return in("t.items").map(r -> Codec.item(r.value())).toList();
        }

        List<LedgerRecord> ledgers() {
            return in("t.ledger").map(r -> Codec.ledger(r.value())).toList();
        }

        LedgerRecord ledger() {
            return ledgers().getFirst();
        }

        List<Boolean> stored() {
            return ledger().answered().stream().map(LedgerRecord.AnsweredRequest::stored).toList();
        }
    }

    /** Handles a batch whose transaction then aborts. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    final Written handle(ConsumerRecord<byte[], byte[]>... batch) {
        return new Written(responseBatchHandler.handle(List.of(batch)));
    }

    /** Handles a batch and commits it. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    final Written commit(ConsumerRecord<byte[], byte[]>... batch) {
        Written written = handle(batch);
        written.outgoing().committed().run();
        return written;
    }

    @Override
    public void close() {
        threads.close();
    }
}
