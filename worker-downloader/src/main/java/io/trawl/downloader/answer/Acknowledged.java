package io.trawl.downloader.answer;

import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.util.Optional;

/**
 * A request whose answer Kafka has acknowledged, or for which nobody wants one, or that is none.
 *
 * @param ticket the frontier's number of the answer
 * @param log where the request stands
 * @param offset where in it
 * @param lesson what the ledger may learn now; empty if the answer states nothing
 */
public record Acknowledged(long ticket, LogPartition log, long offset, Optional<Lesson> lesson) {
    /** A fact about a URL of a run. */
    public record Lesson(CrawlRun run, String url, UrlFacts facts) {}
}
