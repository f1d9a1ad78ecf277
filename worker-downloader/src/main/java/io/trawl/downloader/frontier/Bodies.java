package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Delivered.Body;
import io.trawl.downloader.frontier.LevelQueue.Unread;
import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which requests have their bodies in memory. A scanned record keeps its body while there is plenty of room, else only its offset; bodies that are
 * missing are read before the turn of their host, those of the best hosts first; when too many are kept, the hosts whose turns are farthest lose
 * theirs. Belongs to the frontier's thread.
 */
final class Bodies {
    /** Kept per host and priority while there is plenty of room. */
    private static final int MANY = 1024;
    /** Kept per host and priority else. */
    private static final int FEW = 4;
    /** What lies farther apart in the log is not worth one sequential read. */
    private static final long SPAN = 4096;
    private static final Body.Broken GONE = new Body.Broken("is not in the log any more", Optional.empty());
    private final HostBoard board;
    private final QueueKeys keys;
    private final BodyRoom room;
    private final Tenures tenures;
    private final Places places;
    private final Answers answers;
    private final Todo todo;
    private final int ahead;
    private final Map<Long, Asked> asks = new HashMap<>();

    private record Asked(HostQueue host, Tenure tenure, long[] offsets) {}

    /** @param ahead how many hosts are made ready for their turns at a time */
    Bodies(HostBoard board, QueueKeys keys, BodyRoom room, Tenures tenures, Places places, Answers answers, Todo todo,
            int ahead) {
        this.board = board;
        this.keys = keys;
        this.room = room;
        this.tenures = tenures;
        this.places = places;
        this.answers = answers;
        this.todo = todo;
        this.ahead = ahead;
    }

    /** A record was scanned. */
    void scanned(Tenure tenure, Delivered record, long now) {
        Optional<HostKey> key = record.host();
        if (key.isEmpty()) {
            load(tenure, record, now);
            return;
        }
        HostQueue host = board.host(keys.of(key.get()));
        LevelQueue level = host.level(tenure.lane().priority());
        if (level.unread().isEmpty() && level.loaded() < MANY && room.plenty()) {
            load(tenure, record, now);
        } else {
            level.append(tenure, record.offset());
            places.came(host, tenure.lane().priority(), false, now);
        }
    }

    /** The body decides whose request it is: a wrong key costs a detour, never politeness. */
    private void load(Tenure tenure, Delivered record, long now) {
        switch (record.body()) {
            case Body.Sound sound ->
                places.enqueue(new Pending(tenure, record.offset(), sound.request(), record.size()), false, now);
            case Body.Broken broken -> answers.unreadable(tenure, record.offset(), broken);
        }
    }

    /** Asks for the bodies of the hosts whose turns are next, best first. */
    void ask(long now) {
        while (board.reading() < 2 * ahead && !board.unread().isEmpty()) {
            boolean enough = board.reading() + board.due().size() + board.asking() + board.ready().size() >= ahead;
            Optional<HostQueue> next = enough ? board.unreadBeforeDue() : Optional.of(board.nextUnread());
            if (next.isEmpty()) {
                return;
            }
            HostQueue host = next.get();
            if (host.since() <= now || !room.exceeded()) {
                read(host);
            }
            places.place(host, now);
        }
    }

    /** A host is served so fast that it will soon need bodies. */
    void refill(HostQueue host) {
        boolean low = host.top().filter(level -> level.unread().isPresent() && level.loaded() <= host.reach().reading() / 4)
                .isPresent();
        if (low && !host.reading()) {
            read(host);
        }
    }

    private void read(HostQueue host) {
        Unread unread = host.top().flatMap(LevelQueue::unread).orElseThrow();
        long[] offsets = unread.offsets().next(room.exceeded() ? 1 : host.reach().reading(), SPAN);
        List<Long> wanted = new ArrayList<>(offsets.length);
        for (long offset : offsets) {
            wanted.add(offset);
        }
        long number = todo.ticket();
        asks.put(number, new Asked(host, unread.tenure(), offsets));
        host.reading(true);
        todo.add(new Action.Read(number, unread.tenure().lane(), unread.tenure().number(), wanted));
    }

    /** What was asked for has been read; what is not among it is not in the log. */
    void read(long ask, List<Delivered> found, long now) {
        Asked asked = asks.remove(ask);
        if (asked == null) {
            return;
        }
        HostQueue host = asked.host();
        host.reading(false);
        if (!asked.tenure().ended()) {
            Map<Long, Delivered> byOffset = new HashMap<>();
            found.forEach(record -> byOffset.put(record.offset(), record));
            LevelQueue level = host.level(asked.tenure().lane().priority());
            for (long offset : asked.offsets()) {
                if (level.nextUnread(asked.tenure(), offset)) {
                    level.removeFirstUnread();
                    Delivered record = byOffset.get(offset);
                    if (record == null) {
                        answers.unreadable(asked.tenure(), offset, GONE);
                    } else {
                        load(asked.tenure(), record, now);
                    }
                }
            }
        }
        places.place(host, now);
    }

    /** Records that were read beside those that were asked for: hosts advance at about the same pace, so some are the next of theirs. */
    void offered(Lane lane, long number, List<Delivered> records, long now) {
        Tenure tenure = tenures.find(lane, number).orElse(null);
        if (tenure == null) {
            return;
        }
        for (Delivered record : records) {
            HostQueue host = record.host().map(keys::of).flatMap(board::find).orElse(null);
            if (host == null) {
                continue;
            }
            LevelQueue level = host.level(lane.priority());
            if (level.nextUnread(tenure, record.offset()) && (room.plenty() || level.loaded() < FEW && !room.exceeded())) {
                level.removeFirstUnread();
                load(tenure, record, now);
                if (host.place() != HostQueue.Place.BUSY) {
                    places.place(host, now);
                }
            }
        }
    }

    /** Drops bodies, those whose turns are farthest first, until the rest fits; but never the next of hosts whose turns are near. */
    void shed(long now) {
        long before = Long.MAX_VALUE;
        while (room.exceeded() && room.used() < before) {
            before = room.used();
            farthest(now).ifPresent(host -> {
                host.unload(0);
                places.place(host, now);
            });
        }
    }

    private Optional<HostQueue> farthest(long now) {
        Optional<HostQueue> waiting = board.farthestHolding().filter(host -> !Places.near(host, now));
        return waiting.isPresent() || board.due().size() <= ahead ? waiting : Optional.of(board.farthestDue());
    }
}
