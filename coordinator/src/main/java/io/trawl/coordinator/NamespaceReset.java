package io.trawl.coordinator;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.redis.RedisModuleStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Deletes what a deployment has in Kafka and Redis (S2, initialisation with reset): its groups, its topics and its keys. The next coordinator creates
 * the topics again. A reset that was interrupted is completed by another.
 */
public final class NamespaceReset implements AutoCloseable {
    private final TopicNames topicNames;
    private final Admin admin;
    private final RedisModuleStore redis;

    /** What was deleted. */
    public record Deletion(int topics, long keys) {}

    private NamespaceReset(TopicNames topicNames, Admin admin, RedisModuleStore redis) {
        this.topicNames = topicNames;
        this.admin = admin;
        this.redis = redis;
    }

    /** Connects to the servers of a deployment. */
    public static NamespaceReset open(Settings settings, Time time) {
        RedisModuleStore redis = RedisModuleStore.connect(settings.redis().url(), settings.namespace(), time);
        try {
            return new NamespaceReset(new TopicNames(settings.namespace()), new KafkaClients(settings).admin(), redis);
        } catch (RuntimeException e) {
            redis.close();
            throw e;
        }
    }

    /**
     * The topics of the deployment.
     *
     * @throws NamespaceInUseException if a module is registered, or a group has members
     */
    public List<String> topics() throws InterruptedException {
        List<String> users = new ArrayList<>(redis.registrar().all().stream().map(module -> module.mid().toString()).toList());
        Map<String, KafkaFuture<ConsumerGroupDescription>> groups = admin.describeConsumerGroups(topicNames.groups())
                .describedGroups();
        for (KafkaFuture<ConsumerGroupDescription> group : groups.values()) {
            try {
                group.get().members().forEach(member -> users.add(member.clientId()));
            } catch (ExecutionException e) {
                unless(e, GroupIdNotFoundException.class);
            }
        }
        if (!users.isEmpty()) {
            throw new NamespaceInUseException(topicNames.namespace(), users.stream().distinct().toList());
        }
        try {
            return admin.listTopics().names().get().stream().filter(topicNames::owns).sorted().toList();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /**
     * Deletes everything.
     *
     * @throws NamespaceInUseException if a module is registered, or a group has members; nothing is deleted
     */
    public Deletion clear() throws InterruptedException {
        List<String> topics = topics();
        for (KafkaFuture<Void> group : admin.deleteConsumerGroups(topicNames.groups()).deletedGroups().values()) {
            try {
                group.get();
            } catch (ExecutionException e) {
                unless(e, GroupIdNotFoundException.class);
            }
        }
        for (KafkaFuture<Void> topic : admin.deleteTopics(topics).topicNameValues().values()) {
            try {
                topic.get();
            } catch (ExecutionException e) {
                unless(e, UnknownTopicOrPartitionException.class);
            }
        }
        return new Deletion(topics.size(), redis.clear());
    }

    @Override
    public void close() {
        admin.close();
        redis.close();
    }

    private static void unless(ExecutionException e, Class<? extends KafkaException> fine) {
        if (!fine.isInstance(e.getCause())) {
            throw failure(e);
        }
    }

    private static KafkaException failure(ExecutionException e) {
        return e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e);
    }

    /** Processes of the deployment are alive. The message names them. */
    public static final class NamespaceInUseException extends RuntimeException {
        NamespaceInUseException(String namespace, List<String> users) {
            super("the namespace " + namespace + " is in use by " + String.join(", ", users)
                    + ": stop all processes first; the entry of a killed one ends by itself within TRAWL_LEASE");
        }
    }
}
