package io.trawl.channel;

import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes of the records that one poll returns. Kafka bounds their number, and the bytes of a fetch while they
 * are compressed: some kilobytes may become as many records of several megabytes as a poll may have. The consumer
 * decompresses record by record and has each deserialized; when one fails, it returns those before, and deserializes
 * this one again in the next poll. So a record that exceeds the budget fails until then. The first one of a poll never
 * does. Confined to the thread that polls.
 */
final class PollBudget extends ByteArrayDeserializer {
    private final long most;
    private long left;
    private boolean first = true;

    /** @param most bytes per poll */
    PollBudget(long most) {
        this.most = most;
    }

    /** To be called before each poll. */
    void renew() {
        left = most;
        first = true;
    }

    @Override
    public byte @Nullable [] deserialize(String topic, Headers headers, @Nullable ByteBuffer value) {
        int bytes = value == null ? 0 : value.remaining();
        if (!first && bytes > left) {
            throw new SerializationException("the next poll returns it");
        }
        first = false;
        left -= bytes;
        return super.deserialize(topic, headers, value);
    }
}
