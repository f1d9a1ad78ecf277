package io.trawl.pipeline.diff;

import io.trawl.codec.Json;
import io.trawl.direct.DiffListing;
import io.trawl.direct.DiffListing.ListedChange;
import io.trawl.direct.DiffListing.ListedRun;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.changes.ChangeCounts;
import io.trawl.pipeline.changes.RunChange;
import io.trawl.pipeline.diff.ItemDifference.PageDifference;
import io.trawl.pipeline.manifest.ChangesFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * What the finished runs of a crawl have changed since one of them, up to the newest or a given one.
 *
 * @param runs that were compared, the oldest first
 * @param since the epoch of the run with which the first of them was compared
 */
public record RunDiff(List<ComparedItems> runs, int since) {
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
     * @param since the epoch of the run before the changes; empty: the one with which that run was compared
     * @throws MissingRunException if one of the runs is not there, not finished, or was not compared
     */
    public static RunDiff of(Path root, CrawlId crawl, Optional<Integer> epoch, Optional<Integer> since)
            throws IOException {
        Deque<ComparedItems> runs = new ArrayDeque<>(List.of(ComparedItems.of(root, crawl, epoch)));
        int before = runs.getFirst().changes().since();
        while (before > since.orElse(before)) {
            runs.addFirst(runs.getFirst().before(before));
            before = runs.getFirst().changes().since();
        }
        return new RunDiff(List.copyOf(runs), before);
    }

    /** The newest of the runs. */
    public ComparedItems newest() {
        return runs.getLast();
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
        return new DiffListing(newest().run().crawl(), newest().run().epoch(), since, counts(), changes, next);
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
            for (ComparedItems run = newest(); listed.size() < MOST_COUNTS; run = run
                    .before(listed.getLast().since())) {
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
        int epoch = run.run().epoch();
        long offset = from;
        try (SeekableByteChannel file = Files.newByteChannel(run.items().resolve(ChangesFile.FILE))) {
            BufferedReader lines = new BufferedReader(Channels.newReader(file.position(from), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (changes.size() == most) {
                    return Optional.of(epoch + ":" + offset);
                }
                byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                RunChange change = Json.read(bytes, RunChange.class);
                changes.add(new ListedChange(epoch, change.change().word(), change.url(), change.key(), change.name(),
                        change.id()));
                offset += bytes.length + 1;
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
        return ItemDifference.of(url, newest().before(since).present(url, late), newest().present(url, late));
    }
}
