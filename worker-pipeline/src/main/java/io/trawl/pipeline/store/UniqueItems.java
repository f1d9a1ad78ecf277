package io.trawl.pipeline.store;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.ContentOfItem;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.store.HandledRecord.ChainedItem;
import io.trawl.pipeline.process.ChainOutcome.PassedItem;
import io.trawl.pipeline.process.ChainOutcome.UniqueContent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keeps the first item with a content, and drops the others (rule 29). The item that is first is in {@code items} for
 * good, and the pipeline that owns its partition stores it, so the fact may be learnt before the item is stored. If
 * pages are visited again, it is first until another one takes its place, or says that it is gone.
 */
final class UniqueItems {
    private final FirstItemStore firstItems;

    UniqueItems(FirstItemStore firstItems) {
        this.firstItems = firstItems;
    }

    /**
     * The same records in their order; asks once for each run, and not at all if no item has a content that counts.
     *
     * @param sinks of the crawl of a run
     */
    List<HandledRecord> decided(List<HandledRecord> handled, Function<CrawlRun, CrawlSinks> sinks) {
        Map<CrawlRun, Map<Integer, ContentOfItem>> contents = new LinkedHashMap<>();
        for (int i = 0; i < handled.size(); i++) {
            if (handled.get(i) instanceof ChainedItem processed) {
                CrawlSinks of = sinks.apply(processed.run());
                Optional<Fingerprint> content = content(processed);
                if (content.isPresent() || of.unique() && of.replaces(processed.item())) {
                    contents.computeIfAbsent(processed.run(), _ -> new LinkedHashMap<>()).put(i,
                            new ContentOfItem(content, of.judged(processed.item())));
                }
            }
        }
        List<HandledRecord> decided = new ArrayList<>(handled);
        contents.forEach((run, places) -> {
            Iterator<Boolean> first = firstItems.learn(run, List.copyOf(places.values())).iterator();
            places.keySet().forEach(place -> {
                if (!first.next() && handled.get(place) instanceof ChainedItem processed
                        && processed.outcome() instanceof PassedItem passed) {
                    decided.set(place, processed.with(passed.repeated()));
                }
            });
        });
        return decided;
    }

    private static Optional<Fingerprint> content(ChainedItem processed) {
        return processed.outcome() instanceof PassedItem passed
                ? passed.unique().map(UniqueContent::content)
                : Optional.empty();
    }
}
