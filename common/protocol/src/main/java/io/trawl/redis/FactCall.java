package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.redis.FactHashes.FactHash;
import io.trawl.redis.FactHashes.Levels;
import io.trawl.redis.RedisConnection.ScriptCall;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A script is called for some URLs, first with the hashes that most URLs of the run are in, then for those that are
 * elsewhere. Of equal URLs the order stays. Not thread-safe.
 */
final class FactCall<T> {
    /** URLs, or more of their hashes, in one call of a script. */
    static final int LARGEST = 5000;
    private static final int SPLIT = 128;
    private static final int ELSEWHERE = 255;
    /** One of so many URLs may be looked for once more. */
    private static final int FEW = 10;

    private final RedisConnection redis;
    private final FactHashes hashes;
    private final Question<T> question;
    private final List<T> asked;
    private final UrlFacts[] facts;
    private final int[] levels = new int[SPLIT];
    private final Set<FactHash> full = new LinkedHashSet<>();

    FactCall(RedisConnection redis, FactHashes hashes, Question<T> question, List<T> asked) {
        this.redis = redis;
        this.hashes = hashes;
        this.question = question;
        this.asked = asked;
        this.facts = new UrlFacts[asked.size()];
    }

    /**
     * What a script is asked about each URL: its id, and more.
     *
     * @param note what must be in the note beside the hashes, the first key of the script; empty if it has none
     */
    record Question<T>(RedisScript redisScript, Function<T, Fingerprint> url, BiConsumer<T, ByteBuffer> more,
            String note) {}

    /**
     * What was known of each URL.
     *
     * @param likely the levels of the hashes of most URLs that were asked for last
     * @throws OtherCopyException if the note is another one
     */
    List<UrlFacts> answers(Levels likely) {
        List<Integer> left = IntStream.range(0, facts.length).boxed().toList();
        for (Iterator<Levels> tries = hashes.tries(likely).iterator(); !left.isEmpty();) {
            Levels named = tries.next();
            int most = LARGEST / named.count();
            List<Integer> elsewhere = new ArrayList<>();
            for (int from = 0; from < left.size(); from += most) {
                ask(named, left.subList(from, Math.min(left.size(), from + most)), elsewhere);
            }
            left = elsewhere;
        }
        return Arrays.asList(facts);
    }

    /** The hashes that are to be split. */
    Set<FactHash> full() {
        return full;
    }

    /** The levels of the hashes of most of these URLs. */
    Levels likely() {
        int few = facts.length / FEW;
        return new Levels(level(few), level(facts.length - 1 - few));
    }

    /** The level of the hash of a URL, if they are put in the order of their levels. */
    private int level(int place) {
        int level = 0;
        for (int sum = levels[0]; sum <= place; sum += levels[level]) {
            level++;
        }
        return level;
    }

    /**
     * One call for each tag, all in one round trip.
     *
     * @param elsewhere gets the places of URLs whose hash is not among those that were named
     */
    private void ask(Levels named, List<Integer> places, List<Integer> elsewhere) {
        Map<Integer, List<Integer>> byTag = hashes.tags() == 1
                ? Map.of(0, places)
                : places.stream().collect(
                        Collectors.groupingBy(place -> hashes.tag(url(place)), TreeMap::new, Collectors.toList()));
        Iterator<byte[]> replies = redis
                .bytesOfEach(question.redisScript(),
                        byTag.entrySet().stream().map(ofTag -> call(named, ofTag.getKey(), ofTag.getValue())).toList())
                .iterator();
        for (List<Integer> ofTag : byTag.values()) {
            ByteBuffer reply = ByteBuffer.wrap(OtherCopyException.checked(replies.next(), hashes.run()));
            for (Integer place : ofTag) {
                if (!answered(place, reply)) {
                    elsewhere.add(place);
                }
            }
        }
    }

    private Fingerprint url(int place) {
        return question.url().apply(asked.get(place));
    }

    private ScriptCall call(Levels named, int tag, List<Integer> places) {
        List<String> keys = new ArrayList<>(places.size() * named.count() + 1);
        List<byte[]> arguments = new ArrayList<>();
        if (!question.note().isEmpty()) {
            keys.add(hashes.note(tag));
            arguments.add(text(question.note()));
        }
        String prefix = hashes.prefix(tag);
        ByteBuffer packed = ByteBuffer.allocate(3 + places.size() * (FactHashes.ID + PackedFacts.LENGTH));
        packed.put((byte) named.top()).put((byte) named.count()).put((byte) (named.top() == hashes.first() ? 1 : 0));
        for (int place : places) {
            for (int level = named.top(); level <= named.bottom(); level++) {
                keys.add(prefix + FactHashes.path(url(place), level).path());
            }
            FactHashes.id(url(place), packed);
            question.more().accept(asked.get(place), packed);
        }
        arguments.addFirst(Arrays.copyOf(packed.array(), packed.position()));
        return new ScriptCall(keys, arguments);
    }

    private boolean answered(int place, ByteBuffer reply) {
        int level = Byte.toUnsignedInt(reply.get());
        facts[place] = PackedFacts.read(reply);
        if (level == ELSEWHERE) {
            return false;
        }
        levels[level % SPLIT]++;
        if (level >= SPLIT) {
            full.add(FactHashes.path(url(place), level % SPLIT));
        }
        return true;
    }

    /** The run gets the facts of a later run, or from another coordinator. */
    static final class OtherCopyException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private OtherCopyException(CrawlRun run) {
            super(run + " gets the facts of a later run, or from another coordinator");
        }

        /** The reply of a script that found the note that it must find. */
        static byte[] checked(byte[] reply, CrawlRun run) {
            if (reply.length == 0) {
                throw new OtherCopyException(run);
            }
            return reply;
        }
    }
}
