package io.trawl.channel;

import static java.util.Objects.requireNonNull;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The cluster and the topics that a process has begun with. Topics that are deleted and made again have the same names,
 * and all that the process remembers is about the former ones, so it must not go on. An answer of the broker holds for
 * {@link #VALID}: a process that slept longer asks again before it relies on anything that it knew. Thread-safe.
 */
public final class KafkaIdentity implements AutoCloseable {
    /** Shorter than any session of Kafka's groups. */
    static final Duration VALID = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ANSWER_MILLIS = 5000;
    private final Admin admin;
    private final TopicNames topicNames;
    private final Ids ids;
    private final Time time;
    private final Consumer<String> replaced;
    private volatile long confirmed;
    /** Since when the broker says that the topics are gone; 0 while it does not. */
    private volatile long gone;

    /** Whether a process may go on. */
    @FunctionalInterface
    public interface SameKafka {
        /** For readers that know nothing from before. */
        SameKafka NONE = () -> {};

        /**
         * Asks the broker, unless it has just confirmed that it has the topics that the process began with.
         *
         * @throws OtherKafkaException if it has others
         * @throws KafkaException if it does not answer, or the topics are gone
         */
        void confirm() throws InterruptedException;
    }

    /**
     * What tells one deployment from another of the same name.
     *
     * @param cluster the id of the cluster
     * @param control the id of the topic {@code control}: that of the runs
     * @param responses the id of the topic {@code responses}: that of the facts
     */
    public record Ids(String cluster, String control, String responses) {
        /**
         * Asks the broker, for a few seconds.
         *
         * @throws ExecutionException if it does not answer, or has no such topics
         */
        public static Ids of(Admin admin, TopicNames topicNames) throws ExecutionException, InterruptedException {
            KafkaFuture<String> cluster = admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_MILLIS))
                    .clusterId();
            Map<String, TopicDescription> topics = admin
                    .describeTopics(List.of(topicNames.control(), topicNames.responses()),
                            new DescribeTopicsOptions().timeoutMs(ANSWER_MILLIS))
                    .allTopicNames().get();
            return new Ids(cluster.get(), id(topics, topicNames.control()), id(topics, topicNames.responses()));
        }

        private static String id(Map<String, TopicDescription> topics, String topic) {
            return requireNonNull(topics.get(topic)).topicId().toString();
        }
    }

    /** Kafka has another cluster or other topics at the place of those that the process has begun with. */
    public static final class OtherKafkaException extends RuntimeException {
        OtherKafkaException(String message) {
            super(message);
        }
    }

    /**
     * @param admin closed by this object
     * @param ids those at the start of the process
     * @param replaced is told what differs, as soon as it is noticed
     */
    public KafkaIdentity(Admin admin, TopicNames topicNames, Ids ids, Time time, Consumer<String> replaced) {
        this.admin = admin;
        this.topicNames = topicNames;
        this.ids = ids;
        this.time = time;
        this.replaced = replaced;
        this.confirmed = time.nanos();
    }

    /** Those at the start of the process. */
    public Ids ids() {
        return ids;
    }

    /** Whether the broker has confirmed them within {@link #VALID}: the process has not slept since. Never blocks. */
    public boolean confirmed() {
        return time.nanos() - confirmed < VALID.toNanos();
    }

    /** See {@link SameKafka#confirm}. */
    public void confirm() throws InterruptedException {
        if (!confirmed()) {
            ask();
        }
    }

    /**
     * Asks the broker, in one request. The exceptions are those of {@link #confirm}. Ids of topics are in no two
     * clusters, so it is the same cluster if it has these.
     */
    public void ask() throws InterruptedException {
        long before = time.nanos();
        try {
            if (!hasTopics()) {
                Ids now = Ids.of(admin, topicNames);
                gone = 0;
                if (!now.equals(ids)) {
                    throw other(now.cluster().equals(ids.cluster())
                            ? "the topics of " + topicNames.namespace() + " were deleted and made again"
                            : "Kafka is another cluster");
                }
            }
        } catch (ExecutionException e) {
            throw missing(e.getCause(), before);
        }
        gone = 0;
        confirmed = before;
    }

    private boolean hasTopics() throws ExecutionException, InterruptedException {
        try {
            admin.describeTopics(
                    TopicCollection
                            .ofTopicIds(List.of(Uuid.fromString(ids.control()), Uuid.fromString(ids.responses()))),
                    new DescribeTopicsOptions().timeoutMs(ANSWER_MILLIS)).allTopicIds().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicIdException) {
                return false;
            }
            throw e;
        }
    }

    /** What the process began with does not come back: a coordinator that starts makes other topics. */
    private RuntimeException missing(@Nullable Throwable cause, long now) {
        if (cause instanceof UnknownTopicOrPartitionException) {
            if (gone == 0) {
                gone = now;
            } else if (now - gone > PATIENCE.toNanos()) {
                return other("the topics " + topicNames.control() + " and " + topicNames.responses()
                        + " are not both there any more");
            }
        }
        return cause instanceof KafkaException kafka ? kafka : new KafkaException(cause);
    }

    private OtherKafkaException other(String difference) {
        replaced.accept(difference);
        return new OtherKafkaException(difference);
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
