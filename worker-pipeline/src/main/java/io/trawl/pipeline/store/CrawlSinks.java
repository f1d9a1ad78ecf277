package io.trawl.pipeline.store;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.definition.sink.ItemVersion;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.definition.sink.WriteMode;
import io.trawl.ledger.FirstItemStore.JudgedItem;
import io.trawl.model.CrawlId;
import io.trawl.pipeline.chunk.ItemChunks;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.ItemOutputs;
import io.trawl.pipeline.sink.ItemOutputs.SinkItems;
import io.trawl.pipeline.sink.ItemOutputs.TopicLine;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The sinks of a crawl, with the formats of their files, and how its items are compared.
 *
 * @param files no file and no other sink: JSON lines
 * @param unique whether items with one content are stored once
 * @param similar the text by which similar items are marked
 * @param visited whether its pages are visited again
 */
record CrawlSinks(List<FileOutput> files, List<SinkDefinition> others, boolean unique, Optional<String> similar,
        boolean visited) {
    /** Of a crawl that names none. */
    static final CrawlSinks NONE = new CrawlSinks(List.of(), List.of(), false, Optional.empty(), false);

    /** A sink of files. */
    private record FileOutput(SinkDefinition sink, FileFormat format) {}

    private static CrawlSinks of(CrawlDefinition definition, boolean visited) {
        return new CrawlSinks(
                definition.sinks().stream().filter(SinkDefinition::isFiles)
                        .map(sink -> new FileOutput(sink, FileFormat.of(sink, definition.extract().items()))).toList(),
                definition.sinks().stream().filter(sink -> !sink.isFiles()).toList(), definition.process().unique(),
                definition.process().processors().stream().flatMap(step -> step.similar().stream()).findFirst(),
                visited);
    }

    /** As others are compared with it. */
    JudgedItem judged(Item item) {
        return new JudgedItem(item.id(), Optional.of(item.key()).filter(_ -> visited));
    }

    /** Whether an item, stored or not, ends what is known of the one with its key. */
    boolean replaces(Item item) {
        return visited && (item.kind() == ItemKind.PAGE || ItemVersion.gone(item));
    }

    /** Where an item is stored. @throws IllegalArgumentException if it has a value that has no JSON form */
    ItemOutputs outputs(Item item) {
        if (files.isEmpty() && others.isEmpty()) {
            return new ItemOutputs(List.of(FileFormat.DEFAULT.line(item)), List.of(), List.of());
        }
        Map<ChunkRules, List<Item>> chunks = new HashMap<>();
        Function<SinkDefinition, List<Item>> given = sink -> !sink.takes(item)
                ? List.of()
                : sink.cut().map(rules -> chunks.computeIfAbsent(rules, cut -> ItemChunks.of(item, cut)))
                        .orElse(List.of(item));
        return new ItemOutputs(
                files.stream().flatMap(file -> given.apply(file.sink()).stream().map(file.format()::line)).toList(),
                others.stream().filter(sink -> sink.topic().isPresent())
                        .flatMap(sink -> given.apply(sink).stream().map(one -> line(sink, one))).toList(),
                others.stream().filter(sink -> sink.topic().isEmpty())
                        .map(sink -> new SinkItems(sink, given.apply(sink))).filter(sink -> !sink.items().isEmpty())
                        .toList());
    }

    private static TopicLine line(SinkDefinition sink, Item item) {
        boolean tombstone = sink.writesToTopic() == WriteMode.DELETE && ItemVersion.gone(item);
        return new TopicLine(sink, sink.upserts() ? item.key() : item.id(),
                tombstone ? Optional.empty() : Optional.of(FileFormat.object(item, sink.fields())));
    }

    /** Why an item is stored nowhere. */
    String refusal(Item item) {
        return Stream.concat(files.stream().map(FileOutput::sink), others.stream()).anyMatch(sink -> sink.takes(item))
                ? "it has no text, and its sinks take chunks"
                : "no sink takes items of the type " + SinkDefinition.type(item);
    }

    /** The sinks of the latest definitions, which are made once per definition. Confined to one thread. */
    static final class Cache {
        private static final int MOST = 1_000;
        private final Map<CrawlId, Made> made = new HashMap<>();

        private record Made(long version, CrawlSinks sinks) {}

        CrawlSinks of(CrawlStatus status) {
            Made known = made.get(status.run().crawl());
            if (known != null && known.version() == status.version()) {
                return known.sinks();
            }
            if (made.size() > MOST) {
                made.clear();
            }
            CrawlSinks sinks = CrawlSinks.of(status.definition(), status.visits().isPresent());
            made.put(status.run().crawl(), new Made(status.version(), sinks));
            return sinks;
        }
    }
}
