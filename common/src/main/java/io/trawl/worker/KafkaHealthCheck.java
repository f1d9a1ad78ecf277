package io.trawl.worker;

import io.trawl.control.ControlView;
import io.trawl.time.Time;
import io.trawl.channel.KafkaIdentity;
import io.trawl.channel.KafkaIdentity.OtherKafkaException;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Checks every two seconds whether the broker answers, and has the topics that this process began with; while no crawl
 * fetches, every six seconds, and as soon as one does. A stalled or disconnected broker keeps its connections open: a
 * client that polls it gets no error, so other parts of this process might not notice for long. Logs the outage once
 * and the recovery once. Thread-safe.
 */
final class KafkaHealthCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaHealthCheck.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration RESTING = Duration.ofSeconds(4);
    private final KafkaIdentity identity;
    private final ControlView control;
    private final String servers;
    private final Time time;
    private final Thread thread;
    private volatile boolean away;

    /** @param identity closed by this object */
    KafkaHealthCheck(KafkaIdentity identity, ControlView control, String servers, Time time) {
        this.identity = identity;
        this.control = control;
        this.servers = servers;
        this.time = time;
        this.thread = Thread.ofVirtual().name("kafka-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                boolean before = away;
                away = !answers(before);
                if (before && !away) {
                    LOG.info("Kafka is back");
                }
                time.pauseUntilNext(PERIOD);
                rest();
            }
        } catch (InterruptedException | OtherKafkaException e) {
            LOG.debug("health check of the broker stopped");
        }
    }

    private void rest() throws InterruptedException {
        long since = time.nanos();
        for (Duration left = RESTING; left.isPositive() && !away; left = RESTING.minusNanos(time.nanos() - since)) {
            long changes = control.changes();
            if (!control.rests()) {
                return;
            }
            control.await(changes, left);
        }
    }

    private boolean answers(boolean wasAway) throws InterruptedException {
        try {
            identity.ask();
            return true;
        } catch (KafkaException e) {
            LOG.atLevel(wasAway ? Level.DEBUG : Level.WARN).log("waiting for Kafka at {}: {}", servers, e.getMessage());
            return false;
        }
    }

    /** Whether the broker did not answer the last check. */
    boolean away() {
        return away;
    }

    @Override
    public void close() {
        thread.interrupt();
        identity.close();
    }
}
