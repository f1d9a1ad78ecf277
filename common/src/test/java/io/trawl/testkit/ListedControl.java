package io.trawl.testkit;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlView;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A view of {@code control} of which a test says what stands in the topic and how much of it is read. The latest record of a key holds, whatever its
 * version is. Tells listeners what is read when they come, and nothing later. Not thread-safe.
 */
public final class ListedControl implements ControlView {
    private final Map<String, ControlRecord> standing = new HashMap<>();
    private final Map<String, ControlRecord> read = new HashMap<>();
    private int refreshes;

    /** It stands in the topic, and is not read before the next refresh. */
    public ListedControl stands(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
        }
        return this;
    }

    /** It stands in the topic and is read. */
    public ListedControl read(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
            read.put(record.key(), record);
        }
        return this;
    }

    /** How often the view was refreshed. */
    public int refreshes() {
        return refreshes;
    }

    @Override
    public void refresh() {
        refreshes++;
        read.putAll(standing);
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
    public void listen(Consumer<ControlRecord> listener) {
        read.values().forEach(listener);
    }
}
