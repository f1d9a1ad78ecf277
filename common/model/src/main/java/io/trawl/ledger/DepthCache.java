package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The smallest depth seen per run and URL, in plain arrays of 17 bytes per entry: sets of eight entries, each of which
 * evicts its least recently used entry. Entries are compared by all 128 bits of their fingerprint. Thread-safe.
 */
final class DepthCache {
    private static final int WAYS = 8;
    private static final int LOCKS = 64;
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private final long[] high;
    private final long[] low;
    private final byte[] depth;
    private final int sets;
    private final Object[] locks = new Object[LOCKS];
    private final Map<CrawlRun, Long> salts = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();

    DepthCache(int entries) {
        if (entries < 0) {
            throw new IllegalArgumentException("entries: " + entries);
        }
        this.sets = Math.max(1, Math.ceilDiv(entries, WAYS));
        this.high = new long[sets * WAYS];
        this.low = new long[sets * WAYS];
        this.depth = new byte[sets * WAYS];
        Arrays.setAll(locks, i -> new Object());
        Arrays.fill(depth, (byte) UrlFacts.NO_DEPTH);
    }

    /** A unique number for each run that separates its URLs from those of other runs. */
    long salt(CrawlRun run) {
        return salts.computeIfAbsent(run, r -> next.incrementAndGet() * PRIME);
    }

    /** The smallest depth seen; {@link UrlFacts#NO_DEPTH} if none is cached. */
    int smallest(long salt, Fingerprint url) {
        long key = url.high() ^ salt;
        int set = set(key);
        synchronized (locks[set % LOCKS]) {
            int at = find(set, key, url.low());
            if (at < 0) {
                return UrlFacts.NO_DEPTH;
            }
            int found = Byte.toUnsignedInt(depth[at]);
            toFront(set, at, key, url.low(), found);
            return found;
        }
    }

    /** Caches a depth, unless a smaller one is cached. */
    void lower(long salt, Fingerprint url, int seen) {
        long key = url.high() ^ salt;
        int set = set(key);
        synchronized (locks[set % LOCKS]) {
            int at = find(set, key, url.low());
            int last = set * WAYS + WAYS - 1;
            toFront(set, at < 0 ? last : at, key, url.low(),
                    at < 0 ? seen : Math.min(seen, Byte.toUnsignedInt(depth[at])));
        }
    }

    /** Removes all entries. */
    void clear() {
        for (int set = 0; set < sets; set++) {
            synchronized (locks[set % LOCKS]) {
                Arrays.fill(depth, set * WAYS, set * WAYS + WAYS, (byte) UrlFacts.NO_DEPTH);
            }
        }
    }

    private int set(long key) {
        return (int) Math.unsignedMultiplyHigh(key * PRIME, sets);
    }

    private int find(int set, long keyHigh, long keyLow) {
        for (int at = set * WAYS; at < set * WAYS + WAYS; at++) {
            if (low[at] == keyLow && high[at] == keyHigh && depth[at] != (byte) UrlFacts.NO_DEPTH) {
                return at;
            }
        }
        return -1;
    }

    /** Puts an entry first in its set; the entries before its old place move back by one. */
    private void toFront(int set, int at, long keyHigh, long keyLow, int value) {
        int first = set * WAYS;
        System.arraycopy(high, first, high, first + 1, at - first);
        System.arraycopy(low, first, low, first + 1, at - first);
        System.arraycopy(depth, first, depth, first + 1, at - first);
        high[first] = keyHigh;
        low[first] = keyLow;
        depth[first] = (byte) value;
    }
}
