package io.trawl.channel;

import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls of members of a group. When a member was expelled (it was paused for longer than its session), the client may notice in the middle of a poll that
 * a partition is gone whose records it is about to hand out, and throws: records of other partitions that it has passed by then are never handed out
 * (the async consumer of 4.2, seen after SIGSTOP).
 */
public final class Polls {
    private static final Logger LOG = LoggerFactory.getLogger(Polls.class);

    private Polls() {}

    /**
     * Polls.
     *
     * @return empty if the poll was torn: the caller must go back to the last position that it knows in every partition that is still its own
     */
    public static Optional<ConsumerRecords<byte[], byte[]>> poll(Consumer<byte[], byte[]> consumer, Duration time) {
        try {
            return Optional.of(consumer.poll(time));
        } catch (IllegalStateException e) {
            if (!String.valueOf(e.getMessage()).startsWith("No current assignment for partition")) {
                throw e;
            }
            LOG.info("a partition was taken away in the middle of a poll: {}", e.getMessage());
            return Optional.empty();
        }
    }
}
