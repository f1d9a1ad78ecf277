package io.trawl.worker;

import io.trawl.model.Durations;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the clock of this process with those of Kafka and Redis, at its start and then once a minute, and says when
 * they differ by more than five seconds. No rule of the protocol depends on equal clocks; the times in items, schedules
 * and signatures do. Thread-safe.
 */
public final class ClockWatch implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "CLOCK_DIFFERS";
    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration TOLERATED = Duration.ofSeconds(5);
    /** A server that takes longer to tell its time tells it too inexactly. */
    private static final Duration ANSWER = Duration.ofSeconds(4);
    private static final byte[] KEY = "clock".getBytes(StandardCharsets.UTF_8);
    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final Supplier<Instant> redis;
    private final Time time;
    private final PeriodicTask task;
    private volatile Optional<Duration> aheadOfKafka = Optional.empty();
    private volatile Optional<Duration> aheadOfRedis = Optional.empty();

    /**
     * Begins to compare.
     *
     * @param producer lent; used until this object is closed
     * @param topic one that is compacted and has the times of the broker: it receives a record without a value, which
     * is removed some time later
     * @param redis asks Redis for its time
     */
    ClockWatch(Producer<byte[], byte[]> producer, String topic, Supplier<Instant> redis, Time time) {
        this.producer = producer;
        this.topic = topic;
        this.redis = redis;
        this.time = time;
        this.task = new PeriodicTask("clocks", EVERY, time, this::look);
        task.start();
    }

    /** What an operator should know, one sentence for each server whose clock differs. */
    List<StageNote> notes() {
        return Stream.of(note("Kafka", aheadOfKafka), note("Redis", aheadOfRedis)).flatMap(Optional::stream).toList();
    }

    private static Optional<StageNote> note(String server, Optional<Duration> ahead) {
        return ahead.filter(difference -> difference.abs().compareTo(TOLERATED) > 0).map(difference -> new StageNote(
                KIND, "clock of " + server,
                "its clock is " + Durations.format(Duration.ofSeconds(Math.round(difference.abs().toMillis() / 1e3)))
                        + (difference.isNegative() ? " behind" : " ahead of") + " that of " + server
                        + ": times in items, schedules and signed calls are wrong"));
    }

    /** The clock of the broker, as far as it is known; until then, that of this process. */
    public Time ofKafka() {
        return new Time() {
            @Override
            public Instant now() {
                return time.now().minus(aheadOfKafka.orElse(Duration.ZERO));
            }

            @Override
            public long nanos() {
                return time.nanos();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                time.pause(duration);
            }
        };
    }

    private void look() throws InterruptedException {
        aheadOfKafka = ahead(this::timeOfKafka).or(() -> aheadOfKafka);
        aheadOfRedis = ahead(redis::get).or(() -> aheadOfRedis);
    }

    private interface Clock {
        Instant now() throws InterruptedException, ExecutionException, TimeoutException;
    }

    /** How far this clock is ahead; empty if the server does not tell now. */
    private Optional<Duration> ahead(Clock server) throws InterruptedException {
        Instant asked = time.now();
        long begin = time.nanos();
        try {
            Instant there = server.now();
            Duration took = Duration.ofNanos(time.nanos() - begin);
            return took.compareTo(ANSWER) > 0
                    ? Optional.empty()
                    : Optional.of(Duration.between(there, asked.plus(took.dividedBy(2))));
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug("a clock cannot be compared now: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** The broker gives each record of a topic the time at which it has come, and acknowledges that. */
    private Instant timeOfKafka() throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return Instant.ofEpochMilli(producer.send(new ProducerRecord<>(topic, KEY, null))
                    .get(ANSWER.toMillis(), TimeUnit.MILLISECONDS).timestamp());
        } catch (InterruptException e) {
            throw new InterruptedException(e.getMessage());
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
