package io.trawl.coordinator;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.model.Durations;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Deletes what a deployment has in Kafka and Redis (S2, initialisation with reset): its groups, its topics and its
 * keys. The next coordinator creates the topics again. A reset that was interrupted is completed by another.
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
        RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(settings.redis()), settings.namespace(),
                time);
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
     * @param gone names modules that will not come back, although they have not said that they end
     * @throws NamespaceInUseException if a module is registered, a group has members, or another module has not said
     * that it ends
     */
    public List<String> topics(Set<String> gone) throws InterruptedException {
        List<String> users = new ArrayList<>(
                redis.registrar().all().stream().map(module -> module.mid().toString()).toList());
        Map<String, KafkaFuture<ConsumerGroupDescription>> groups = admin.describeConsumerGroups(groups())
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
        List<String> unended = redis.registrar().unended().entrySet().stream()
                .filter(module -> gone.stream().noneMatch(module.getKey()::isNamed))
                .map(module -> module.getKey() + " (last heard of " + Durations.format(module.getValue()) + " ago)")
                .toList();
        if (!unended.isEmpty()) {
            throw NamespaceInUseException.unended(topicNames.namespace(), unended);
        }
        try {
            return admin.listTopics().names().get().stream().filter(topicNames::owns).sorted().toList();
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    /**
     * Deletes everything. The parameters and exceptions are those of {@link #topics}; then nothing is deleted.
     */
    public Deletion clear(Set<String> gone) throws InterruptedException {
        List<String> topics = topics(gone);
        for (KafkaFuture<Void> group : admin.deleteConsumerGroups(groups()).deletedGroups().values()) {
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

    private List<String> groups() throws InterruptedException {
        try {
            return admin.listGroups().all().get().stream().map(GroupListing::groupId).filter(topicNames::ownsGroup)
                    .toList();
        } catch (ExecutionException e) {
            throw failure(e);
        }
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
        private NamespaceInUseException(String message) {
            super(message);
        }

        NamespaceInUseException(String namespace, List<String> users) {
            this("the namespace " + namespace + " is in use by " + String.join(", ", users)
                    + ": stop all processes first; the entry of a killed one ends by itself within TRAWL_LEASE");
        }

        static NamespaceInUseException unended(String namespace, List<String> modules) {
            return new NamespaceInUseException("processes of the namespace " + namespace
                    + " have not said that they end: " + String.join(", ", modules)
                    + ". One that sleeps would wake up among other crawls: let it end."
                    + " If it was killed, or its machine is gone, name it: --gone "
                    + modules.stream().map(module -> module.substring(0, module.indexOf('|'))).distinct()
                            .collect(Collectors.joining(",")));
        }
    }
}
