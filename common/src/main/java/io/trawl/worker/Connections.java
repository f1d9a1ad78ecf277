package io.trawl.worker;

import io.trawl.settings.Settings;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.InvalidValue;
import io.trawl.redis.RedisStore;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits, at the start of a process, for what it depends on: says once what is missing and goes on when it is there. An unreachable server is no reason
 * to die: whoever deploys a fleet starts everything at once.
 */
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final Duration PAUSE = Duration.ofMillis(250);
    /** Servers and topics that are being started at the same time need no word. */
    private static final Duration FIRST_WORD = Duration.ofSeconds(2);
    private static final Duration NEXT_WORD = Duration.ofSeconds(10);
    private static final long ANSWER_SECONDS = 3;
    /** How the client's message begins when it finds no address for any of the hosts. */
    private static final String UNKNOWN_HOST = "No resolvable bootstrap urls";
    private final Settings settings;
    private final Topics topics;
    private final KafkaClients kafka;
    private final Time time;

    Connections(Settings settings, Topics topics, KafkaClients kafka, Time time) {
        this.settings = settings;
        this.topics = topics;
        this.kafka = kafka;
        this.time = time;
    }

    /** A step that may have to be repeated. */
    private interface Attempt<T> {
        T make() throws ExecutionException, TimeoutException, InterruptedException;
    }

    /**
     * Blocks until the broker answers; returns the cluster's id.
     *
     * @throws InvalidValue if its address is none, or the clients refuse another setting
     */
    String awaitKafka() throws InterruptedException {
        String waiting = "waiting for Kafka at " + settings.kafka().bootstrapServers();
        try (Admin admin = persist(waiting, this::admin)) {
            return persist(waiting, () -> now(admin.describeCluster().clusterId()));
        }
    }

    /** A host whose name nobody knows is one that may be started yet; in a network of containers none has a name before. Anything else is a mistake. */
    private Admin admin() {
        try {
            return kafka.admin();
        } catch (KafkaException e) {
            Throwable root = Stream.iterate((Throwable) e, cause -> cause != null, Throwable::getCause).reduce(e,
                    (up, down) -> down);
            String reason = String.valueOf(root.getMessage());
            if (reason.startsWith(UNKNOWN_HOST)) {
                throw new KafkaException("no host of that name is known");
            }
            if (reason.contains(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
                throw new InvalidValue("TRAWL_KAFKA_BOOTSTRAP_SERVERS", settings.kafka().bootstrapServers(),
                        "host:port, several with commas between (" + reason + ")");
            }
            throw new InvalidValue("TRAWL_KAFKA_CONFIG_FILE", settings.kafka().configFile().map(Path::toString).orElse(""),
                    "settings that Kafka's clients take (" + reason + ")");
        }
    }

    /** Blocks until a coordinator has made the topics; returns the id of the topic of responses. */
    String awaitTopics() throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            return persist("waiting for a coordinator to make the topics of " + topics.namespace(), () -> {
                Map<String, TopicDescription> found = now(
                        admin.describeTopics(List.of(topics.control(), topics.responses())).allTopicNames());
                return found.get(topics.responses()).topicId().toString();
            });
        }
    }

    /** Blocks until Redis answers. */
    RedisStore awaitRedis(String clusterId, String responsesId) throws InterruptedException {
        return persist(waitingForRedis(),
                () -> RedisStore.connect(settings.redis().url(), topics.namespace(), clusterId, responsesId, time));
    }

    /** Blocks until Redis has answered a question. */
    <T> T awaitAnswer(Supplier<T> question) throws InterruptedException {
        return persist(waitingForRedis(), question::get);
    }

    private String waitingForRedis() {
        return "waiting for Redis at " + settings.redis().url().replaceFirst("//[^@/]*@", "//");
    }

    private static <T> T now(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    private <T> T persist(String what, Attempt<T> attempt) throws InterruptedException {
        long sayAt = time.nanos() + FIRST_WORD.toNanos();
        while (true) {
            try {
                return attempt.make();
            } catch (ExecutionException | TimeoutException | KafkaException | LedgerUnavailable e) {
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
