package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.SeedDomains;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * The domains that a run accepts for its seeds, as a hash: the names, and {@code #version}. Up to
 * {@value #LARGEST_CALL} names take one round trip.
 */
record RedisSeedDomains(RedisConnection redis, RedisKeys redisKeys) implements SeedDomainStore {
    private static final int LARGEST_CALL = 1000;

    @Override
    public long version(CrawlRun run) {
        return Long.parseLong(new String(redis.list(RedisScript.DOMAINS_READ, redisKeys.seedDomains(run)).getFirst(),
                StandardCharsets.UTF_8));
    }

    @Override
    public void add(CrawlRun run, long before, SeedDomains added) {
        List<String> names = List.copyOf(added.names());
        for (int from = 0; from == 0 || from < names.size(); from += LARGEST_CALL) {
            int to = Math.min(names.size(), from + LARGEST_CALL);
            // The version comes with the last of them.
            Stream<Long> versions = to == names.size() ? Stream.of(before, added.version()) : Stream.of(0L, 0L);
            redis.number(
                    RedisScript.DOMAINS_ADD, redisKeys.seedDomains(run), Stream
                            .concat(versions.map(RedisConnection::text),
                                    names.subList(from, to).stream().map(RedisConnection::text))
                            .toArray(byte[][]::new));
        }
    }
}
