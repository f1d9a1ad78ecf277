package io.trawl.worker;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every few seconds whether the broker answers. A stalled or disconnected broker keeps its connections open: a client that polls it gets no
 * error, so other parts of this process might not notice for long. Logs the outage once and the recovery once. Thread-safe.
 */
final class KafkaHealthCheck implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaHealthCheck.class);
    private static final Duration PERIOD = Duration.ofSeconds(2);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private final Admin admin;
    private final String servers;
    private final Time time;
    private final Thread thread;
    private volatile boolean away;

    /** @param admin closed by this object */
    KafkaHealthCheck(Admin admin, String servers, Time time) {
        this.admin = admin;
        this.servers = servers;
        this.time = time;
        this.thread = Thread.ofVirtual().name("kafka-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (true) {
                boolean before = away;
                away = !answers();
                if (away && !before) {
                    LOG.warn("waiting for Kafka at {}: no answer for {} s", servers, ANSWER.toSeconds());
                } else if (before && !away) {
                    LOG.info("Kafka is back");
                }
                time.pauseUntilNext(PERIOD);
            }
        } catch (InterruptedException e) {
            LOG.debug("health check of the broker stopped");
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            admin.describeCluster(new DescribeClusterOptions().timeoutMs((int) ANSWER.toMillis())).clusterId().get();
            return true;
        } catch (ExecutionException e) {
            LOG.debug("the broker does not answer: {}", e.getMessage());
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
        admin.close(Duration.ZERO);
    }
}
