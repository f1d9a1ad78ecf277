package io.trawl.channel;

import io.trawl.control.ControlView;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A member of a consumer group, for the loops of all stages: it joins, leaves and polls, knows why which partition is
 * paused, and goes back to what is committed. Belongs to the thread that polls; {@link #away} may be called by any.
 */
public final class GroupMember {
    private final Consumer<byte[], byte[]> consumer;
    private final Collection<String> topics;
    private final PollPace pace;
    private final Map<PauseReason, Set<TopicPartition>> paused = new EnumMap<>(PauseReason.class);
    private boolean joined;
    private boolean held;
    private volatile boolean away;

    /** Why nothing is read from a partition. */
    public enum PauseReason {
        /** Nothing counts there yet, since the partition was added by an operator. */
        NOT_SERVED,
        /** What was done there before is not taken over yet. */
        NOT_TAKEN_OVER,
        /** What follows may not be handled now. */
        AT_LIMIT,
        /** Requests of its priority fill the frontier. */
        PRIORITY
    }

    /** The committed offsets of partitions that the broker has forgotten. */
    @FunctionalInterface
    public interface KeptOffsets {
        /** Those that are known. */
        Map<TopicPartition, OffsetAndMetadata> of(String group, Collection<TopicPartition> partitions);
    }

    /**
     * @param consumer remains that of the caller, who closes it
     * @param control tells whether there may be something to handle
     * @param time for the pace of polls
     */
    public GroupMember(Consumer<byte[], byte[]> consumer, Collection<String> topics, ControlView control, Time time) {
        this.consumer = consumer;
        this.topics = List.copyOf(topics);
        this.pace = new PollPace(control, time);
        for (PauseReason reason : PauseReason.values()) {
            paused.put(reason, new HashSet<>());
        }
    }

    /** The client. */
    public Consumer<byte[], byte[]> consumer() {
        return consumer;
    }

    /** Joins the group, unless this process is in it. The listener is called within polls, and when it leaves. */
    public void join(ConsumerRebalanceListener listener) {
        if (!joined) {
            consumer.subscribe(topics, new Pauses(listener));
            joined = true;
            away = false;
        }
    }

    /** Gives all partitions back, through the listener, and leaves the group until {@link #join}. */
    public void leave() {
        if (!away) {
            consumer.unsubscribe();
            paused.values().forEach(Set::clear);
            held = false;
            joined = false;
            away = true;
        }
    }

    /** Whether the process has left its group. */
    public boolean away() {
        return away;
    }

    /**
     * Polls.
     *
     * @param working whether the loop has something to do besides, so that the poll must end soon
     * @return empty if the poll was interrupted: see {@link GroupMembership#poll}
     */
    public Optional<ConsumerRecords<byte[], byte[]>> poll(boolean working) {
        return pace.poll(consumer, working || held || consumer.assignment().isEmpty(), PollPace.USUAL);
    }

    /** Polls for a time that the loop knows best, while it has something to do besides. */
    public Optional<ConsumerRecords<byte[], byte[]>> pollFor(Duration time) {
        return pace.poll(consumer, true, time);
    }

    /** Whether the last turn was a poll; if not, the client knows nothing that it did not know before. */
    public boolean polled() {
        return pace.polled();
    }

    // ---- pauses ----

    /** Reads nothing from all partitions, or goes on; the process remains a member. */
    public void hold(boolean all) {
        if (held != all) {
            held = all;
            if (held) {
                pause(consumer.assignment());
            } else {
                resume(consumer.paused());
            }
        }
    }

    /** Whether nothing is read from any partition. */
    public boolean held() {
        return held;
    }

    /** Reads nothing from partitions until {@link #resume} is called for this reason; those that are gone are left. */
    public void pause(Collection<TopicPartition> partitions, PauseReason reason) {
        List<TopicPartition> own = partitions.stream().filter(consumer.assignment()::contains).toList();
        of(reason).addAll(own);
        pause(own);
    }

    /** Reads on from partitions that are paused for this reason, and for no other. */
    public void resume(Collection<TopicPartition> partitions, PauseReason reason) {
        of(reason).removeAll(Set.copyOf(partitions));
        resume(partitions);
    }

    /** The partitions that are paused for a reason, as they are now. */
    public Set<TopicPartition> paused(PauseReason reason) {
        return Set.copyOf(of(reason));
    }

    private Set<TopicPartition> of(PauseReason reason) {
        return paused.getOrDefault(reason, Set.of());
    }

    /** The client rejects calls for partitions that it has lost, sometimes before the listener hears of it. */
    private void pause(Collection<TopicPartition> own) {
        GroupMembership.whileMember(() -> consumer.pause(own));
    }

    private void resume(Collection<TopicPartition> partitions) {
        if (!held) {
            List<TopicPartition> free = partitions.stream().filter(consumer.assignment()::contains)
                    .filter(partition -> paused.values().stream().noneMatch(some -> some.contains(partition))).toList();
            GroupMembership.whileMember(() -> consumer.resume(free));
        }
    }

    // ---- what is committed ----

    /**
     * Seeks back to the committed offsets of partitions, or to the first record where there is none: the positions are
     * past what is committed, or others have committed meanwhile.
     *
     * @param kept what is known of offsets that the broker has forgotten
     * @return those of {@code kept}, which are to be committed again, since others read the offsets of the group
     * @throws org.apache.kafka.common.errors.TimeoutException if the broker does not answer in time
     */
    public Map<TopicPartition, OffsetAndMetadata> seekCommitted(Collection<TopicPartition> partitions,
            KeptOffsets kept) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(
                consumer.committed(Set.copyOf(partitions), GroupMembership.ANSWER));
        List<TopicPartition> forgotten = new ArrayList<>(partitions);
        forgotten.removeIf(partition -> committed.get(partition) != null);
        Map<TopicPartition, OffsetAndMetadata> restored = kept.of(consumer.groupMetadata().groupId(), forgotten);
        committed.putAll(restored);
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = committed.get(partition);
            if (offset == null) {
                consumer.seekToBeginning(List.of(partition));
            } else {
                consumer.seek(partition, offset);
            }
        }
        return restored;
    }

    /**
     * Keeps the reasons in step with what this process owns. Without a listener a rejoin of the client would go
     * unnoticed, and a zombie's group metadata would look current.
     */
    private final class Pauses implements ConsumerRebalanceListener {
        private final ConsumerRebalanceListener then;

        private Pauses(ConsumerRebalanceListener then) {
            this.then = then;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (held) {
                pause(partitions);
            }
            then.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            paused.values().forEach(some -> some.removeAll(Set.copyOf(partitions)));
            then.onPartitionsRevoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            paused.values().forEach(some -> some.removeAll(Set.copyOf(partitions)));
            then.onPartitionsLost(partitions);
        }
    }
}
