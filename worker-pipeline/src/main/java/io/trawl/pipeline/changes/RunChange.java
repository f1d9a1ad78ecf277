package io.trawl.pipeline.changes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;

/**
 * A key that differs between two runs: a line of {@code _changes.ndjson}.
 *
 * @param change how
 * @param url of the page
 * @param key of the item
 * @param name what a person knows the item by among those of its page: see {@link io.trawl.pipeline.read.StoredContent}
 * @param id of the item, or of an error of its page, that the run has; of a page that redirects, and of which no visit
 * has said so, that of the item to which it leads
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RunChange(@JsonProperty("change") ChangeKind change, @JsonProperty("url") String url,
        @JsonProperty("key") String key, @JsonProperty("name") Optional<String> name,
        @JsonProperty("id") Optional<String> id) {}
