package io.trawl.pipeline.store;

import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.ContentOfItem;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.store.HandledRecord.ChainedItem;
import io.trawl.pipeline.process.ChainOutcome.PassedItem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the first item with a content, and drops the others (rule 29). The item that is first is in {@code items} for
 * good, and the pipeline that owns its partition stores it, so the fact may be learnt before the item is stored.
 */
final class UniqueItems {
    private final FirstItemStore firstItems;

    UniqueItems(FirstItemStore firstItems) {
        this.firstItems = firstItems;
    }

    /** The same records in their order; asks once for each run, and not at all if no item has a content that counts. */
    List<HandledRecord> decided(List<HandledRecord> handled) {
        Map<CrawlRun, List<Integer>> places = new LinkedHashMap<>();
        for (int i = 0; i < handled.size(); i++) {
            if (handled.get(i) instanceof ChainedItem processed && processed.outcome() instanceof PassedItem passed
                    && passed.unique().isPresent()) {
                places.computeIfAbsent(processed.run(), _ -> new ArrayList<>()).add(i);
            }
        }
        List<HandledRecord> decided = new ArrayList<>(handled);
        places.forEach((run, of) -> {
            List<String> first = firstItems.learn(run,
                    of.stream().map(i -> content((ChainedItem) handled.get(i))).toList());
            for (int n = 0; n < first.size(); n++) {
                ChainedItem processed = (ChainedItem) handled.get(of.get(n));
                if (!first.get(n).equals(processed.item().id())) {
                    decided.set(of.get(n), processed.with(((PassedItem) processed.outcome()).repeated()));
                }
            }
        });
        return decided;
    }

    private static ContentOfItem content(ChainedItem processed) {
        return new ContentOfItem(((PassedItem) processed.outcome()).unique().orElseThrow().content(),
                processed.item().id());
    }
}
