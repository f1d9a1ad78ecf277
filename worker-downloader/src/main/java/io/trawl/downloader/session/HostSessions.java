package io.trawl.downloader.session;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.HostSessionStore;
import io.trawl.time.Time;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The sessions that this process continues. Each is read when a host has its first request under a permit, and written
 * as soon as it has changed, in the order of these calls. Only sessions of hosts that were asked last are in memory.
 * Thread-safe.
 */
public final class HostSessions {
    private static final int MOST = 10_000;
    private final HostSessionStore store;
    private final Time time;
    private final BatchExecutor<SessionWork> executor;
    private final Map<Key, LiveSession> live = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, LiveSession> eldest) {
            return size() > MOST;
        }
    };

    private record Key(CrawlRun run, HostKey host) {}

    /** What is to be done in Redis. */
    public sealed interface SessionWork {}

    private record Read(LiveSession session) implements SessionWork {}

    private record Write(LiveSession session) implements SessionWork {}

    /** All before it is done. */
    private record Mark(CompletableFuture<Boolean> reached) implements SessionWork {}

    private HostSessions(HostSessionStore store, Time time,
            Function<Consumer<List<SessionWork>>, BatchExecutor<SessionWork>> executors) {
        this.store = store;
        this.time = time;
        this.executor = executors.apply(batch -> batch.forEach(this::carryOut));
    }

    /** @param executors creates the executor of the calls to Redis */
    public static HostSessions open(HostSessionStore store, Time time,
            Function<Consumer<List<SessionWork>>, BatchExecutor<SessionWork>> executors) {
        return new HostSessions(store, time, executors);
    }

    /** The session of a run at a host. What another permit has known may be outdated. */
    LiveSession of(CrawlRun run, HostKey host, FetchPermit permit) {
        LiveSession fresh = new LiveSession(run, host, permit, time);
        synchronized (live) {
            LiveSession known = live.get(new Key(run, host));
            if (known != null && known.under(permit)) {
                return known;
            }
            live.put(new Key(run, host), fresh);
        }
        executor.add(new Read(fresh));
        return fresh;
    }

    /** Keeps what has changed. */
    void keep(LiveSession session) {
        if (session.toBeKept()) {
            executor.add(new Write(session));
        }
    }

    /** Ends all that waits for sessions under a permit that has ended, and forgets them. */
    public void cut(FetchPermit ended) {
        List<LiveSession> over;
        synchronized (live) {
            over = live.values().stream().filter(session -> session.under(ended)).toList();
            live.values().removeIf(session -> session.under(ended));
        }
        over.forEach(LiveSession::end);
    }

    /** Waits until all changes so far are kept. */
    public void flush() {
        CompletableFuture<Boolean> reached = new CompletableFuture<>();
        executor.add(new Mark(reached));
        reached.join();
    }

    private void carryOut(SessionWork work) {
        switch (work) {
            case Read read -> read.session().begin(store.find(read.session().run(), read.session().host()));
            case Write write -> write(write.session());
            case Mark mark -> mark.reached().complete(true);
        }
    }

    /**
     * One that is as late is that of the next owner, unless this process is the owner: then the owner before has
     * written late.
     */
    private void write(LiveSession session) {
        KeptSession next = session.next();
        long other = store.keep(session.run(), session.host(), next);
        while (other > 0 && session.owned()) {
            session.kept(other);
            next = session.next();
            other = store.keep(session.run(), session.host(), next);
        }
        session.kept(next.number());
    }
}
