package io.trawl.coordinator.seed;

import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.HostKeys;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.channel.Topics;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.lifecycle.Lifecycle;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.lifecycle.SeedRules;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.queue.Room;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.InvalidValue;
import io.trawl.model.MID;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Seed;
import io.trawl.model.TraceContext;
import io.trawl.time.Time;
import io.trawl.trace.Span;
import io.trawl.trace.SpanName;
import io.trawl.trace.TraceHeaders;
import io.trawl.trace.Tracer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Judges what users have written to {@code seeds} (S8). A seed becomes a request of its crawl's present run unless a rule refuses it; every refusal is
 * counted, and every one but SEEN is reported with the coordinates of the record. Room is asked for last, so that only what would become a request needs
 * any. A seed of a crawl that is finished starts it again; that of a crawl
 * which is stopped for another reason waits in its request topic until somebody starts the crawl. Belongs to the leader's thread.
 */
public final class SeedAdmission {
    private final Admission admission;
    private final Ledger ledger;
    private final Book book;
    private final Capacity capacity;
    private final Topics topics;
    private final MID mid;
    private final LongSupplier ids;
    private final Time time;
    private final Tracer tracer;

    /** @param ids random: one per request */
    public SeedAdmission(Admission admission, Ledger ledger, Book book, Capacity capacity, Topics topics, MID mid,
            LongSupplier ids, Time time, Tracer tracer) {
        this.admission = admission;
        this.ledger = ledger;
        this.book = book;
        this.capacity = capacity;
        this.topics = topics;
        this.mid = mid;
        this.ids = ids;
        this.time = time;
        this.tracer = tracer;
    }

    /**
     * Judges a batch. Changes nothing: all that follows from it is in the answer.
     *
     * @throws io.trawl.ledger.LedgerUnavailable if the ledger does not answer; nothing may be concluded
     * @throws org.apache.kafka.common.KafkaException if the broker does not say what waits; nothing may be concluded
     */
    public AdmittedSeeds judge(List<ConsumerRecord<byte[], byte[]>> batch, Channels channels) throws InterruptedException {
        Judging judging = new Judging(channels);
        batch.forEach(judging::judge);
        return judging.result(batch);
    }

    /** Refuses a seed that nothing is wrong with but that Kafka takes no request of its size. Changes nothing, as {@link #judge}. */
    public AdmittedSeeds tooLarge(ConsumerRecord<byte[], byte[]> entry, Channels channels) throws InterruptedException {
        Judging judging = new Judging(channels);
        judging.tooLarge(entry);
        return judging.result(List.of(entry));
    }

    /** One batch. */
    private final class Judging {
        private final Channels channels;
        private final Map<CrawlId, RunSeeds> runs = new LinkedHashMap<>();
        private final List<CrawlerError> errors = new ArrayList<>();

        Judging(Channels channels) {
            this.channels = channels;
        }

        void judge(ConsumerRecord<byte[], byte[]> entry) {
            Seed seed;
            try {
                seed = Codec.seed(
                        Optional.ofNullable(entry.value()).orElseThrow(() -> new MalformedRecord("the record has no value")));
            } catch (MalformedRecord e) {
                report(entry, Optional.empty(), Optional.empty(),
                        new Refused(RefusalReason.MALFORMED, "not a seed: " + e.getMessage()));
                return;
            }
            Optional<CrawlStatus> status = seed.crawl().flatMap(SeedAdmission::id).flatMap(book::crawl);
            if (status.isEmpty()) {
                String cause = seed.crawl().map(c -> "there is no crawl '" + UrlNormalizer.shown(c) + "'")
                        .orElse("the seed names no crawl");
                report(entry, Optional.empty(), seed.url(), new Refused(RefusalReason.UNKNOWN_CRAWL, cause));
                return;
            }
            admit(new Incoming(entry, seed, tracer.read(entry.headers())), runs.computeIfAbsent(status.get().run().crawl(),
                    c -> new RunSeeds(status.get(), book.domains(status.get().run()))));
        }

        private void admit(Incoming incoming, RunSeeds run) {
            Seed seed = incoming.seed();
            int priority = seed.priority().orElse(run.status().definition().priority());
            Candidate candidate = SeedRules.fault(seed)
                    .<Candidate>map(f -> new Refused(RefusalReason.MALFORMED,
                            f.field() + " '" + UrlNormalizer.shown(f.value()) + "': " + f.rule()))
                    .orElseGet(() -> admission.seed(seed.url(), priority, channels.levels()));
            Object verdict = switch (candidate) {
                case Candidate.Open open ->
                    run.admit(open, incoming, priority, book.nextVersion(Domains.key(run.status().run().crawl())));
                case Refused refused -> refused;
            };
            if (verdict instanceof Refused refused) {
                run.refuse(refused.reason());
                report(incoming.entry(), Optional.of(run.status().run().crawl()), seed.url(), refused);
            }
        }

