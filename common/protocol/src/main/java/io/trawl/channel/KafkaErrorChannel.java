package io.trawl.channel;

import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the {@code errors} topic on its own thread behind a bounded queue: neither a full queue nor an unavailable
 * topic ever blocks a worker. An error that Kafka does not accept in time goes back into the queue, so that those of an
 * outage are not lost; it may be in the topic twice then. Thread-safe.
 */
public final class KafkaErrorChannel implements ErrorChannel, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaErrorChannel.class);
    private static final int QUEUE = 10_000;
    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final BlockingQueue<CrawlerError> waiting = new ArrayBlockingQueue<>(QUEUE);
    private final LongAdder dropped = new LongAdder();
    private final Thread thread;
    private volatile boolean closed;

    /** @param producer without transactions; this object closes it */
    public KafkaErrorChannel(Producer<byte[], byte[]> producer, TopicNames topicNames) {
        this.producer = producer;
        this.topic = topicNames.errors();
        this.thread = Thread.ofVirtual().name("errors").start(this::write);
    }

    @Override
    public void report(CrawlerError error) {
        if (!waiting.offer(error)) {
            dropped.increment();
        }
    }

    /** The number of errors that were dropped. */
    public long dropped() {
        return dropped.sum();
    }

    private void write() {
        try {
            while (true) {
                send(waiting.take());
            }
        } catch (InterruptedException e) {
            Thread.interrupted();
            CrawlerError error;
            while ((error = waiting.poll()) != null) {
                send(error);
            }
        }
    }

    private void send(CrawlerError error) {
        try {
            producer.send(record(topic, error), (metadata, e) -> {
                if (e != null) {
                    notWritten(error, e);
                }
            });
        } catch (KafkaException e) {
            notWritten(error, e);
        }
    }

    /** The record of an error. */
    public static ProducerRecord<byte[], byte[]> record(String topic, CrawlerError error) {
        byte[] key = error.crawl().map(CrawlId::value).orElse("").getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, key, Codec.encode(error));
    }

    private void notWritten(CrawlerError error, Exception reason) {
        LOG.debug("error not written: {}", reason.getMessage());
        if (reason instanceof RetriableException && !closed) {
            report(error);
        } else {
            dropped.increment();
        }
    }

    /** Writes the queued errors, for at most two seconds. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(2));
    }
}
