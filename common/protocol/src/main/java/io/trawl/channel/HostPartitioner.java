package io.trawl.channel;

import io.trawl.admission.HostKeyFactory;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.TraceContext;
import io.trawl.telemetry.Tracing;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** The topic, key and partition of a host's requests. Pure functions. */
public final class HostPartitioner {
    private HostPartitioner() {}

    /**
     * The record of a request: the one place where its topic, key and partition are chosen. Kafka's producers would
     * choose the partition by the count that the broker has now. If an operator adds partitions to a topic, the
     * requests of a host would then be in two partitions, and two downloaders would ask it at the same time.
     *
     * @param trace the trace context for its headers
     */
    public static ProducerRecord<byte[], byte[]> record(TopicNames topicNames, Channels channels, Request request,
            TraceContext trace) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                topicNames.requests(channels.generation(), channels.level(request.priority())),
                of(request.host(), channels), key(request.host(), channels), Codec.encode(request));
        Tracing.write(trace, record.headers());
        return record;
    }

    private static byte[] key(HostKey server, Channels channels) {
        return HostKeyFactory.politeness(server, channels.politeness()).value().getBytes(StandardCharsets.UTF_8);
    }

    /** The partition of all requests of a server, in the topic of every priority, by the count on {@code control}. */
    public static int of(HostKey server, Channels channels) {
        return of(key(server, channels), channels);
    }

    /** The partition of the requests with this record key. */
    public static int of(byte[] key, Channels channels) {
        return BuiltInPartitioner.partitionForKey(key, channels.partitions());
    }
}
