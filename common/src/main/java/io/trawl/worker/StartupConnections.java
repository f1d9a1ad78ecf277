package io.trawl.worker;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.KafkaIdentity.Ids;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.LogEndCheck;
import io.trawl.control.ControlView;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.model.InvalidValueException;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigException;
import io.trawl.worker.Worker.StoreFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, at the start of a process, for its dependencies: logs once what is missing and continues when it is available.
 * An unreachable server does not end the process, since a deployment may start all processes at once.
 */
record StartupConnections(Settings settings, TopicNames topicNames, KafkaClients kafka, Time time) {
    private static final Logger LOG = LoggerFactory.getLogger(StartupConnections.class);
    private static final Duration PAUSE = Duration.ofMillis(250);
    /** No log line for servers and topics that become available this soon. */
    private static final Duration FIRST_WORD = Duration.ofSeconds(2);
    private static final Duration NEXT_WORD = Duration.ofSeconds(10);
    private static final long ANSWER_SECONDS = 3;

    /** A step that may be retried. */
    private interface Attempt<T> {
        T make() throws ExecutionException, TimeoutException, InterruptedException;
    }

    /**
     * Blocks until the broker answers.
     *
     * @throws InvalidValueException if its address is invalid, or the clients reject another setting
     */
    void awaitKafka() throws InterruptedException {
        String waiting = "waiting for Kafka at " + settings.kafka().bootstrapServers();
        try (Admin admin = persist(waiting, this::admin)) {
            persist(waiting, () -> now(admin.describeCluster().clusterId()));
        }
    }

    private Admin admin() {
        try {
            return kafka.admin();
        } catch (KafkaException e) {
            throw noClient(e, settings.kafka());
        }
    }

    /** No client could be created; a retry may succeed. */
    private static final class NoClientYet extends RuntimeException {
        NoClientYet(String message, KafkaException cause) {
            super(message, cause);
        }
    }

    /**
     * Why no client could be created. The client's exceptions differ only by their messages. A host without an address
     * may get one later: in a network of containers a host has no name before it is started. Causes other than the
     * address and the settings file are not mistakes of the user.
     */
    static RuntimeException noClient(KafkaException e, Settings.KafkaSettings kafkaSettings) {
        Throwable root = Stream.iterate((Throwable) e, cause -> cause != null, Throwable::getCause).reduce(e,
                (up, down) -> down);
        String reason = root.getMessage() == null ? root.toString() : root.getMessage();
        if (root instanceof ConfigException && reason.startsWith("No resolvable bootstrap urls")) {
            return new NoClientYet("the host name cannot be resolved", e);
        }
        if (root instanceof ConfigException && reason.contains(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
            return new InvalidValueException("TRAWL_KAFKA_BOOTSTRAP_SERVERS", kafkaSettings.bootstrapServers(),
                    "host:port, or several separated by commas (" + reason + ")");
        }
        return kafkaSettings.configFile()
                .<RuntimeException>map(file -> new InvalidValueException("TRAWL_KAFKA_CONFIG_FILE", file.toString(),
                        "settings that Kafka clients accept (" + reason + ")"))
                .orElseGet(() -> new NoClientYet(reason, e));
    }

    /** Blocks until a coordinator has created the topics; returns their ids. */
    Ids awaitTopics() throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            return persist("waiting for a coordinator to create the topics of " + topicNames.namespace(),
                    () -> Ids.of(admin, topicNames));
        }
    }

    /** Blocks until the store is open. */
    RedisStore awaitRedis(StoreFactory stores, Ids ids) throws InterruptedException {
        return persist(waitingForRedis(), () -> stores.open(ids.cluster(), ids.responses()));
    }

    /** Blocks until Redis has answered a call. */
    <T> T awaitAnswer(Supplier<T> question) throws InterruptedException {
        return persist(waitingForRedis(), question::get);
    }

    /**
     * Blocks while the logs end below what a leader has noted: facts may speak of records that Kafka has lost, and only
     * a leader can say that they are void. With false facts a request would be taken for answered.
     */
    void awaitLogs(Supplier<LogEndCheck> checks, ControlView control) throws InterruptedException {
        String waiting = "waiting for a coordinator to lead";
        try (LogEndCheck check = checks.get()) {
            persist(waiting, () -> {
                Map<String, LogEnd> below = check.below();
                if (!below.isEmpty()) {
                    throw new TimeoutException("Kafka has lost records: the logs of "
                            + String.join(", ", below.keySet()) + " end earlier than before");
                }
                return below;
            });
            control.refresh();
        }
    }

    private String waitingForRedis() {
        return "waiting for Redis at " + RedisServers.of(settings.redis());
    }

    private static <T> T now(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    private <T> T persist(String what, Attempt<T> attempt) throws InterruptedException {
        long sayAt = time.nanos() + FIRST_WORD.toNanos();
        while (true) {
            try {
                return attempt.make();
            } catch (ExecutionException | TimeoutException | KafkaException | NoClientYet
                    | LedgerUnavailableException e) {
                if (time.nanos() - sayAt >= 0) {
                    LOG.warn("{} ({})", what, reason(e));
                    sayAt = time.nanos() + NEXT_WORD.toNanos();
                }
                time.pause(PAUSE);
            }
        }
    }

    private static String reason(Throwable e) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        return cause.getMessage() == null ? "no answer" : cause.getMessage();
    }
}
