package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.queue.Assignment;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.frontier.queue.DeliveredRecord.RecordBody;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostState;
import io.trawl.downloader.frontier.queue.LevelQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.frontier.queue.RunQueue;
import io.trawl.downloader.frontier.queue.RunQueue.Unread;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which requests have their bodies in memory. A scanned record keeps its body while memory is plentiful,
 * otherwise only its offset. Missing bodies are read before the turn of their host, those of the best hosts first. When
 * too much memory is used, the hosts with the farthest turns lose theirs. Belongs to the frontier's thread.
 */
final class LoadedBodies {
    /** Bodies kept per host, priority and run while memory is plentiful. */
    private static final int MANY = 1024;
    /** Bodies kept per host, priority and run otherwise. */
    private static final int FEW = 4;
    /** Bodies are read for no more hosts while the names of this many are looked up. */
    private static final int MOST_RESOLVING = 10_000;
    /** Offsets that are farther apart in the log do not share one sequential read. */
    private static final long SPAN = 4096;
    static final RecordBody.Broken GONE = new RecordBody.Broken("is not in the log any more", Optional.empty());
    private final FrontierState state;
    private final HostPlacement hostPlacement;
    /** The number of hosts that are prepared for their turns at a time. */
    private final int ahead;
    private final Map<Long, Asked> asks = new HashMap<>();

    private record Asked(HostQueue host, Optional<CrawlRun> run, Assignment assignment, long[] offsets) {}

    LoadedBodies(FrontierState state, HostPlacement hostPlacement) {
        this.state = state;
        this.hostPlacement = hostPlacement;
        this.ahead = 4 * state.settings.ahead();
    }

    /** A record was scanned. */
    void scanned(Assignment assignment, DeliveredRecord record, long now) {
        Optional<HostKey> key = record.host();
        if (key.isEmpty()) {
            load(assignment, record, now);
            return;
        }
        HostQueue host = state.hostTable.host(state.settings.keys().of(key.get()));
        if (state.bodyBudget.plenty() && takesBodies(host, assignment, record)) {
            load(assignment, record, now);
        } else {
            host.append(assignment, record.run(), record.offset());
            hostPlacement.added(host, assignment.requestPartition().priority(), false, now);
        }
    }

    /** Whether a record that comes after all others of its host, priority and run may keep its body. */
    private static boolean takesBodies(HostQueue host, Assignment assignment, DeliveredRecord record) {
        return host.level(assignment.requestPartition().priority()).of(record.run())
                .map(queue -> queue.unread().isEmpty() && queue.loaded() < MANY).orElse(true);
    }

    /** The body decides to which host a request belongs: a wrong key costs an additional read, never politeness. */
    private void load(Assignment assignment, DeliveredRecord record, long now) {
        switch (record.body()) {
            case RecordBody.Sound sound -> hostPlacement.enqueue(
                    new PendingRequest(assignment, record.offset(), sound.request(), record.size()), false, now);
            case RecordBody.Broken broken -> state.pendingAnswers.unreadable(assignment, record.offset(), broken);
        }
    }

    /** Requests the bodies for the hosts whose turns are next, best first. */
    void ask(long now) {
        while (state.hostTable.reading() < 2 * ahead && state.hostTable.resolving() < MOST_RESOLVING
                && !state.hostTable.unread().isEmpty()) {
            boolean enough = state.hostTable.reading() + state.hostTable.due().size() + state.hostTable.asking()
                    + state.hostTable.ready().size() >= ahead;
            Optional<HostQueue> next = enough
                    ? state.hostTable.unreadBeforeDue()
                    : Optional.of(state.hostTable.nextUnread());
            if (next.isEmpty()) {
                return;
            }
            HostQueue host = next.get();
            if (host.since() <= now || !state.bodyBudget.exceeded()) {
                read(host);
            }
            hostPlacement.place(host, now);
        }
    }

