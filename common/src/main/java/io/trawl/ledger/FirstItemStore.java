package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.List;

/**
 * Which item of a run is the first one with its content: a fact about records of {@code items} that are committed. Losing it means that one more item with
 * that content is stored. Thread-safe; calls block and throw {@link LedgerUnavailableException}.
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
}
