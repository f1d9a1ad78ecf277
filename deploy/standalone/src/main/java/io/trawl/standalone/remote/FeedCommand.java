package io.trawl.standalone.remote;

import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command that shows the latest records of a feed, newest first, with an optional crawl and a limit. */
abstract class FeedCommand extends CoordinatorCommand {
    @Option(names = "--crawl", paramLabel = "ID", description = "Only of this crawl.")
    private @Nullable String crawl;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    /** A path with the crawl as its filter. */
    final Query filtered(String path) {
        return new Query(path).with("crawl", Optional.ofNullable(crawl));
    }

    /** The same with the limit. */
    final String limited(Query query) {
        return query.limit(limit).toString();
    }
}
