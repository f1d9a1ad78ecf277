package io.trawl.definition.sink;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/**
 * How a sink of chunks has texts cut. It is as the user wrote it; the coordinator checks it.
 *
 * @param maxTokens of a chunk, with what overlaps; by default {@value #USUAL}
 * @param overlap how many tokens before a chunk it repeats at most; by default none
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ChunkRules(@JsonProperty("maxTokens") Optional<Integer> maxTokens,
        @JsonProperty("overlap") Optional<Integer> overlap) {
    /** Of a sink that says nothing. */
    public static final ChunkRules DEFAULT = new ChunkRules(Optional.empty(), Optional.empty());
    /** The fields of a chunk, in their order. */
    public static final List<String> FIELDS = List.of("id", "key", "crawl", "epoch", "url", "page", "title", "ordinal",
            "headings", "text", "tokens", "pages", "language", "sha256");
    /** The fewest tokens that a largest chunk may have. */
    public static final int FEWEST = 32;
    /** The most. */
    public static final int MOST = 32_768;
    private static final int USUAL = 512;

    /** The largest number of tokens. */
    public int most() {
        return maxTokens.orElse(USUAL);
    }

    /** The largest number of tokens that are repeated. */
    public int repeated() {
        return overlap.orElse(0);
    }
}
