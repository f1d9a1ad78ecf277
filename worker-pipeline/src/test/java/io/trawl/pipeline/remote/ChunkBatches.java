package io.trawl.pipeline.remote;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.pipeline.chunk.ItemChunks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/** What the pipeline gives to a sink with {@code from: chunks}: all chunks of an item under its position. */
public final class ChunkBatches {
    private static final ChunkRules SMALL = new ChunkRules(Optional.of(32), Optional.empty());
    private static final String PART = "\n\nThis sentence has some ten words, and one more word of those.";

    private ChunkBatches() {}

    /** The chunks of the items at these positions, some for each, of which some have the same text. */
    public static List<PlacedItem> of(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed()
                .flatMap(position -> ItemChunks
                        .of(new Item("page" + position, "kpage" + position, "docs/1", ItemKind.PAGE,
                                "http://h/" + position, Map.of("text", "Page " + position + PART.repeat(5))), SMALL)
                        .stream().map(chunk -> new PlacedItem(position, chunk)))
                .toList();
    }

    /** Their ids. */
    public static List<String> ids(List<PlacedItem> chunks) {
        return chunks.stream().map(chunk -> chunk.item().id()).toList();
    }
}
