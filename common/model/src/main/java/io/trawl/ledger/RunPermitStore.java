package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The permits to fetch of runs with a limit of pages or bytes. A run has a permit for each page that it has left; the
 * request holds it, not the process, so the next owner of its partition finds it. A permit ends when the fetch brought
 * no page, or when the ledger has counted the answer; one that brought nothing for {@link #LONGEST_FETCH_SECONDS} ends,
 * too, since its process may have died. After a loss of data nothing is permitted until the next {@link #settle}. Every
 * call may be repeated. Thread-safe; calls block and throw {@link LedgerUnavailableException}.
 */
public interface RunPermitStore {
    /** The room of a run without this limit. */
    long UNLIMITED = (1L << 53) - 1;
    /** A permit without an acknowledged answer ends after this time. */
    int LONGEST_FETCH_SECONDS = 120;

    /**
     * What a run has left, by the answers that the ledger has counted.
     *
     * @param pages not negative
     * @param bytes not negative
     */
    record Room(long pages, long bytes) {}

    /**
     * Gives permits to requests in the order given, as long as there are any. A request that has one keeps it.
     *
     * @return how many of the requests, from the first on, have a permit now
     */
    int take(CrawlRun run, List<RequestId> requests);

    /** The fetches of these requests brought no page. */
    void giveBack(CrawlRun run, Collection<RequestId> requests);

    /**
     * A page that was fetched with a permit.
     *
     * @param stored whether it is in Kafka: then the permit ends only when the page is counted
     */
    record PermittedPage(long bytes, boolean stored) {}

    /** These requests have brought pages; requests without a permit are ignored. */
    void spend(CrawlRun run, Map<RequestId, PermittedPage> pages);

    /** The requests that have permits. */
    List<RequestId> holders(CrawlRun run);

    /**
     * Sets what the run has left.
     *
     * @param counted requests whose answers {@code room} includes: their permits end
     */
    void settle(CrawlRun run, Room room, Collection<RequestId> counted);
}
