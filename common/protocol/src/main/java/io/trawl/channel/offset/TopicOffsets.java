package io.trawl.channel.offset;

import io.trawl.store.LogEndStore.LogEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The broker's view of offsets: the ends of topics and the committed offsets of groups. Thread-safe; calls block until
 * the broker answers, and throw {@link KafkaException} when it does not.
 */
public final class TopicOffsets implements AutoCloseable {
    /** After so many calls the broker is asked again for the partitions of a topic. */
    private static final int USES = 10;
    /** After so long the broker is asked whether the topics are still there. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private final Admin admin;
    private final Predicate<TopicPartition> served;
    /**
     * A topic can only gain partitions, and how many count is on {@code control}, so with those an old number misses
     * none that counts. To ask for it takes two requests, and ends are asked for every second.
     */
    private final Map<String, Partitions> known = new ConcurrentHashMap<>();

    private record Partitions(int count, String id, int uses) {
        Partitions used() {
            return new Partitions(count, id, uses + 1);
        }
    }

    /** @param admin closed by this object */
    public TopicOffsets(Admin admin) {
        this(admin, partition -> true);
    }

    /** @param served the partitions whose ends count */
    public TopicOffsets(Admin admin, Predicate<TopicPartition> served) {
        this.admin = admin;
        this.served = served;
    }

