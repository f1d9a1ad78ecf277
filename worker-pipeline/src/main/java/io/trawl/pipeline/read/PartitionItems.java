package io.trawl.pipeline.read;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.pipeline.read.LineFile.Line;
import io.trawl.pipeline.read.RunFiles.RunFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The items of one kind and partition of a run, from a place on, in one direction. Opens one file at a time. Not
 * thread-safe.
 */
final class PartitionItems implements AutoCloseable {
    private final ItemKind kind;
    private final int partition;
    private final NavigableMap<Long, RunFile> files;
    private final boolean backward;
    private ItemPlace place;
    private @Nullable LineFile open;
    private long opened = -1;
    private @Nullable StoredItem head;

    /**
     * An item in its file.
     *
     * @param place of its line
     * @param url empty if the line has none
     * @param fetchedAt as written; empty if the line has none
     */
    record StoredItem(ItemPlace place, Line line, String url, String fetchedAt) {}

    /** @param place where to begin; empty for the end of all lines, or their beginning */
    PartitionItems(ItemKind kind, int partition, NavigableMap<Long, RunFile> files, boolean backward,
            Optional<ItemPlace> place) throws IOException {
        this.kind = kind;
        this.partition = partition;
        this.files = files;
        this.backward = backward;
        long first = backward ? files.lastKey() : files.firstKey();
        this.place = place.isPresent()
                ? place.get()
                : new ItemPlace(kind, partition, first, backward ? file(first).map(LineFile::end).orElse(0L) : 0);
    }

    private ItemPlace at(long first, long position) {
        return new ItemPlace(kind, partition, first, position);
    }

    /** Where the next item begins, or backward, ends. */
    ItemPlace place() {
        return place;
    }

    /** The next item; empty if none is there now. */
    Optional<StoredItem> head() throws IOException {
        if (head == null) {
            Optional<Line> line = backward ? older() : newer();
            head = line.isEmpty() ? null : facts(line.get());
        }
        return Optional.ofNullable(head);
    }

    /** Goes on to the item after the next one. */
    void take() {
        if (head != null) {
            place = at(place.first(), backward ? head.line().start() : head.line().end());
            head = null;
        }
    }

    private Optional<Line> older() throws IOException {
        Map.Entry<Long, RunFile> entry = files.floorEntry(place.first());
        while (entry != null) {
            if (entry.getKey() < place.first()) {
                place = at(entry.getKey(), Long.MAX_VALUE);
            }
            Optional<LineFile> file = file(entry.getKey());
            Optional<Line> line = file.isEmpty() ? Optional.empty() : file.get().before(place.at());
            if (line.isPresent()) {
                place = at(place.first(), line.get().end());
                return line;
            }
            entry = files.lowerEntry(entry.getKey());
        }
        place = at(place.first(), 0);
        return Optional.empty();
    }

    private Optional<Line> newer() throws IOException {
        Map.Entry<Long, RunFile> entry = files.ceilingEntry(place.first());
        while (entry != null) {
            if (entry.getKey() > place.first()) {
                place = at(entry.getKey(), 0);
            }
            Optional<LineFile> file = file(entry.getKey());
            Optional<Line> line = file.isEmpty() ? Optional.empty() : file.get().from(place.at());
            if (line.isPresent()) {
                return line;
            }
            entry = files.higherEntry(entry.getKey());
        }
        return Optional.empty();
    }

    /** The file; empty if it has been removed. */
    private Optional<LineFile> file(long first) throws IOException {
        if (opened != first) {
            close();
            RunFile file = files.get(first);
            try {
                open = file == null ? null : new LineFile(file.path());
            } catch (NoSuchFileException e) {
                // It got its final name since the folder was listed, or a user removed it.
                open = finished(file);
            }
            opened = first;
        }
        return Optional.ofNullable(open);
    }

    private static @Nullable LineFile finished(RunFile file) throws IOException {
        try {
            return new LineFile(file.finished());
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private StoredItem facts(Line line) throws IOException {
        String url = "";
        String fetchedAt = "";
        try (JsonParser json = Json.mapper().createParser(line.bytes())) {
            json.nextToken();
            while ((url.isEmpty() || fetchedAt.isEmpty()) && json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (value == JsonToken.VALUE_STRING && name.equals("url")) {
                    url = json.getText();
                } else if (value == JsonToken.VALUE_STRING && name.equals("fetchedAt")) {
                    fetchedAt = json.getText();
                } else {
                    json.skipChildren();
                }
            }
        }
        return new StoredItem(at(place.first(), line.start()), line, url, fetchedAt);
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
            open = null;
        }
        opened = -1;
    }
}
