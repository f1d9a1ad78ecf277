package io.trawl.pipeline.sink;

import io.trawl.control.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileLine;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where an item is stored.
 *
 * @param lines of the files that it is in
 * @param others the sinks with positions of their own that take it
 */
public record ItemOutputs(List<FileLine> lines, List<SinkDefinition> others) {
    /** Nowhere. */
    public static final ItemOutputs NONE = new ItemOutputs(List.of(), List.of());

    /** Whether nothing takes the item. */
    public boolean isEmpty() { return lines.isEmpty() && others.isEmpty(); }

    /** What the item counts for when it is stored. */
    ItemCounts stored() {
        return ItemCounts.stored(
                Stream.concat(lines.stream().flatMap(line -> line.format().sink().stream()),
                        others.stream().filter(sink -> !sink.skipped()).map(SinkDefinition::named)).toList(),
                others.stream().filter(SinkDefinition::skipped).map(SinkDefinition::named).toList());
    }
}
