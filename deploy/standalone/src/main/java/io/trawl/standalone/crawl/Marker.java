package io.trawl.standalone.crawl;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.OptionalInt;

/**
 * Whose an output folder is.
 *
 * @param cluster the Kafka cluster that the crawl lives in: that of a data folder
 * @param crawl the crawl
 * @param epoch of the run that writes there; absent while the run has not begun
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Marker(@JsonProperty("cluster") String cluster, @JsonProperty("crawl") CrawlId crawl,
        @JsonProperty("epoch") OptionalInt epoch) {
    Marker {
        epoch = epoch == null ? OptionalInt.empty() : epoch;
    }

    /** The folder is to be that of this crawl. */
    static Marker intent(String cluster, CrawlId crawl) {
        return new Marker(cluster, crawl, OptionalInt.empty());
    }

    /** The folder is that of this run. */
    static Marker of(String cluster, CrawlRun run) {
        return new Marker(cluster, run.crawl(), OptionalInt.of(run.epoch()));
    }
}
