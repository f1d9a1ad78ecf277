package io.trawl.coordinator.leader;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.leader.VisitLog.VisitRange;
import io.trawl.ledger.FirstItemStore;
import io.trawl.ledger.FirstItemStore.VisitedPage;
import io.trawl.ledger.ItemId;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import java.util.Iterator;
import java.util.List;

/** What is known of the items of a run, for the run that visits their pages (docs/protocol.md, rule 29). */
record VisitedItems(FirstItemStore items) {
    /** It holds in the run that begins, too, but for the items of pages that are missing. May be repeated. */
    void inherit(VisitLog log, VisitRange range, CrawlStatus crawl) {
        items.inherit(range.run(), crawl.run());
        if (crawl.definition().process().unique()) {
            log.read(range, () -> false,
                    requests -> released(requests.stream().filter(VisitedItems::missing).toList(), crawl));
        }
    }

    /**
     * The same requests. Those of pages with an item that was dropped, and may be stored now, tell their items again.
     */
    List<Request> judgedAgain(List<Request> requests, CrawlStatus crawl) {
        if (!crawl.definition().process().unique()) {
            return requests;
        }
        Iterator<Boolean> again = released(requests, crawl).iterator();
        return requests.stream()
                .map(request -> again.next() ? request.withVisit(request.visit().map(Visit::unknown)) : request)
                .toList();
    }

    private List<Boolean> released(List<Request> requests, CrawlStatus crawl) {
        return items.released(crawl.run(), requests.stream().map(VisitedItems::page).toList());
    }

    private static VisitedPage page(Request request) {
        String key = ItemId.key(request.run().crawl(), request.pageIdentity());
        return new VisitedPage(key.substring(0, ItemId.PAGE_DIGITS), missing(request));
    }

    private static boolean missing(Request request) {
        return request.visit().filter(visit -> visit.state() == PageState.MISSING).isPresent();
    }
}
