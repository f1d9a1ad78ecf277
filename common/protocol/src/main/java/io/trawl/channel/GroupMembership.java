package io.trawl.channel;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedMemberEpochException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.protocol.Errors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls of members of a group. When a member was expelled (it was paused, or its machine was too busy, for longer than
 * its session), the client of 4.2 may notice in the middle of a poll and throw: a partition is gone whose records it is
 * about to return, or is gone and assigned again, or the broker refuses the committed offsets to a former member. The
 * client never returns the records of other partitions that it has passed by then. It rejoins by itself.
 */
public final class GroupMembership {
    /**
     * How long a call of a loop may wait for the broker. While the group changes, the broker answers with errors that
     * the client repeats for its default of a minute, and only a poll gives up the partitions for which the other
     * members wait.
     */
    public static final Duration ANSWER = Duration.ofSeconds(2);
    /**
     * What the client says of a partition that is gone, of one that is gone and was assigned again, and of one that is
     * gone when it is asked for its position.
     */
    private static final List<String> NO_LONGER_OURS = List.of("No current assignment for partition",
            "Cannot set a new position without a valid current position",
            "You can only check the position for partitions assigned to this consumer");
    private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);

    private GroupMembership() {}

    /**
     * Polls.
     *
     * @return empty if the poll was interrupted: the caller must seek back to its last known position in every
     * partition that it still owns
     */
    public static Optional<ConsumerRecords<byte[], byte[]>> poll(Consumer<byte[], byte[]> consumer, Duration time) {
        return asMember(() -> consumer.poll(time));
    }

    /** Calls of the client that may end by an exception of type X. */
    @FunctionalInterface
    public interface GroupCall<X extends Exception> {
        /** Makes the calls. */
        void take() throws X;
    }

    /**
     * Makes calls that only a member of the group may make.
     *
     * @return whether all were made; if not, the calls ended part-way since this member was expelled or lost a
     * partition: the next poll reports which, and rejoins
     */
    public static <X extends Exception> boolean whileMember(GroupCall<X> groupCall) throws X {
        return asMember(() -> {
            groupCall.take();
            return true;
        }).isPresent();
    }

    @FunctionalInterface
    private interface Call<T, X extends Exception> {
        T make() throws X;
    }

    private static <T, X extends Exception> Optional<T> asMember(Call<T, X> call) throws X {
        try {
            return Optional.of(call.make());
        } catch (KafkaException | IllegalStateException e) {
            if (!expelled(e)) {
                throw e;
            }
            LOG.info("expelled from the group, or lost a partition before the rebalance callback: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Whether an error of the client means that the group has expelled this member, or that a partition was revoked
     * before the client was notified; the next poll rejoins.
     */
    public static boolean expelled(RuntimeException e) {
        return e instanceof UnknownMemberIdException || e instanceof FencedMemberEpochException
                || e instanceof StaleMemberEpochException || e instanceof IllegalStateException
                        && NO_LONGER_OURS.stream().anyMatch(String.valueOf(e.getMessage())::startsWith);
    }

    /**
     * Whether an error of the client means that the broker knows no such group any more; only a new consumer joins it
     * again. A heartbeat says so by its type, a commit by its text.
     */
    public static boolean forgotten(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof GroupIdNotFoundException || cause instanceof KafkaException
                    && String.valueOf(cause.getMessage()).endsWith(Errors.GROUP_ID_NOT_FOUND.message())) {
                return true;
            }
        }
        return false;
    }
}