    /**
     * The high-water marks of topics, by partition: every acknowledged or committed record lies below them. The last
     * stable offset is not enough, since a commit is confirmed before each partition has its marker.
     *
     * @throws KafkaException if the broker does not answer, or a topic does not exist
     */
    public Map<TopicPartition, Long> ends(Collection<String> topics) throws InterruptedException {
        Map<TopicPartition, Long> ends = new HashMap<>();
        logEnds(topics).forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    /** The last stable offsets of topics, by partition: below them no transaction is open. */
    public Map<TopicPartition, Long> stable(Collection<String> topics) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions(topics).stream().filter(served).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, Long> stable = new HashMap<>();
        listed(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .forEach((partition, info) -> stable.put(partition, info.offset()));
        return stable;
    }

    /** The same as {@link #ends}, with the epochs of the leaders that wrote the last records. */
    public Map<TopicPartition, LogEnd> logEnds(Collection<String> topics) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions(topics).stream().filter(served).forEach(partition -> asked.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, LogEnd> ends = new HashMap<>();
        try {
            listed(asked, new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                    .forEach((partition, info) -> ends.put(partition, new LogEnd(info.offset(),
                            info.leaderEpoch().orElse(LogEnd.NO_EPOCH), id(partition.topic()))));
        } catch (KafkaException e) {
            forget();
            throw e;
        }
        return ends;
    }

    private String id(String topic) {
        return Optional.ofNullable(known.get(topic)).map(Partitions::id).orElse("");
    }

    private List<TopicPartition> partitions(Collection<String> topics) throws InterruptedException {
        Map<String, Integer> counts = new HashMap<>();
        List<String> unknown = new ArrayList<>();
        for (String topic : topics) {
            Partitions last = known.computeIfPresent(topic,
                    (name, before) -> before.uses() < USES ? before.used() : null);
            if (last == null) {
                unknown.add(topic);
            } else {
                counts.put(topic, last.count());
            }
        }
        if (!unknown.isEmpty()) {
            get(() -> admin.describeTopics(unknown).allTopicNames().get()).values().forEach(topic -> {
                counts.put(topic.name(), topic.partitions().size());
                known.put(topic.name(), new Partitions(topic.partitions().size(), topic.topicId().toString(), 0));
            });
        }
        return counts.entrySet().stream().flatMap(topic -> IntStream.range(0, atLeast(topic.getKey(), topic.getValue()))
                .mapToObj(number -> new TopicPartition(topic.getKey(), number))).toList();
    }

    /** The partitions that the broker had, and those that count: another broker, or this one later, has them. */
    private int atLeast(String topic, int present) {
        if (served.test(new TopicPartition(topic, Integer.MAX_VALUE))) {
            return present;
        }
        return IntStream.iterate(present, number -> number + 1)
                .filter(number -> !served.test(new TopicPartition(topic, number))).findFirst().orElseThrow();
    }

    /** Asks the broker again for the partitions of all topics at the next call. */
    public void forget() {
        known.clear();
    }

    /**
     * Kafka waits for a topic that is gone until its time-out; whoever asks every second is not to stand still for so
     * long.
     */
    private Map<TopicPartition, ListOffsetsResultInfo> listed(Map<TopicPartition, OffsetSpec> asked,
            ListOffsetsOptions options) throws InterruptedException {
        KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> answer = admin.listOffsets(asked, options).all();
        Set<String> topics = asked.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet());
        return get(() -> {
            while (true) {
                try {
                    return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    admin.describeTopics(topics).allTopicNames().get();
                }
            }
        });
    }

    /** The log start offsets of partitions: earlier records are deleted. */
    public Map<TopicPartition, Long> starts(Collection<TopicPartition> partitions) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, OffsetSpec.earliest()));
        Map<TopicPartition, Long> starts = new HashMap<>();
        listed(asked, new ListOffsetsOptions()).forEach((partition, info) -> starts.put(partition, info.offset()));
        return starts;
    }

    /**
     * The offsets of the first records at or after a time, by the times of their records; {@link Long#MAX_VALUE} where
     * all are older.
     */
    public Map<TopicPartition, Long> since(Collection<TopicPartition> partitions, Instant time)
            throws InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, OffsetSpec.forTimestamp(time.toEpochMilli())));
        Map<TopicPartition, Long> since = new HashMap<>();
        listed(asked, new ListOffsetsOptions())
                .forEach((partition, info) -> since.put(partition, info.offset() < 0 ? Long.MAX_VALUE : info.offset()));
        return since;
    }

    /**
     * The committed offsets of a group; empty for a group that does not exist. While a transaction is open this shows
     * the offset before it; the stable view would omit the partition.
     */
    public Map<TopicPartition, OffsetAndMetadata> committed(String group) throws InterruptedException {
        return committed(Set.of(group)).getOrDefault(group, Map.of());
    }

    /**
     * The same after every transaction that is decided: a commit returns before the group knows of it, and until then
     * {@link #committed} returns the offsets before. Waits for those that are open.
     */
    public Map<TopicPartition, OffsetAndMetadata> settled(String group) throws InterruptedException {
        try {
            return get(() -> admin
                    .listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata().get());
        } catch (GroupIdNotFoundException e) {
            return Map.of();
        }
    }

    /** The same of several groups, in one request to each of their coordinators. */
    public Map<String, Map<TopicPartition, OffsetAndMetadata>> committed(Set<String> groups)
            throws InterruptedException {
        ListConsumerGroupOffsetsResult asked = admin.listConsumerGroupOffsets(
                groups.stream().collect(Collectors.toMap(group -> group, _ -> new ListConsumerGroupOffsetsSpec())));
        Map<String, Map<TopicPartition, OffsetAndMetadata>> committed = new HashMap<>();
        for (String group : groups) {
            try {
                committed.put(group, get(() -> asked.partitionsToOffsetAndMetadata(group).get()));
            } catch (GroupIdNotFoundException e) {
                committed.put(group, Map.of());
            }
        }
        return committed;
    }

    /**
     * Commits offsets for a group that has no members.
     *
     * @throws KafkaException if the broker does not answer, or the group has members
     */
    public void commit(String group, Map<TopicPartition, OffsetAndMetadata> positions) throws InterruptedException {
        get(() -> admin.alterConsumerGroupOffsets(group, positions).all().get());
    }

    private interface Call<T> {
        T run() throws ExecutionException, InterruptedException;
    }

    private static <T> T get(Call<T> call) throws InterruptedException {
        try {
            return call.run();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
