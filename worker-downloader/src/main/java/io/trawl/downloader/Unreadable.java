package io.trawl.downloader;

import io.trawl.codec.Remains;
import io.trawl.ledger.LogPartition;
import java.util.Optional;

/**
 * An offset without a request that could be fetched.
 *
 * @param remains whose request it is, if that can still be read
 */
record Unreadable(long ticket, LogPartition log, long offset, String why, Optional<Remains> remains) {
    /** What was wrong, for people. */
    String cause() {
        return "the request " + why + (remains.isPresent()
                ? ""
                : "; which one it is cannot be read either, and if it is one of a crawl, that waits for it");
    }
}
