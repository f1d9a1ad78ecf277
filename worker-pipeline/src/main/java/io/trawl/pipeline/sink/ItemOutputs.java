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
 * @param topics its lines for topics of the cluster
 * @param others the sinks elsewhere that take it
 */
public record ItemOutputs(List<FileLine> lines, List<TopicLine> topics, List<SinkDefinition> others) {
    /** Nowhere. */
    public static final ItemOutputs NONE = new ItemOutputs(List.of(), List.of(), List.of());

    /** An item as a line for the topic of a sink. */
    public record TopicLine(SinkDefinition sink, byte[] value) {}

    /** Whether nothing takes the item. */
    public boolean isEmpty() { return lines.isEmpty() && !elsewhere(); }

    /** Whether sinks with positions of their own take it. */
    boolean elsewhere() {
        return !topics.isEmpty() || !others.isEmpty();
    }

    /** What the item counts for when it is stored. */
    ItemCounts stored() {
        List<SinkDefinition> own = Stream.concat(topics.stream().map(TopicLine::sink), others.stream()).toList();
        return ItemCounts.stored(
                Stream.concat(lines.stream().flatMap(line -> line.format().sink().stream()),
                        own.stream().filter(sink -> !sink.skipped()).map(SinkDefinition::named)).toList(),
                own.stream().filter(SinkDefinition::skipped).map(SinkDefinition::named).toList());
    }
}
