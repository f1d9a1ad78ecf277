package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.Optional;

/**
 * Which item of a run is the first one with its content: a fact about records of {@code items} that are committed.
 * Losing it means that one more item with that content is stored. Thread-safe; calls block and throw
 * {@link LedgerUnavailableException}.
 */
public interface FirstItemStore {
    /** An item and the fingerprint of its content. */
    record ContentOfItem(Fingerprint content, String item) {}

    /**
     * Learns the items, one after the other in the order given, unless their content is known.
     *
     * @return for each the id of the first item with its content: its own if it is that one, also at a repeat
     */
    List<String> learn(CrawlRun run, List<ContentOfItem> items);

    /** An item and the SimHash of its text. */
    record HashOfItem(long hash, String item) {}

    /** An earlier item. @param bits in which the hashes of both differ */
    record SimilarItem(String item, int bits) {}

    /**
     * Learns the items, one after the other in the order given, unless they are known. Of items with the same 16 bits
     * only the first 32 are compared.
     *
     * @return for each the most similar item among those that were learnt before it, if at most three bits differ; the
     * same at a repeat
     */
    List<Optional<SimilarItem>> similar(CrawlRun run, List<HashOfItem> items);
}
