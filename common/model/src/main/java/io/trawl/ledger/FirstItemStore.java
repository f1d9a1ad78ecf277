package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.util.List;
import java.util.Optional;

/**
 * Which item of a run is the first one with its content: a fact about records of {@code items} that are committed.
 * Losing it means that one more item with that content is stored. An item whose page is visited again has its content
 * until another one with its key is learnt, also in later runs ({@link #inherit}). Thread-safe; calls block and throw
 * {@link LedgerUnavailableException}.
 */
public interface FirstItemStore {
    /** An item. @param key by which it is known in later runs; empty if its page is not visited again */
    record JudgedItem(String id, Optional<String> key) {}

    /** An item and the fingerprint of its content. @param content empty if it has none, or is gone */
    record ContentOfItem(Optional<Fingerprint> content, JudgedItem item) {}

    /**
     * Learns the items, one after the other in the order given, unless their content is known.
     *
     * @return for each whether it is the first item with its content, or has none; in a run the same at a repeat
     */
    List<Boolean> learn(CrawlRun run, List<ContentOfItem> items);

    /** An item and the SimHash of its text. @param hash empty if it has none, or is gone */
    record HashOfItem(Optional<Long> hash, JudgedItem item) {}

    /** An earlier item. @param bits in which the hashes of both differ */
    record SimilarItem(String item, int bits) {}

    /**
     * Learns the items, one after the other in the order given, unless they are known. Of items with the same 16 bits
     * only the first 32 are compared.
     *
     * @return for each the most similar item among those that were learnt before it, if at most three bits differ; in a
     * run the same at a repeat
     */
    List<Optional<SimilarItem>> similar(CrawlRun run, List<HashOfItem> items);

    /** Gives a run what is known of the items of the run before it, whose pages it visits; not once it knows items. */
    void inherit(CrawlRun from, CrawlRun to);

    /** A page that is visited again. @param page what the keys of its items begin with */
    record VisitedPage(String page, boolean missing) {}

    /**
     * Finds the pages of which an item was not the first one, and no other item has its content any more. The first
     * items of a page that is missing have their contents no more.
     *
     * @return for each whether it is such a page
     */
    List<Boolean> released(CrawlRun run, List<VisitedPage> pages);
}
