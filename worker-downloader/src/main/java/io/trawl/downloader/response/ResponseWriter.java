package io.trawl.downloader.response;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.admission.HostKeyFactory;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.ResponseHeaders;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.channel.offset.LayoutHeader;
import io.trawl.control.Channels;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer.LedgerFact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.MovedRequest;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.telemetry.Outage;
import io.trawl.telemetry.Tracing;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers to {@code responses}, keyed by the host of the canonical URL, answers to unreadable requests to
 * {@code ledger}, and requests that go on elsewhere to the request topics: if one has another priority there,
 * {@code ledger} learns of it before it counts as acknowledged. An answer that Kafka rejects is written again until it
 * succeeds. One that exceeds the record size becomes a failure without body, then one without the options of its
 * request. It has a thread of its own, since a producer blocks while its buffer is full. Thread-safe.
 */
public final class ResponseWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(500);
    /** How many requests one ledger record of copies names. */
    private static final int MOST_LISTED = 1000;
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final BodyMemory memory;
    private final TopicNames topicNames;
    private final Channels channels;
    private final PartitionCounts counts;
    private final MID mid;
    private final Time time;
    private final Outage outage;
    private final Consumer<AcknowledgedAnswer> acknowledged;
    private final Consumer<Throwable> broken;
    private final BlockingQueue<Unwritten> waiting = new LinkedBlockingQueue<>();
    /** Copies at another priority, of which the ledger has not learnt. */
    private final BlockingQueue<Unlisted> unlisted = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean renew;

    /**
     * Starts writing.
     *
     * @param producers creates producers without transactions; called again when a producer has failed fatally
     * @param memory holds the bodies until they are acknowledged
     * @param channels where requests go
     * @param counts where responses go
     * @param acknowledged called once for each answer; must not block
     * @param broken called with the error that ends the writing
     */
    public ResponseWriter(Supplier<Producer<byte[], byte[]>> producers, BodyMemory memory, TopicNames topicNames,
            Channels channels, PartitionCounts counts, MID mid, Time time, Outage outage,
            Consumer<AcknowledgedAnswer> acknowledged, Consumer<Throwable> broken) {
        this.producers = producers;
        this.memory = memory;
        this.topicNames = topicNames;
        this.channels = channels;
        this.counts = counts;
        this.mid = mid;
        this.time = time;
        this.outage = outage;
        this.acknowledged = acknowledged;
        this.broken = broken;
        this.thread = Thread.ofPlatform().daemon().name("answers").start(this::run);
    }

    /** Queues an answer; never blocks. */
    public void write(Unwritten answer) {
        memory.hold(answer.bytes());
        waiting.add(answer);
    }

    private void run() {
        try {
            while (true) {
                renew = false;
                Producer<byte[], byte[]> producer = producers.get();
                try {
                    writeWith(producer);
                } finally {
                    Thread.interrupted();
                    producer.close(Duration.ofSeconds(1));
                }
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            broken.accept(e);
        }
    }

    /** Writes until this producer has failed fatally. */
    private void writeWith(Producer<byte[], byte[]> producer) throws InterruptedException {
        while (!renew) {
            Unwritten answer = waiting.take();
            if (outage.now()) {
                time.pause(PAUSE);
            }
            if (answer instanceof Unwritten.Listing) {
                listed().forEach(entry -> send(producer, entry));
            } else {
                send(producer, answer);
            }
        }
    }

    /** The ledger records of copies at another priority that Kafka has acknowledged meanwhile, one for each run. */
    private List<Unwritten> listed() {
        List<Unlisted> some = new ArrayList<>();
        unlisted.drainTo(some, MOST_LISTED);
        return some.stream().collect(Collectors.groupingBy(Unlisted::run)).entrySet().stream()
                .<Unwritten>map(moved -> new Unwritten.Entry(moved.getValue().stream().map(Unlisted::settles).toList(),
                        LedgerRecord.ofMoved(moved.getKey(), moved.getValue().stream().map(Unlisted::entry).toList())))
                .toList();
    }

    private record Unlisted(CrawlRun run, MovedRequest entry, AcknowledgedAnswer settles) {}

    private void send(Producer<byte[], byte[]> producer, Unwritten answer) {
        try {
            ProducerRecord<byte[], byte[]> record = record(answer);
            int layout = LayoutHeader.of(record.headers()).layout();
            producer.send(record, (metadata, problem) -> completed(answer, layout, metadata, problem));
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            completed(answer, 0, null, e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(Unwritten answer) {
        return switch (answer) {
            case Unwritten.Answer response -> response(response.answer());
            case Unwritten.Entry(var _, LedgerRecord ledger) -> counts.ledger(ledger);
            case Unwritten.Copy(var _, LogPartition log, var _, ForwardedRequest copy) -> copy(log, copy);
            case Unwritten.Listing _ -> throw new IllegalStateException("is no record");
        };
    }

    private ProducerRecord<byte[], byte[]> copy(LogPartition log, ForwardedRequest copy) {
        return switch (copy) {
            case ForwardedRequest.AtEnd(DeliveredRecord original) -> copy(log.topic(), log, original, original.value());
            case ForwardedRequest.AtPriority(DeliveredRecord original, Request request, int _) ->
                copy(topicNames.requests(channels).get(request.priority()), log, original, Codec.encode(request));
            case ForwardedRequest.AtServer(var _, Request request) ->
                HostPartitioner.record(topicNames, channels, request, request.trace());
        };
    }

    private static ProducerRecord<byte[], byte[]> copy(String topic, LogPartition log, DeliveredRecord original,
            byte @Nullable [] value) {
        ProducerRecord<byte[], byte[]> copy = new ProducerRecord<>(topic, log.partition(), original.key(), value);
        Tracing.write(original.trace(), copy.headers());
        return copy;
    }

    private ProducerRecord<byte[], byte[]> response(RequestAnswer requestAnswer) {
        Response response = requestAnswer.response(mid, time.now());
        byte[] key = responseKey(requestAnswer.request()).value().getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = counts.response(key, response.body().held(),
                ResponseHeaders.of(response), false);
        Tracing.write(requestAnswer.request().trace(), record.headers());
        return record;
    }

    /** All names of a page have one key, so that their responses are in one partition. */
    private static HostKey responseKey(Request request) {
        return request.canonical().map(HostKeyFactory::of).orElse(request.host());
    }

    private void completed(Unwritten answer, int layout, @Nullable RecordMetadata metadata,
            @Nullable Exception problem) {
        if (problem == null && metadata != null) {
            outage.end();
            memory.release(answer.bytes());
            written(answer, layout, metadata);
        } else if (problem instanceof RecordTooLargeException && answer.smaller().isPresent()) {
            memory.release(answer.bytes());
            write(answer.smaller().orElseThrow());
        } else {
            if (problem == null) {
                outage.begin("no offset");
            } else {
                outage.begin(problem);
            }
            renew |= !(problem instanceof RetriableException);
            waiting.add(answer);
        }
    }

    private void written(Unwritten answer, int layout, RecordMetadata metadata) {
        switch (answer) {
            case Unwritten.Answer(long ticket, LogPartition log, long offset, RequestAnswer requestAnswer) ->
                acknowledged.accept(
                        new AcknowledgedAnswer(ticket, log, offset, ledgerFact(requestAnswer, layout, metadata)));
            case Unwritten.Entry(List<AcknowledgedAnswer> settles, var _) -> settles.forEach(acknowledged);
            case Unwritten.Listing _ -> throw new IllegalStateException("is no record");
            case Unwritten.Copy(long ticket, LogPartition log, long offset, ForwardedRequest copy) -> {
                AcknowledgedAnswer settled = new AcknowledgedAnswer(ticket, log, offset, Optional.empty());
                if (copy instanceof ForwardedRequest.AtPriority(var _, Request request, int order)) {
                    unlisted.add(new Unlisted(request.run(), new MovedRequest(request.id(), request.priority(), order),
                            settled));
                    waiting.add(new Unwritten.Listing());
                } else {
                    acknowledged.accept(settled);
                }
            }
        }
    }

    /**
     * A broker that has recognised a repeated send may not report the offset of the first one; then the analyzer learns
     * the fact.
     */
    private static Optional<LedgerFact> ledgerFact(RequestAnswer requestAnswer, int layout, RecordMetadata metadata) {
        if (requestAnswer.factDepth().isEmpty() || !metadata.hasOffset()) {
            return Optional.empty();
        }
        return Optional.of(new LedgerFact(requestAnswer.request().run(), requestAnswer.request().identity(),
                requestAnswer.factDepth().getAsInt(), layout, metadata.offset()));
    }

    /** Stops; answers without acknowledgement are lost as if the process had been killed. */
    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