        /** Only now, when it is known which seeds would become requests. */
        private Room fill(List<ConsumerRecord<byte[], byte[]>> batch) throws InterruptedException {
            runs.values().forEach(run -> run.askLedger(ledger));
            Room room = capacity.room(runs.values().stream().flatMap(run -> run.withoutPlace().stream()).toList());
            batch.forEach(entry -> SeedRecord.place(entry).ifPresent(room::arrived));
            for (RunSeeds run : runs.values()) {
                run.fill(room, ids)
                        .forEach(full -> report(full.entry(), Optional.of(run.status().run().crawl()), full.seed().url(),
                                new Refused(RefusalReason.CHANNEL_FULL,
                                        "as many requests of its priority wait as may: send it again later")));
            }
            return room;
        }

        void tooLarge(ConsumerRecord<byte[], byte[]> entry) {
            Optional<Seed> seed = readable(entry);
            Optional<CrawlStatus> status = seed.flatMap(Seed::crawl).flatMap(SeedAdmission::id).flatMap(book::crawl);
            status.ifPresent(s -> runs.put(s.run().crawl(), new RunSeeds(s, book.domains(s.run()))));
            runs.values().forEach(run -> run.refuse(RefusalReason.MALFORMED));
            report(entry, status.map(s -> s.run().crawl()), seed.flatMap(Seed::url),
                    new Refused(RefusalReason.MALFORMED, "its request is larger than the topic takes (max.message.bytes)"));
        }

        private static Optional<Seed> readable(ConsumerRecord<byte[], byte[]> entry) {
            try {
                return Optional.ofNullable(entry.value()).map(Codec::seed);
            } catch (MalformedRecord e) {
                return Optional.empty();
            }
        }

        private void report(ConsumerRecord<byte[], byte[]> entry, Optional<CrawlId> crawl, Optional<String> url,
                Refused refused) {
            errors.add(CrawlerError
                    .of(mid, crawl, url.map(UrlNormalizer::shown), refused.reason().name(), refused.cause(), 1, time.now())
                    .from(entry.topic(), entry.partition(), entry.offset()));
        }

        AdmittedSeeds result(List<ConsumerRecord<byte[], byte[]>> batch) throws InterruptedException {
            Room room = fill(batch);
            List<ControlRecord> control = new ArrayList<>();
            List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
            Map<CrawlRun, List<Fact>> facts = new HashMap<>();
            Map<CrawlId, Integer> requests = new HashMap<>();
            List<Span> spans = new ArrayList<>();
            for (RunSeeds run : runs.values()) {
                run.accepted().ifPresent(control::add);
                run.requests().forEach(r -> {
                    Span span = span(r);
                    spans.add(span);
                    records.add(record(r, span.context()));
                });
                records.add(new ProducerRecord<>(topics.ledger(), bytes(run.status().run().crawl().value()),
                        Codec.encode(run.ledgerRecord())));
                if (!run.requests().isEmpty()) {
                    facts.put(run.status().run(), run.facts());
                    requests.put(run.status().run().crawl(), run.requests().size());
                    startAgain(run.status()).ifPresent(control::add);
                }
            }
            return new AdmittedSeeds(control, records, errors, facts, requests, room, spans);
        }

        /** Goes on with the trace of whoever wrote the seed, or begins one. */
        private Span span(Request request) {
            return request.trace().isThere()
                    ? tracer.next(request.trace(), SpanName.ADMISSION, request.run(), request.url())
                    : tracer.first(SpanName.ADMISSION, request.run(), request.url(), TraceContext.NONE);
        }

        private ProducerRecord<byte[], byte[]> record(Request request, TraceContext trace) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                    topics.requests(channels.generation(), request.priority()),
                    bytes(HostKeys.politeness(request.host(), channels.politeness()).value()), Codec.encode(request));
            TraceHeaders.write(trace, record.headers());
            return record;
        }
    }

    private static Optional<CrawlStatus> startAgain(CrawlStatus status) {
        return status.state() == CrawlState.STOPPED && status.finished()
                ? Optional.of(Lifecycle.starting(status))
                : Optional.empty();
    }

    private static Optional<CrawlId> id(String text) {
        try {
            return Optional.of(new CrawlId(text));
        } catch (InvalidValue e) {
            return Optional.empty();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
