package io.trawl.downloader.session;

import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.HostSessionStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** A store in memory, with the rules of that in Redis, which may be held. */
final class MapSessionStore implements HostSessionStore {
    final Map<String, KeptSession> sessions = new ConcurrentHashMap<>();
    volatile CountDownLatch open = new CountDownLatch(0);

    @Override
    public KeptSession find(CrawlRun run, HostKey host) {
        awaitOpen();
        return sessions.getOrDefault(run + " " + host, KeptSession.NEW);
    }

    @Override
    public synchronized long keep(CrawlRun run, HostKey host, KeptSession session) {
        awaitOpen();
        long known = find(run, host).number();
        if (known >= session.number()) {
            return known;
        }
        sessions.put(run + " " + host, session);
        return 0;
    }

    private void awaitOpen() {
        try {
            open.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
