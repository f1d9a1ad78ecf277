package io.trawl.analyzer.loop;

import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMember.PauseReason;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * The partitions that are not handled now: those that do not count, and those that are at their limit. They are paused
 * until they count, or their limit is higher. Belongs to the thread of the member.
 */
final class LimitedPartitions {
    private final GroupMember member;
    private final ServedPartitions served;
    /** Those that are at their limit, with it. */
    private final Map<TopicPartition, Long> limited = new HashMap<>();

    LimitedPartitions(GroupMember member, ServedPartitions served) {
        this.member = member;
        this.served = served;
    }

    void assigned(Collection<TopicPartition> partitions) {
        member.pause(partitions.stream().filter(partition -> !served.serves(partition)).toList(),
                PauseReason.NOT_SERVED);
    }

    void revoked(Collection<TopicPartition> partitions) {
        partitions.forEach(limited::remove);
    }

    /** A partition may begin to count, and a limit may be higher than it was. */
    void look() {
        List<TopicPartition> counted = member.paused(PauseReason.NOT_SERVED).stream().filter(served::serves).toList();
        if (!counted.isEmpty()) {
            member.resume(counted, PauseReason.NOT_SERVED);
        }
        List<TopicPartition> further = limited.entrySet().stream()
                .filter(at -> served.limit(at.getKey()) > at.getValue()).map(Map.Entry::getKey).toList();
        if (!further.isEmpty()) {
            further.forEach(limited::remove);
            member.resume(further, PauseReason.AT_LIMIT);
        }
    }

    /** What of a poll may be handled now. */
    PollLimit below(ConsumerRecords<byte[], byte[]> polled) {
        if (!polled.isEmpty()) {
            served.refresh();
        }
        return new PollLimit(polled, served::limit);
    }

    /** Pauses partitions of which all below these limits is handled. */
    void pauseAt(Map<TopicPartition, Long> limits) {
        limited.putAll(limits);
        member.pause(limits.keySet(), PauseReason.AT_LIMIT);
    }
}
