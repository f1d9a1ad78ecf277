package io.trawl.downloader.robots;

import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.model.HostKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The robots.txt rules that this process knows, in bounded memory with least recently used eviction. Thread-safe. */
final class LocalRobotsCache {
    private static final int ENTRIES = 100_000;
    private static final long BYTES = 32L << 20;
    private static final int PER_ENTRY = 300;
    private final int mostEntries;
    private final long mostBytes;
    private final Map<Key, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** The host of the rules, and the crawler. */
    record Key(HostKey host, String token) {}

    /** Rules, when they arrived and until when they are valid, both by the process's clock. */
    record Kept(RobotsRules rules, long since, long until) {
        private long bytes() {
            return PER_ENTRY + rules.bytes();
        }
    }

    LocalRobotsCache() {
        this(ENTRIES, BYTES);
    }

    LocalRobotsCache(int mostEntries, long mostBytes) {
        this.mostEntries = mostEntries;
        this.mostBytes = mostBytes;
    }

    /** The last rules, valid or not. */
    synchronized Optional<Kept> known(Key key) {
        return Optional.ofNullable(kept.get(key));
    }

    synchronized void put(Key key, Kept entry) {
        Kept before = kept.put(key, entry);
        bytes += entry.bytes() - (before == null ? 0 : before.bytes());
        Iterator<Kept> eldest = kept.values().iterator();
        // The newest entry stays, however large: its host is waiting for it.
        while ((kept.size() > mostEntries || bytes > mostBytes) && kept.size() > 1) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }

    synchronized long bytes() {
        return bytes;
    }
}
