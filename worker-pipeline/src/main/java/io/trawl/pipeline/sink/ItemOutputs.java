package io.trawl.pipeline.sink;

import io.trawl.api.Item;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.ledger.ItemCounts;
import io.trawl.pipeline.format.FileLine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where an item is stored. What a sink of chunks has of it are its chunks, all of them or none.
 *
 * @param lines of the files that it is in
 * @param topics its lines for topics of the cluster
 * @param others what sinks elsewhere have of it
 */
public record ItemOutputs(List<FileLine> lines, List<TopicLine> topics, List<SinkItems> others) {
    /** Nowhere. */
    public static final ItemOutputs NONE = new ItemOutputs(List.of(), List.of(), List.of());

    /**
     * An item or a chunk as a line for the topic of a sink.
     *
     * @param key its id, or what it has in common with its earlier versions if the sink upserts
     * @param value empty: a tombstone
     */
    public record TopicLine(SinkDefinition sink, String key, Optional<byte[]> value) {}

    /** What a sink elsewhere has: the item, or its chunks, at least one. */
    public record SinkItems(SinkDefinition sink, List<Item> items) {
        /** Copies the list. */
        public SinkItems {
            items = List.copyOf(items);
        }
    }

    /** Whether nothing takes the item. */
    public boolean isEmpty() { return lines.isEmpty() && !elsewhere(); }

    /** Whether sinks with positions of their own take it. */
    boolean elsewhere() {
        return !topics.isEmpty() || !others.isEmpty();
    }

    /** The most items or chunks that one of the sinks with positions of their own has. */
    int mostGiven() {
        return Math.max(topics.size(), others.stream().mapToInt(other -> other.items().size()).max().orElse(0));
    }

    /** What the item counts for when it is stored. */
    ItemCounts stored() {
        List<SinkDefinition> own = Stream
                .concat(topics.stream().map(TopicLine::sink), others.stream().map(SinkItems::sink)).distinct().toList();
        Map<String, Long> chunks = new TreeMap<>();
        lines.stream().filter(line -> line.format().chunks()).flatMap(line -> line.format().sink().stream())
                .forEach(name -> chunks.merge(name, 1L, Long::sum));
        topics.stream().map(TopicLine::sink).filter(ItemOutputs::hasChunks)
                .forEach(sink -> chunks.merge(sink.named(), 1L, Long::sum));
        others.stream().filter(other -> hasChunks(other.sink()))
                .forEach(other -> chunks.merge(other.sink().named(), (long) other.items().size(), Long::sum));
        return ItemCounts.stored(Stream
                .concat(lines.stream().filter(line -> !line.format().chunks())
                        .flatMap(line -> line.format().sink().stream()),
                        own.stream().filter(sink -> !sink.skipped() && !sink.ofChunks()).map(SinkDefinition::named))
                .toList(), own.stream().filter(SinkDefinition::skipped).map(SinkDefinition::named).toList(), chunks);
    }

    private static boolean hasChunks(SinkDefinition sink) {
        return sink.ofChunks() && !sink.skipped();
    }
}
