package io.trawl.testkit;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A view of {@code control} whose records and reading progress the test sets. The latest record of a key is valid,
 * independent of its version. Passes the records read so far to a new listener, and those of refreshes. Not
 * thread-safe.
 */
public final class ListedControl implements ControlView {
    private final Map<String, ControlRecord> standing = new HashMap<>();
    private final Map<String, ControlRecord> read = new HashMap<>();
    private final List<Consumer<ControlRecord>> listeners = new ArrayList<>();
    private int refreshes;
    private long changes;

    /** Adds records to the topic that are not read before the next refresh. */
    public ListedControl stands(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
        }
        return this;
    }

    /** Adds records to the topic and reads them. */
    public ListedControl read(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
            read.put(record.key(), record);
            changes++;
        }
        return this;
    }

    /** The number of refreshes. */
    public int refreshes() {
        return refreshes;
    }

    @Override
    public void refresh() {
        refreshes++;
        read.putAll(standing);
        listeners.forEach(standing.values()::forEach);
    }

    @Override
    public Optional<ControlRecord> latest(String key) {
        return Optional.ofNullable(read.get(key));
    }

    @Override
    public Collection<ControlRecord> latest() {
        return List.copyOf(read.values());
    }

    @Override
    public long changes() {
        return changes;
    }

    @Override
    public void await(long changes, Duration longest) {
        // Returns at once: a test of what waits is to see that it comes back.
    }

    @Override
    public void listen(Consumer<ControlRecord> listener) {
        read.values().forEach(listener);
        listeners.add(listener);
    }
}
