package io.trawl.redis;

import io.trawl.ledger.Pulse;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.api.redisnode.RedisNodes;

/** A number in Redis that only grows, and the memory of the server. */
final class RedisPulse implements Pulse {
    private final RedisConnection redis;
    private final Keys keys;

    RedisPulse(RedisConnection redis, Keys keys) {
        this.redis = redis;
        this.keys = keys;
    }

    @Override
    public long beat() {
        return redis.call("pulse", client -> client.getAtomicLong(keys.pulse()).incrementAndGetAsync());
    }

    @Override
    public long bytes() {
        return redis.call("memory",
                client -> CompletableFuture.completedFuture(Long.valueOf(client.getRedisNodes(RedisNodes.SINGLE)
                        .getInstance().info(InfoSection.MEMORY).getOrDefault("used_memory", "0"))));
    }
}
