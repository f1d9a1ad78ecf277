package io.trawl.pipeline.manifest;

import io.trawl.model.CrawlRun;
import java.time.Instant;
import java.util.Optional;

/**
 * A finished run.
 *
 * @param run the run
 * @param end when it was finished
 * @param refreshed the run whose pages it has visited; empty if it has found its pages by itself
 */
public record EndedRun(CrawlRun run, Instant end, Optional<CrawlRun> refreshed) {
    /** One that has found its pages by itself. */
    public EndedRun(CrawlRun run, Instant end) {
        this(run, end, Optional.empty());
    }
}
