package io.trawl.redis;

import io.trawl.ledger.Fingerprint;
import io.trawl.model.CrawlRun;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of the hashes that hold the facts of a run: a tree. Each two bits of the id of a URL choose one of the four
 * hashes into which a full one was split. In a Redis Cluster the first levels choose the tag, so that all hashes below
 * are in one place.
 *
 * @param tags a power of four
 */
record FactHashes(RedisKeys redisKeys, CrawlRun run, int tags) {
    /** The bytes of a URL's id: no two of 10^9 URLs are likely to share them. */
    static final int ID = 10;
    private static final int DEEPEST = 31;
    private static final int BITS = 2;
    private static final int FOUR = 1 << BITS;

    /** Some levels of the tree, of which hashes are named. */
    record Levels(int top, int bottom) {
        int count() {
            return bottom - top + 1;
        }
    }

    /** A hash of the tree. */
    record FactHash(String path) {
        List<FactHash> children() {
            return IntStream.range(0, FOUR).mapToObj(digit -> new FactHash(path + digit)).toList();
        }

        int level() {
            return path.length();
        }
    }

    /** The highest level. */
    int first() {
        return Integer.numberOfTrailingZeros(tags) / BITS;
    }

    /** For each tag the hash that has its URLs, until it is split. */
    List<FactHash> roots() {
        return IntStream.range(0, tags).mapToObj(tag -> path((long) tag << Long.SIZE - BITS * first(), first()))
                .toList();
    }

    /** Of a process that does not know how deep the tree is. */
    Levels unknown() {
        return new Levels(first(), first() + 5);
    }

    /** Where to look for a URL, one after the other: where most are, and then where any may be. */
    List<Levels> tries(Levels likely) {
        return List.of(likely, new Levels(first(), Math.min(DEEPEST, likely.bottom() + FOUR)),
                new Levels(first(), DEEPEST));
    }

    int tag(Fingerprint url) {
        return first() == 0 ? 0 : (int) (url.high() >>> Long.SIZE - BITS * first());
    }

    int tag(FactHash hash) {
        return first() == 0 ? 0 : Integer.parseInt(hash.path().substring(0, first()), FOUR);
    }

    static FactHash path(Fingerprint url, int level) {
        return path(url.high(), level);
    }

    private static FactHash path(long bits, int level) {
        char[] digits = new char[level];
        for (int i = 0; i < level; i++) {
            digits[i] = (char) ('0' + (bits >>> Long.SIZE - BITS * (i + 1) & FOUR - 1));
        }
        return new FactHash(new String(digits));
    }

    static void id(Fingerprint url, ByteBuffer to) {
        to.putLong(url.high()).putShort((short) (url.low() >>> Long.SIZE - Short.SIZE));
    }

    /** The key of a hash without its path. */
    String prefix(int tag) {
        return redisKeys.ledger(run, tag) + 'f';
    }

    String key(FactHash hash) {
        return prefix(tag(hash)) + hash.path();
    }

    /** The keys of a hash, and of those into which it is split. */
    List<String> keysWithChildren(FactHash hash) {
        return Stream.concat(Stream.of(hash), hash.children().stream()).map(this::key).toList();
    }

    /** The note of a copy, beside the hashes with a tag. */
    String note(int tag) {
        return redisKeys.ledger(run, tag) + "continues";
    }

    /** The hashes in parts of a largest size, each of one tag. */
    List<List<FactHash>> parts(List<FactHash> hashes, int largest) {
        List<List<FactHash>> parts = new ArrayList<>();
        IntStream.range(0, tags).mapToObj(tag -> hashes.stream().filter(hash -> tag(hash) == tag))
                .forEach(ofTag -> ofTag.gather(Gatherers.windowFixed(largest)).forEach(parts::add));
        return parts;
    }
}
