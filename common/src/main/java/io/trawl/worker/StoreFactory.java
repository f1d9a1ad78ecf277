package io.trawl.worker;

import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;

/** Opens the store of a module, which closes it when it stops. */
@FunctionalInterface
public interface StoreFactory {
    /**
     * Opens the store for a Kafka cluster and its topic {@code responses}.
     *
     * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer yet: the module calls again
     */
    RedisStore open(String clusterId, String responsesTopicId);

    /** For a process with one module: a store with a Redis client of its own. */
    static StoreFactory ofProcess(Settings settings, Time time) {
        return (clusterId, responsesTopicId) -> RedisStore.connect(settings.redis().url(), settings.namespace(), clusterId,
                responsesTopicId, time);
    }
}
