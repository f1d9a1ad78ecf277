package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Facts about URLs in small hashes, which Redis keeps in its compact encoding as long as they hold at most
 * {@code hash-max-ziplist-entries} fields. The upper half of a fingerprint chooses the hash, the lower half is the
 * field. Up to {@value #LARGEST_CALL} URLs take one round trip; more are sent in several parts. The first proposed
 * number of buckets of a run stays in force, so that a changed setting does not hide its facts.
 */
final class RedisLedger implements Ledger {
    static final int LARGEST_CALL = 5000;
    static final int MOST_BUCKETS = 1 << 24;
    private static final int ADDRESS = 12;
    private static final int UNLINKED_AT_A_TIME = 1000;
    private static final int COPIED_AT_A_TIME = 250;
    /** Longer than any process is paused. */
    private static final Duration NOTED = Duration.ofDays(1);

    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    private final int proposed;
    private final Map<String, Integer> buckets = new ConcurrentHashMap<>();

    RedisLedger(RedisConnection redis, RedisKeys redisKeys, int buckets) {
        if (buckets < 1 || buckets > MOST_BUCKETS) {
            throw new IllegalArgumentException("1 to " + MOST_BUCKETS + " buckets, not " + buckets);
        }
        this.redis = redis;
        this.redisKeys = redisKeys;
        this.proposed = buckets;
    }

    @Override
    public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
        List<UrlFacts> known = new ArrayList<>(urls.size());
        for (int from = 0; from < urls.size(); from += LARGEST_CALL) {
            List<Fingerprint> part = urls.subList(from, Math.min(urls.size(), from + LARGEST_CALL));
            ByteBuffer packed = ByteBuffer.allocate(part.size() * ADDRESS);
            int count = buckets(run);
            part.forEach(url -> writeAddress(url, count, packed));
            read(redis.bytes(RedisScript.LOOK, redisKeys.ledger(run), packed.array()), known);
        }
        return known;
    }

    @Override
    public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        List<UrlFacts> before = new ArrayList<>(facts.size());
        for (int from = 0; from < facts.size(); from += LARGEST_CALL) {
            List<Fact> part = facts.subList(from, Math.min(facts.size(), from + LARGEST_CALL));
            ByteBuffer packed = ByteBuffer.allocate(part.size() * (ADDRESS + PackedFacts.LENGTH));
            int count = buckets(run);
            for (Fact fact : part) {
                writeAddress(fact.request(), count, packed);
                PackedFacts.write(fact.facts(), packed);
            }
            read(redis.bytes(RedisScript.LEARN, redisKeys.ledger(run), packed.array()), before);
        }
        return before;
    }

    private static void writeAddress(Fingerprint url, int buckets, ByteBuffer to) {
        // The high word of high * buckets: distributed as evenly as a remainder, for every number of buckets.
        to.putInt(bucket(url, buckets)).putLong(url.low());
    }

    private static int bucket(Fingerprint url, int buckets) {
        return (int) Math.unsignedMultiplyHigh(url.high(), buckets);
    }

    private static void read(byte[] reply, List<UrlFacts> to) {
        ByteBuffer packed = ByteBuffer.wrap(reply);
        while (packed.hasRemaining()) {
            to.add(PackedFacts.read(packed));
        }
    }

    private int buckets(CrawlRun run) {
        String key = bucketsKey(run);
        Integer known = buckets.get(key);
        if (known == null) {
            // Outside computeIfAbsent: a call to Redis inside would block other runs.
            known = Integer.valueOf(new String(redis.bytes(RedisScript.AGREE, key, text(proposed), text(MOST_BUCKETS)),
                    StandardCharsets.UTF_8));
            buckets.put(key, known);
        }
        return known;
    }

    private String bucketsKey(CrawlRun run) {
        return redisKeys.ledger(run) + "buckets";
    }

    @Override
    public void forget(CrawlRun run) {
        int count = Math.max(proposed, buckets(run));
        for (int from = 0; from < count; from += UNLINKED_AT_A_TIME) {
            redis.number(RedisScript.UNLINK, redisKeys.ledger(run), text(from),
                    text(Math.min(count, from + UNLINKED_AT_A_TIME) - 1));
        }
        buckets.remove(bucketsKey(run));
        redis.call("forget", client -> client.getKeys().unlinkAsync(bucketsKey(run)));
        redis.call("forget", client -> client.getKeys().unlinkAsync(redisKeys.budgets(run)));
        redis.call("forget", client -> client.getKeys().unlinkAsync(redisKeys.permits(run)));
        redis.call("forget",
                client -> client.getKeys().unlinkAsync(redisKeys.firstItems(run), redisKeys.similarItems(run)));
        redis.call("forget", client -> client.getKeys().unlinkAsync(redisKeys.sessions(run)));
        redis.call("forget",
                client -> client.getKeys().unlinkAsync(redisKeys.domains(run), redisKeys.seedDomains(run)));
    }

    /**
     * {@inheritDoc} A caller that was paused may repeat any part of it. The note in Redis stops one that continues an
     * earlier run.
     */
    @Override
    public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        forget(to);
        int count = buckets(from);
        redis.bytes(RedisScript.AGREE, bucketsKey(to), text(count), text(MOST_BUCKETS));
        Map<Integer, List<Fingerprint>> out = without.stream()
                .collect(Collectors.groupingBy(url -> bucket(url, count) / COPIED_AT_A_TIME));
        for (int first = 0; first < count; first += COPIED_AT_A_TIME) {
            List<Fingerprint> part = out.getOrDefault(first / COPIED_AT_A_TIME, List.of());
            ByteBuffer packed = ByteBuffer.allocate(part.size() * ADDRESS);
            part.forEach(url -> writeAddress(url, count, packed));
            if (redis.number(RedisScript.COPY, redisKeys.ledger(from), text(redisKeys.ledger(to)),
                    text(redisKeys.ledger(to) + "continues"), text(from.epoch()), text(NOTED.toSeconds()), text(first),
                    text(Math.min(count, first + COPIED_AT_A_TIME) - 1), packed.array()) == 0) {
                throw new IllegalStateException(to + " continues a later run than " + from);
            }
        }
    }

    @Override
    public void forgetThrough(CrawlRun last) {
        String crawl = last.crawl().value();
        long done = redis.number(RedisScript.NUMBER_READ, redisKeys.forgotten(), text(crawl));
        for (long epoch = done + 1; epoch <= last.epoch(); epoch++) {
            forget(new CrawlRun(last.crawl(), (int) epoch));
            redis.number(RedisScript.NUMBER_WRITE, redisKeys.forgotten(), text(crawl), text(epoch));
        }
    }
}
