package io.trawl.standalone.crawl;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whose an output folder is.
 *
 * @param cluster the Kafka cluster that the crawl lives in: that of a data folder
 * @param crawl the crawl; absent if all crawls of the cluster write there
 * @param epoch of the run that writes there; absent while the run has not begun
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Marker(@JsonProperty("cluster") String cluster, @JsonProperty("crawl") Optional<CrawlId> crawl,
        @JsonProperty("epoch") OptionalInt epoch) {
    Marker {
        epoch = epoch == null ? OptionalInt.empty() : epoch;
    }

    /** The folder is that of all crawls of a cluster. */
    static Marker ofAll(String cluster) {
        return new Marker(cluster, Optional.empty(), OptionalInt.empty());
    }

    /** The folder is to be that of this crawl. */
    static Marker intent(String cluster, CrawlId crawl) {
        return new Marker(cluster, Optional.of(crawl), OptionalInt.empty());
    }

    /** The folder is that of this run. */
    static Marker of(String cluster, CrawlRun run) {
        return new Marker(cluster, Optional.of(run.crawl()), OptionalInt.of(run.epoch()));
    }
}
