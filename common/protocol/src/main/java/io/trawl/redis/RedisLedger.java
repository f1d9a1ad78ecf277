package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.redis.RedisConnection.ScriptCall;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Facts about URLs in small hashes, which Redis keeps in its compact encoding as long as they hold at most
 * {@code hash-max-ziplist-entries} fields. The upper half of a fingerprint chooses the hash, the lower half is the
 * field. Up to {@value #LARGEST_CALL} URLs take one round trip; more are sent in several parts. The first proposed
 * number of buckets of a run stays in force, so that a changed setting does not hide its facts; so does the number of
 * tags, by which a Redis Cluster spreads the buckets over its masters.
 */
final class RedisLedger implements Ledger {
    static final int LARGEST_CALL = 5000;
    static final int MOST_BUCKETS = 1 << 24;
    private static final int FIELD = 8;
    private static final int ADDRESS = 12;
    private static final int UNLINKED_AT_A_TIME = 1000;
    private static final int COPIED_AT_A_TIME = 250;
    /** Longer than any process is paused. */
    private static final Duration NOTED = Duration.ofDays(1);

    /** The set of the numbers of hashes. */
    private static final String MARKED = "marked";
    /** The note that hashes are there which are not marked. */
    private static final String ALL = "all";

    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    private final Buckets proposed;
    private final Map<String, Buckets> buckets = new ConcurrentHashMap<>();

    RedisLedger(RedisConnection redis, RedisKeys redisKeys, int buckets) {
        if (buckets < 1 || buckets > MOST_BUCKETS) {
            throw new IllegalArgumentException("1 to " + MOST_BUCKETS + " buckets, not " + buckets);
        }
        this.redis = redis;
        this.redisKeys = redisKeys;
        this.proposed = new Buckets(buckets, redis.servers().tags());
    }

    /**
     * The hashes of a run.
     *
     * @param count their number
     * @param tags into how many parts of the keys' space they are spread: each has neighbouring hashes
     */
    private record Buckets(int count, int tags) {
        int of(Fingerprint url) {
            // The high word of high * count: distributed as evenly as a remainder, for every number of buckets.
            return (int) Math.unsignedMultiplyHigh(url.high(), count);
        }

        int tag(int bucket) {
            return (int) ((long) bucket * tags / count);
        }

        /** All buckets in ranges of one tag and of a largest size. */
        List<BucketRange> ranges(int largest) {
            List<BucketRange> ranges = new ArrayList<>();
            for (int first = 0; first < count;) {
                int tag = tag(first);
                int next = (int) Math.ceilDiv((tag + 1L) * count, tags);
                int last = Math.min(next, first + largest) - 1;
                ranges.add(new BucketRange(tag, first, last));
                first = last + 1;
            }
            return ranges;
        }
    }

    private record BucketRange(int tag, int first, int last) {
        IntStream numbers() {
            return IntStream.rangeClosed(first, last);
        }
    }

    @Override
    public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
        return ask(run, List.of(), RedisScript.LOOK, urls, url -> url, (_, _) -> {});
    }

    @Override
    public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        return ask(run, List.of(MARKED), RedisScript.LEARN, facts, Fact::request,
                (fact, packed) -> PackedFacts.write(fact.facts(), packed));
    }

    /** @param first the names of the first keys of the script, after which it has those of the hashes */
    private <T> List<UrlFacts> ask(CrawlRun run, List<String> first, RedisScript script, List<T> asked,
            Function<T, Fingerprint> url, BiConsumer<T, ByteBuffer> more) {
        List<UrlFacts> answers = new ArrayList<>(asked.size());
        for (int from = 0; from < asked.size(); from += LARGEST_CALL) {
            answers.addAll(part(run, first, script, asked.subList(from, Math.min(asked.size(), from + LARGEST_CALL)),
                    url, more));
        }
        return answers;
    }

    /** One call for each tag, all in one round trip. Of equal URLs the order stays. */
    private <T> List<UrlFacts> part(CrawlRun run, List<String> first, RedisScript script, List<T> asked,
            Function<T, Fingerprint> url, BiConsumer<T, ByteBuffer> more) {
        Buckets of = buckets(run);
        Map<Integer, List<Integer>> places = IntStream.range(0, asked.size()).boxed().collect(Collectors
                .groupingBy(place -> of.tag(of.of(url.apply(asked.get(place)))), TreeMap::new, Collectors.toList()));
        List<ScriptCall> calls = new ArrayList<>();
        places.forEach((tag, ofTag) -> {
            String prefix = redisKeys.ledger(run, tag);
            List<String> keys = new ArrayList<>(first.size() + ofTag.size());
            first.forEach(name -> keys.add(prefix + name));
            ByteBuffer packed = ByteBuffer.allocate(ofTag.size() * (FIELD + PackedFacts.LENGTH));
            for (int place : ofTag) {
                Fingerprint asks = url.apply(asked.get(place));
                keys.add(prefix + of.of(asks));
                packed.putLong(asks.low());
                more.accept(asked.get(place), packed);
            }
            calls.add(new ScriptCall(keys, Arrays.copyOf(packed.array(), packed.position())));
        });
        UrlFacts[] answers = new UrlFacts[asked.size()];
        Iterator<byte[]> replies = redis.bytesOfEach(script, calls).iterator();
        places.values().forEach(ofTag -> {
            ByteBuffer reply = ByteBuffer.wrap(replies.next());
            ofTag.forEach(place -> answers[place] = PackedFacts.read(reply));
        });
        return Arrays.asList(answers);
    }

    private Buckets buckets(CrawlRun run) {
        String key = bucketsKey(run);
        Buckets known = buckets.get(key);
        if (known == null) {
            // Outside computeIfAbsent: a call to Redis inside would block other runs.
            known = agreed(run, proposed);
            buckets.put(key, known);
        }
        return known;
    }

    private Buckets agreed(CrawlRun run, Buckets wanted) {
        return new Buckets(agreed(bucketsKey(run), wanted.count(), MOST_BUCKETS),
                agreed(tagsKey(run), wanted.tags(), RedisServers.MOST_TAGS));
    }

    private int agreed(String key, int wanted, int most) {
        return Integer.parseInt(
                new String(redis.bytes(RedisScript.AGREE, key, text(wanted), text(most)), StandardCharsets.UTF_8));
    }

    private String bucketsKey(CrawlRun run) {
        return redisKeys.ledger(run) + "buckets";
    }

    private String tagsKey(CrawlRun run) {
        return redisKeys.ledger(run) + "tags";
    }

    /**
     * {@inheritDoc} It takes two round trips for a small run, and for a large one bounded calls, one after the other.
     */
    @Override
    public void forget(CrawlRun run) {
        Buckets agreed = buckets(run);
        List<String> marked = redis.bytesOfEach(RedisScript.MARKED,
                IntStream.range(0, agreed.tags()).mapToObj(tag -> redisKeys.ledger(run, tag))
                        .map(prefix -> new ScriptCall(List.of(prefix + MARKED, prefix + ALL), new byte[0])).toList())
                .stream().map(numbers -> new String(numbers, StandardCharsets.UTF_8)).toList();
        redis.bytesOfEach(RedisScript.FORGET, IntStream.range(0, agreed.tags())
                .filter(tag -> !marked.get(tag).isEmpty() && !marked.get(tag).equals(ALL))
                .mapToObj(tag -> new ScriptCall(Stream.concat(Stream.of(MARKED), Stream.of(marked.get(tag).split(" ")))
                        .map(name -> redisKeys.ledger(run, tag) + name).toList(), new byte[0]))
                .toList());
        IntStream.range(0, agreed.tags()).filter(tag -> marked.get(tag).equals(ALL))
                .forEach(tag -> unlinkAll(run, agreed, tag));
        buckets.remove(bucketsKey(run));
        unlink(bucketsKey(run), tagsKey(run));
        unlink(redisKeys.budgets(run));
        unlink(redisKeys.permits(run));
        unlink(redisKeys.items(run).toArray(String[]::new));
        unlink(redisKeys.sessions(run));
        unlink(redisKeys.domains(run), redisKeys.seedDomains(run));
    }

    private void unlink(String... keys) {
        redis.call("forget", client -> client.getKeys().unlinkAsync(keys));
    }

    /** Some processes may have used the proposed number. Until the note of it is gone, the next call does it again. */
    private void unlinkAll(CrawlRun run, Buckets agreed, int tag) {
        String prefix = redisKeys.ledger(run, tag);
        Stream.of(agreed, new Buckets(Math.max(proposed.count(), agreed.count()), agreed.tags())).distinct()
                .flatMap(all -> all.ranges(UNLINKED_AT_A_TIME).stream()).filter(range -> range.tag() == tag)
                .forEach(range -> unlink(range.numbers().mapToObj(bucket -> prefix + bucket).toArray(String[]::new)));
        unlink(prefix + ALL);
    }

    /**
     * {@inheritDoc} A caller that was paused may repeat any part of it. The note in Redis stops one that continues an
     * earlier run.
     */
    @Override
    public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        forget(to);
        Buckets of = buckets(from);
        agreed(to, of);
        Map<Integer, List<Fingerprint>> out = without.stream().collect(Collectors.groupingBy(of::of));
        for (BucketRange range : of.ranges(COPIED_AT_A_TIME)) {
            List<Fingerprint> part = range.numbers().mapToObj(bucket -> out.getOrDefault(bucket, List.of()))
                    .flatMap(List::stream).toList();
            ByteBuffer packed = ByteBuffer.allocate(part.size() * ADDRESS);
            part.forEach(url -> packed.putInt(of.of(url) - range.first() + 1).putLong(url.low()));
            String one = redisKeys.ledger(from, range.tag());
            String other = redisKeys.ledger(to, range.tag());
            List<String> keys = Stream
                    .concat(Stream.of(other + "continues", other + MARKED),
                            range.numbers().boxed().flatMap(bucket -> Stream.of(one + bucket, other + bucket)))
                    .toList();
            if (redis.number(RedisScript.COPY, keys, text(from.epoch()), text(NOTED.toSeconds()),
                    packed.array()) == 0) {
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
