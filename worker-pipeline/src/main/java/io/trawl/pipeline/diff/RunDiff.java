package io.trawl.pipeline.diff;

import io.trawl.direct.DiffListing;
import io.trawl.direct.DiffListing.ListedChange;
import io.trawl.direct.DiffListing.ListedRun;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.diff.ItemDifference.PageDifference;
import io.trawl.pipeline.manifest.ChangesFile;
import io.trawl.value.DateText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the finished runs of a crawl have changed since one of them, up to the newest or a given one.
 *
 * @param newest the last of the runs
 * @param runs that were compared, the oldest first; none if nothing has finished since
 * @param since the epoch of the run with which the first of them was compared
 */
public record RunDiff(ComparedItems newest, List<ComparedItems> runs, int since) {
    private static final DateText TIMES = DateText.of(List.of(), List.of(), Locale.ROOT, ZoneOffset.UTC);
    private static final String EPOCH = "[0-9]{1,9}";
    private static final int MOST_COUNTS = 10;
    private static final String CURSOR = "[0-9]{1,9}:[0-9]{1,18}";

    /** A place in the list of changes: the run, and how many bytes of its file are read. */
    private record Place(int epoch, long offset) {
        static Place of(String cursor) {
            if (!cursor.matches(CURSOR)) {
                throw invalid(cursor);
            }
            String[] parts = cursor.split(":");
            return new Place(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
        }
    }

    /**
     * @param root the output folder
     * @param epoch of the newest run that is asked for; empty: the newest finished one
     * @param since the epoch of the run before the changes, or a time: that of the last run that had ended by then, at
     * the begin of a day in UTC; empty: the one with which that run was compared
     * @throws MissingRunException if one of the runs is not there, not finished, or was not compared
     * @throws InvalidValueException if it is neither an epoch nor a time
     */
    public static RunDiff of(Path root, CrawlId crawl, Optional<Integer> epoch, Optional<String> since)
            throws IOException {
        ComparedItems newest = ComparedItems.of(root, crawl, epoch);
        String start = since.isPresent() ? since.get() : Integer.toString(newest.changes().since());
        Optional<Instant> time = start.matches(EPOCH) ? Optional.empty() : Optional.of(time(start));
        Deque<ComparedItems> runs = new ArrayDeque<>();
        int before = newest.run().epoch();
        while (time.isPresent() ? newest.endedAfter(before, time.get()) : before > Integer.parseInt(start)) {
            runs.addFirst(newest.before(before));
            before = runs.getFirst().changes().since();
        }
        return new RunDiff(newest, List.copyOf(runs), before);
    }

    private static Instant time(String since) {
        try {
            String iso = TIMES.iso(since);
            return Instant.parse(iso.contains("T") ? iso : iso + "T00:00:00Z");
        } catch (InvalidValueException e) {
            throw new InvalidValueException("since", since,
                    "the number of a run, or a time such as 2026-01-31 or 2026-01-31T08:00:00Z");
        }
    }

    /** The changes, from a cursor on. @param most that are listed */
    public DiffListing list(Optional<String> cursor, int most) throws IOException {
        Place from = cursor.map(Place::of).orElse(new Place(0, 0));
        if (cursor.isPresent() && !begins(from)) {
            throw invalid(cursor.get());
        }
        List<ListedChange> changes = new ArrayList<>();
        Iterator<ComparedItems> left = runs.stream().filter(run -> run.run().epoch() >= from.epoch()).iterator();
        Optional<String> next = Optional.empty();
        while (left.hasNext() && next.isEmpty()) {
            ComparedItems run = left.next();
            next = read(run, run.run().epoch() == from.epoch() ? from.offset() : 0, most, changes);
        }
        return new DiffListing(newest.run().crawl(), newest.run().epoch(), since, counts(), changes, next);
    }

    private static InvalidValueException invalid(String cursor) {
        return new InvalidValueException("cursor", cursor, "the value next of another list of these changes");
    }

    /** Whether a change of one of the runs begins there. */
    private boolean begins(Place place) throws IOException {
        for (ComparedItems run : runs) {
            if (run.run().epoch() == place.epoch()) {
                try (SeekableByteChannel file = Files.newByteChannel(run.items().resolve(ChangesFile.FILE))) {
                    ByteBuffer last = ByteBuffer.allocate(1);
                    return place.offset() == 0 || place.offset() < file.size()
                            && file.position(place.offset() - 1).read(last) == 1 && last.get(0) == '\n';
                }
            }
        }
        return false;
    }

    private List<ListedRun> counts() throws IOException {
        List<ListedRun> listed = new ArrayList<>();
        try {
            for (ComparedItems run = newest; listed.size() < MOST_COUNTS; run = run.before(listed.getLast().since())) {
                ChangeCounts counts = run.changes();
                listed.add(new ListedRun(run.run().epoch(), counts.since(), counts.byKind()));
            }
        } catch (MissingRunException e) {
            // It was compared with the oldest that is there.
        }
        return listed;
    }

    /** Adds changes of a run to a list. @return where more follow, if it is full */
    private static Optional<String> read(ComparedItems run, long from, int most, List<ListedChange> changes)
            throws IOException {
        long offset = from;
        try (SeekableByteChannel file = Files.newByteChannel(run.items().resolve(ChangesFile.FILE))) {
            BufferedReader lines = new BufferedReader(Channels.newReader(file.position(from), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (changes.size() == most) {
                    return Optional.of(run.run().epoch() + ":" + offset);
                }
                changes.add(run.listed(line));
                offset += line.getBytes(StandardCharsets.UTF_8).length + 1;
            }
        }
        return Optional.empty();
    }

    /**
     * What has changed in the items of a page, as it is listed.
     *
     * @param late whether the files have been read for too long
     * @throws MissingRunException if the page was in neither run
     */
    public List<PageDifference> page(String url, BooleanSupplier late) throws IOException {
        return ItemDifference.of(url, newest.before(since).present(url, late), newest.present(url, late));
    }
}
