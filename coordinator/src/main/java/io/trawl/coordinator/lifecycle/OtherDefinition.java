package io.trawl.coordinator.lifecycle;

import io.trawl.model.CrawlId;
import java.util.List;

/** A crawl of that id exists, with other seeds, domains or depth. */
public final class OtherDefinition extends RuntimeException {
    OtherDefinition(CrawlId crawl, List<String> differences) {
        super("crawl " + crawl + " exists with " + String.join(" and ", differences)
                + ": take another id, or ask for a fresh one, which starts anew with an empty ledger");
    }
}
