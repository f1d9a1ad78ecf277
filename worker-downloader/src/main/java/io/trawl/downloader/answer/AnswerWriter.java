package io.trawl.downloader.answer;

import io.trawl.channel.Topics;
import io.trawl.codec.Codec;
import io.trawl.downloader.answer.Acknowledged.Lesson;
import io.trawl.downloader.frontier.Reply;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.time.Time;
import io.trawl.trace.TraceHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers to {@code responses}, keyed by host; those to requests that cannot be read, to {@code ledger}. An answer that Kafka does not take is written again until it does; one that is larger than a
 * record may be becomes a failure without body, then one without the options of its request. On a thread of its own, since a producer blocks while its buffer is full. Thread-safe.
 */
public final class AnswerWriter implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private final Supplier<Producer<byte[], byte[]>> producers;
    private final Topics topics;
    private final MID mid;
    private final Time time;
    private final Outage outage;
    private final Consumer<Acknowledged> acknowledged;
    private final Consumer<Throwable> broken;
    private final BlockingQueue<Unwritten> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean renew;

    /** An answer on its way into Kafka: its ticket, and where its request stands. */
    public sealed interface Unwritten {
        /** The frontier's number. */
        long ticket();

        /** Where the request stands. */
        LogPartition log();

        /** Where in it. */
        long offset();

        /** The answer to a request: a response. */
        record Answer(long ticket, LogPartition log, long offset, Reply reply) implements Unwritten {}

        /** The answer to a request of which nothing but whose it is can be read: an entry of the ledger. */
        record Entry(long ticket, LogPartition log, long offset, LedgerRecord ledger) implements Unwritten {}
    }

    /**
     * Starts writing.
     *
     * @param producers makes producers without transactions: another one when one has ended itself
     * @param acknowledged is told of each answer once; must not block
     * @param broken told of what ends the writing for good
     */
    public AnswerWriter(Supplier<Producer<byte[], byte[]>> producers, Topics topics, MID mid, Time time, Outage outage,
            Consumer<Acknowledged> acknowledged, Consumer<Throwable> broken) {
        this.producers = producers;
        this.topics = topics;
        this.mid = mid;
        this.time = time;
        this.outage = outage;
        this.acknowledged = acknowledged;
        this.broken = broken;
        this.thread = Thread.ofPlatform().daemon().name("answers").start(this::run);
    }

    /** Hands an answer in; never blocks. */
    public void write(Unwritten answer) {
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

    /** Until this producer has come to its end. */
    private void writeWith(Producer<byte[], byte[]> producer) throws InterruptedException {
        while (!renew) {
            Unwritten answer = waiting.take();
            if (outage.now()) {
                time.pause(PAUSE);
            }
            send(producer, answer);
        }
    }

    private void send(Producer<byte[], byte[]> producer, Unwritten answer) {
        try {
            producer.send(record(answer), (metadata, problem) -> over(answer, metadata, problem));
        } catch (InterruptException e) {
            throw e;
        } catch (KafkaException | IllegalStateException e) {
            over(answer, null, e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(Unwritten answer) {
        return switch (answer) {
            case Unwritten.Answer response -> response(response.reply());
            case Unwritten.Entry(var _, var _, var _, LedgerRecord ledger) ->
                new ProducerRecord<>(topics.ledger(), ledger.run().crawl().value().getBytes(StandardCharsets.UTF_8),
                        Codec.encode(ledger));
        };
    }

    private ProducerRecord<byte[], byte[]> response(Reply reply) {
        Response response = reply.response(mid, time.now());
        byte[] key = reply.request().host().value().getBytes(StandardCharsets.UTF_8);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topics.responses(), null, key, response.body().bytes(),
                List.of(new RecordHeader(Codec.RESPONSE_HEADER, Codec.describe(response))));
        TraceHeaders.write(reply.request().trace(), record.headers());
        return record;
    }

    private void over(Unwritten answer, @Nullable RecordMetadata metadata, @Nullable Exception problem) {
        if (problem == null && metadata != null) {
            outage.end();
            acknowledged.accept(new Acknowledged(answer.ticket(), answer.log(), answer.offset(), lesson(answer, metadata)));
        } else if (problem instanceof RecordTooLargeException && smaller(answer).isPresent()) {
            waiting.add(smaller(answer).get());
        } else {
            outage.begin(problem == null ? new IllegalStateException("no offset") : problem);
            renew |= !(problem instanceof RetriableException);
            waiting.add(answer);
        }
    }

    /** Where a broker has recognised a repeated send it may not say where the first one stands: then nothing is learnt here, the analyzer will. */
    private static Optional<Lesson> lesson(Unwritten answer, RecordMetadata metadata) {
        if (!(answer instanceof Unwritten.Answer(var _, var _, var _, Reply reply)) || reply.factDepth().isEmpty()
                || !metadata.hasOffset()) {
            return Optional.empty();
        }
        UrlFacts facts = UrlFacts.responded(reply.factDepth().getAsInt(), metadata.offset());
        return Optional.of(new Lesson(reply.request().run(), reply.request().url(), facts));
    }

    /** What is left out of an answer that is too large: first all that the host sent, then all that the request asks beyond its URL. */
    private static Optional<Unwritten> smaller(Unwritten answer) {
        return answer instanceof Unwritten.Answer(long ticket, LogPartition log, long offset, Reply reply)
                ? smaller(reply).map(less -> new Unwritten.Answer(ticket, log, offset, less))
                : Optional.empty();
    }

    private static Optional<Reply> smaller(Reply reply) {
        if (reply.fetched().isPresent()) {
            return Optional.of(tooLarge(reply));
        }
        return reply.request().options().equals(FetchOptions.NONE)
                ? Optional.empty()
                : Optional.of(new Reply(reply.request().withoutOptions(), reply.outcome(), Optional.empty(), reply.attempts(),
                        reply.factDepth()));
    }

    private static Reply tooLarge(Reply reply) {
        Outcome outcome = new Outcome.Failure(FailureReason.TOO_LARGE,
                "a response of " + reply.bytes() + " bytes does not fit into a record");
        return new Reply(reply.request(), outcome, Optional.empty(), reply.attempts(), reply.factDepth());
    }

    /** Stops; what is not acknowledged is left as if the process had been killed. */
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
