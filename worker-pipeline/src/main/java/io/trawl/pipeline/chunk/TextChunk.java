package io.trawl.pipeline.chunk;

import java.util.List;
import java.util.Optional;

/**
 * A part of a text.
 *
 * @param headings under which it begins, from the outermost one on; one that it begins with is the last
 * @param fragment the id of the last of them, if it is known
 * @param text with what is repeated of the chunk before
 * @param own the same without that
 * @param tokens of {@code text}
 */
public record TextChunk(List<String> headings, Optional<String> fragment, String text, String own, int tokens) {
    /** Copies the headings. */
    public TextChunk {
        headings = List.copyOf(headings);
    }
}
