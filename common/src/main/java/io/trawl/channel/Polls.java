package io.trawl.channel;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedMemberEpochException;
import org.apache.kafka.common.errors.StaleMemberEpochException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls of members of a group. When a member was expelled (it was paused, or its machine was too busy, for longer than its session), the client of 4.2 may
 * notice in the middle of a poll, and throws: that a partition is gone whose records it is about to hand out, or that the offsets from which it wants to
 * begin are not told to a stranger. Records of other partitions that it has passed by then are never handed out. It joins again by itself.
 */
public final class Polls {
    private static final String NO_LONGER_OURS = "No current assignment for partition";
    private static final Logger LOG = LoggerFactory.getLogger(Polls.class);

    private Polls() {}

    /**
     * Polls.
     *
     * @return empty if the poll was torn: the caller must go back to the last position that it knows in every partition that is still its own
     */
    public static Optional<ConsumerRecords<byte[], byte[]>> poll(Consumer<byte[], byte[]> consumer, Duration time) {
        return asMember(() -> consumer.poll(time));
    }

    /** Calls of the client that may end by an exception of type X. */
    @FunctionalInterface
    public interface Step<X extends Exception> {
        /** Makes them. */
        void take() throws X;
    }

    /**
     * Does what only a member of the group may do.
     *
     * @return whether it was done; if not, it ended somewhere in its middle since this member was expelled, or a partition was taken away: the next poll tells
     *         which, and joins again
     */
    public static <X extends Exception> boolean whileMember(Step<X> step) throws X {
        return asMember(() -> {
            step.take();
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
            LOG.info("expelled from the group, or a partition is gone of which this member was not told yet: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Whether an error of the client says that the group no longer knows this member as it is, or that a partition is gone of which it has not been told
     * yet; the next poll tells, and joins again.
     */
    public static boolean expelled(RuntimeException e) {
        return e instanceof UnknownMemberIdException || e instanceof FencedMemberEpochException
                || e instanceof StaleMemberEpochException
                || e instanceof IllegalStateException && String.valueOf(e.getMessage()).startsWith(NO_LONGER_OURS);
    }
}
