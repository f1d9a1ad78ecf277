package io.trawl.channel;

import io.trawl.admission.HostKeys;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.model.HostKey;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;

/** Where a host's requests stand. Pure functions. */
public final class RequestPartitions {
    private RequestPartitions() {}

    /** The key of a server's requests, as bytes of a record. */
    public static byte[] key(HostKey server, Channels channels) {
        return HostKeys.politeness(server, channels.politeness()).value().getBytes(StandardCharsets.UTF_8);
    }

    /** The number of the partition in which all requests of a server stand, in the topic of every priority: that which Kafka's producers choose for their key. */
    public static int of(HostKey server, Channels channels) {
        return BuiltInPartitioner.partitionForKey(key(server, channels), channels.partitions());
    }
}
