package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore;
import io.trawl.model.CrawlRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The first items of a run as one hash, by content. It is deleted with the facts of the run. Up to {@value #LARGEST_CALL} items take one round trip. */
final class RedisFirstItemStore implements FirstItemStore {
    private static final int LARGEST_CALL = 1000;
    private final RedisConnection redis;
    private final RedisKeys redisKeys;

    RedisFirstItemStore(RedisConnection redis, RedisKeys redisKeys) {
        this.redis = redis;
        this.redisKeys = redisKeys;
    }

    @Override
    public List<String> learn(CrawlRun run, List<ContentOfItem> items) {
        List<String> first = new ArrayList<>(items.size());
        for (int from = 0; from < items.size(); from += LARGEST_CALL) {
            byte[][] arguments = items.subList(from, Math.min(items.size(), from + LARGEST_CALL)).stream()
                    .flatMap(one -> Stream.of(field(one.content()), text(one.item()))).toArray(byte[][]::new);
            redis.list(RedisScript.FIRST_ITEMS, redisKeys.firstItems(run), arguments)
                    .forEach(item -> first.add(new String(item, StandardCharsets.UTF_8)));
        }
        return first;
    }

    private static byte[] field(Fingerprint content) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(content.high()).putLong(content.low()).array();
    }
}
