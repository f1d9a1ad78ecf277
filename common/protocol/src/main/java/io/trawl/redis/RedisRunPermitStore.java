package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.RunPermitStore;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The permits of a run as one hash, by request. It is deleted with the facts of the run. */
record RedisRunPermitStore(RedisConnection redis, RedisKeys redisKeys,
        int longestFetchSeconds) implements RunPermitStore {
    @Override
    public int take(CrawlRun run, List<RequestId> requests) {
        return (int) redis.number(RedisScript.PERMITS_TAKE, redisKeys.permits(run), texts(requests.stream()));
    }

    @Override
    public void giveBack(CrawlRun run, Collection<RequestId> requests) {
        redis.number(RedisScript.PERMITS_RETURN, redisKeys.permits(run), texts(requests.stream()));
    }

    @Override
    public void spend(CrawlRun run, Map<RequestId, PermittedPage> pages) {
        redis.number(RedisScript.PERMITS_SPEND, redisKeys.permits(run), texts(pages.entrySet().stream()
                .flatMap(page -> Stream.of(page.getKey(), page.getValue().bytes(), page.getValue().stored() ? 1 : 0))));
    }

    @Override
    public List<RequestId> holders(CrawlRun run) {
        return redis.list(RedisScript.PERMITS_HOLDERS, redisKeys.permits(run)).stream()
                .map(id -> RequestId.parse(new String(id, StandardCharsets.UTF_8))).toList();
    }

    @Override
    public void settle(CrawlRun run, Room room, Collection<RequestId> counted) {
        redis.number(RedisScript.PERMITS_SETTLE, redisKeys.permits(run),
                texts(Stream.concat(Stream.of(room.pages(), room.bytes(), longestFetchSeconds), counted.stream())));
    }

    private static byte[][] texts(Stream<?> values) {
        return values.map(value -> text(value)).toArray(byte[][]::new);
    }
}
