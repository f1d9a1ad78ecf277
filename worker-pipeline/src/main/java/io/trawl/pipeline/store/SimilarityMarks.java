package io.trawl.pipeline.store;

import io.trawl.api.Item;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.HashOfItem;
import io.trawl.ledger.FirstItemStore.SimilarItem;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.store.HandledRecord.ChainedItem;
import io.trawl.pipeline.process.ChainOutcome.PassedItem;
import io.trawl.process.builtin.SimilarText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Marks items whose text is nearly that of an earlier one of their run, or of the runs whose pages it visits. Which one
 * is earlier is a fact in Redis, so a pipeline that reads items again marks them as before.
 */
final class SimilarityMarks {
    private static final String ITEM = "similarTo";
    private static final String BITS = "similarBits";
    private final FirstItemStore items;

    SimilarityMarks(FirstItemStore items) {
        this.items = items;
    }

    /**
     * The same records in their order; asks once for each run, and not at all if no crawl wants it.
     *
     * @param sinks of the crawl of a run
     */
    List<HandledRecord> marked(List<HandledRecord> handled, Function<CrawlRun, CrawlSinks> sinks) {
        Map<CrawlRun, Map<Integer, HashOfItem>> hashes = new LinkedHashMap<>();
        for (int i = 0; i < handled.size(); i++) {
            if (handled.get(i) instanceof ChainedItem chained) {
                CrawlSinks of = sinks.apply(chained.run());
                Optional<Long> hash = of.similar().flatMap(field -> hash(chained, field));
                if (hash.isPresent() || of.similar().isPresent() && of.replaces(chained.item())) {
                    hashes.computeIfAbsent(chained.run(), _ -> new LinkedHashMap<>()).put(i,
                            new HashOfItem(hash, of.judged(chained.item())));
                }
            }
        }
        List<HandledRecord> marked = new ArrayList<>(handled);
        hashes.forEach((run, places) -> {
            List<Optional<SimilarItem>> found = items.similar(run, List.copyOf(places.values()));
            int n = 0;
            for (int place : places.keySet()) {
                ChainedItem chained = (ChainedItem) handled.get(place);
                found.get(n++).ifPresent(similar -> marked.set(place, marked(chained, similar, sinks.apply(run))));
            }
        });
        return marked;
    }

    private static Optional<Long> hash(ChainedItem chained, String field) {
        return chained.outcome() instanceof PassedItem passed
                && passed.item().fields().get(field) instanceof String text ? SimilarText.hash(text) : Optional.empty();
    }

    private static HandledRecord marked(ChainedItem chained, SimilarItem similar, CrawlSinks sinks) {
        PassedItem passed = (PassedItem) chained.outcome();
        Item item = passed.item().with(ITEM, similar.item()).with(BITS, similar.bits());
        return new ChainedItem(chained.record(), chained.run(), chained.item(),
                new PassedItem(item, passed.unique(), passed.failures()), sinks.outputs(item));
    }
}
