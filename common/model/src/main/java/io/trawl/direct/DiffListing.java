package io.trawl.direct;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.CrawlId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answer of a pipeline to {@code GET /diff?crawl=docs}: what finished runs have changed. Every pipeline can answer,
 * since all of them share one folder. The call changes nothing.
 *
 * @param epoch of the newest of these runs
 * @param since the epoch of the run before the oldest of them
 * @param runs the newest of these runs and those before it, the newest first, as far as they are there: ten at most
 * @param changes by run, the oldest first
 * @param next the cursor that continues; empty after the last change
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DiffListing(CrawlId crawl, int epoch, int since, List<ListedRun> runs,
        @JsonInclude(JsonInclude.Include.ALWAYS) List<ListedChange> changes, Optional<String> next) {
    /** Where it is asked. */
    public static final String PATH = "/diff";

    /**
     * A run that was compared.
     *
     * @param since the epoch of the run with which it was compared
     * @param counts how many items have each change, by its word; and those that are {@code unchanged}
     */
    public record ListedRun(int epoch, int since, Map<String, Long> counts) {}

    /**
     * A change.
     *
     * @param epoch of the run that has found it
     * @param change the word for it
     * @param url of the page
     * @param key of the item
     * @param name what a person knows the item by among those of its page, if it has a title or is a further item
     * @param id of the item or error that the run has of it, if it has one
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record ListedChange(int epoch, String change, String url, String key, Optional<String> name,
            Optional<String> id) {}

    /** Copies. */
    public DiffListing {
        runs = List.copyOf(runs);
        changes = List.copyOf(changes);
    }
}
