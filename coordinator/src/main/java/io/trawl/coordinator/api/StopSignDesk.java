package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.trawl.model.CrawlId;
import java.util.List;

/** Stop signs (S4), of one crawl or of the fleet; see {@link Desks} for what all calls have in common. Who has dealt is asked of the registrar. */
public interface StopSignDesk {
    /** The sign of the fleet, signed or not, and those of all crawls that were ever stopped. */
    List<StopSignSummary> all();

    /**
     * The sign of a crawl.
     *
     * @throws io.trawl.coordinator.lifecycle.UnknownCrawl if there is no such crawl
     */
    StopSignSummary of(CrawlId crawl) throws InterruptedException;

    /** Signs for the whole fleet. Leader only. */
    Signed sign() throws InterruptedException;

    /** Resets the sign of the fleet: all crawls go on as their states say. Leader only. */
    StopSignSummary reset() throws InterruptedException;

    /**
     * What became of a wish to sign.
     *
     * @param first whether this call has signed: false if the sign stood already
     */
    record Signed(boolean first, @JsonUnwrapped StopSignSummary sign) {}
}
