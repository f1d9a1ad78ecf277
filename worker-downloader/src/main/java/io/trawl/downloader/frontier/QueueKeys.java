package io.trawl.downloader.frontier;

import io.trawl.admission.HostKeys;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import java.util.Collection;

/** What the servers share by in this process: their pauses, their limit of requests in flight, and one queue. Thread-safe. */
public interface QueueKeys {
    /** The key of a server's requests, the same each time. What is such a key already, or names no server, is its own. Never blocks. */
    HostKey of(HostKey server);

    /** Finds out what {@link #of} will need to know about servers that are about to be told to the frontier. May block for some seconds; never fails. */
    default void learn(Collection<HostKey> servers) {}

    /** The keys that follow from the servers alone. */
    static QueueKeys by(PolitenessKey key) {
        return server -> HostKeys.politeness(server, key);
    }
}
