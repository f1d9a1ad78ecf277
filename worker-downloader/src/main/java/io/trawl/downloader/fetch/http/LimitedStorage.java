package io.trawl.downloader.fetch.http;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.client5.http.cache.HttpCacheCASOperation;
import org.apache.hc.client5.http.cache.HttpCacheEntry;
import org.apache.hc.client5.http.cache.HttpCacheStorage;
import org.apache.hc.client5.http.cache.Resource;
import org.apache.hc.client5.http.cache.ResourceIOException;
import org.jspecify.annotations.Nullable;

/** Entries in the heap, at most so many bytes: those that were not asked for the longest make room. Thread-safe. */
final class LimitedStorage implements HttpCacheStorage {
    /** What an entry takes besides its body: headers and objects. */
    private static final int BESIDES = 2048;
    private final Map<String, HttpCacheEntry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final long most;
    private long bytes;

    LimitedStorage(long most) {
        this.most = most;
    }

    private static long size(HttpCacheEntry entry) {
        return BESIDES + Optional.ofNullable(entry.getResource()).map(Resource::length).orElse(0L);
    }

    synchronized long bytes() {
        return bytes;
    }

    @Override
    public synchronized void putEntry(String key, HttpCacheEntry entry) {
        removeEntry(key);
        entries.put(key, entry);
        bytes += size(entry);
        for (Iterator<HttpCacheEntry> oldest = entries.values().iterator(); bytes > most;) {
            bytes -= size(oldest.next());
            oldest.remove();
        }
    }

    @Override
    public synchronized @Nullable HttpCacheEntry getEntry(String key) {
        return entries.get(key);
    }

    @Override
    public synchronized void removeEntry(String key) {
        Optional.ofNullable(entries.remove(key)).ifPresent(entry -> bytes -= size(entry));
    }

    @Override
    public synchronized void updateEntry(String key, HttpCacheCASOperation operation) throws ResourceIOException {
        putEntry(key, operation.execute(entries.get(key)));
    }

    @Override
    public synchronized Map<String, HttpCacheEntry> getEntries(Collection<String> keys) {
        Map<String, HttpCacheEntry> found = new HashMap<>();
        keys.forEach(key -> Optional.ofNullable(entries.get(key)).ifPresent(entry -> found.put(key, entry)));
        return found;
    }
}