    /** Reads more bodies for a host that is served so fast that it will need them soon. */
    void refill(HostQueue host) {
        boolean low = host.top()
                .filter(level -> level.unread().isPresent() && level.loaded() <= host.readAhead().reading() / 4)
                .isPresent();
        if (low && !host.reading()) {
            read(host);
        }
    }

    private void read(HostQueue host) {
        RunQueue queue = host.top().orElseThrow();
        Unread unread = queue.unread().orElseThrow();
        long[] offsets = unread.offsets().next(state.bodyBudget.exceeded() ? 1 : host.readAhead().reading(), SPAN);
        List<Long> wanted = new ArrayList<>(offsets.length);
        for (long offset : offsets) {
            wanted.add(offset);
        }
        long number = state.actionQueue.ticket();
        asks.put(number, new Asked(host, queue.run(), unread.assignment(), offsets));
        host.reading(true);
        state.actionQueue.add(new FrontierAction.ReadBodies(number, unread.assignment().requestPartition(),
                unread.assignment().number(), wanted));
    }

    /** A requested read is done; an offset that is missing in {@code found} is not in the log. */
    void read(long ask, List<DeliveredRecord> found, long now) {
        Asked asked = asks.remove(ask);
        if (asked == null) {
            return;
        }
        HostQueue host = asked.host();
        host.reading(false);
        if (!asked.assignment().ended()) {
            Map<Long, DeliveredRecord> byOffset = new HashMap<>();
            found.forEach(record -> byOffset.put(record.offset(), record));
            LevelQueue level = host.level(asked.assignment().requestPartition().priority());
            for (long offset : asked.offsets()) {
                if (level.nextUnread(asked.run(), asked.assignment(), offset)) {
                    DeliveredRecord record = byOffset.get(offset);
                    if (record == null) {
                        state.pendingAnswers.unreadable(asked.assignment(), offset, GONE);
                    } else {
                        load(asked.assignment(), record, now);
                    }
                    level.removeFirstUnread(asked.run());
                }
            }
        }
        hostPlacement.place(host, now);
    }

    /**
     * Records that were read in addition to the requested ones. Hosts advance at about the same pace, so some are next
     * at their host.
     */
    void offered(RequestPartition requestPartition, long number, List<DeliveredRecord> records, long now) {
        Assignment assignment = state.assignedPartitions.find(requestPartition, number).orElse(null);
        if (assignment == null) {
            return;
        }
        for (DeliveredRecord record : records) {
            HostQueue host = record.host().map(state.settings.keys()::of).flatMap(state.hostTable::find).orElse(null);
            if (host == null) {
                continue;
            }
            LevelQueue level = host.level(requestPartition.priority());
            if (level.nextUnread(record.run(), assignment, record.offset())
                    && (state.bodyBudget.plenty() || loaded(level, record) < FEW && !state.bodyBudget.exceeded())) {
                load(assignment, record, now);
                level.removeFirstUnread(record.run());
                if (host.state() != HostState.BUSY) {
                    hostPlacement.place(host, now);
                }
            }
        }
    }

    private static int loaded(LevelQueue level, DeliveredRecord record) {
        return level.of(record.run()).map(RunQueue::loaded).orElse(0);
    }

    /**
     * Drops bodies until the rest fits, those with the farthest turns first, but never the next ones of hosts whose
     * turns are near.
     */
    void evict(long now) {
        long before = Long.MAX_VALUE;
        while (state.bodyBudget.exceeded() && state.bodyBudget.used() < before) {
            before = state.bodyBudget.used();
            farthest(now).ifPresent(host -> {
                host.unload(0);
                hostPlacement.place(host, now);
            });
        }
    }

    private Optional<HostQueue> farthest(long now) {
        Optional<HostQueue> waiting = state.hostTable.farthestWithBodies()
                .filter(host -> !HostPlacement.near(host, now));
        if (waiting.isPresent()) {
            return waiting;
        }
        return state.hostTable.due().size() > ahead
                ? Optional.of(state.hostTable.farthestDue())
                : state.hostTable.farthestLimited();
    }
}
