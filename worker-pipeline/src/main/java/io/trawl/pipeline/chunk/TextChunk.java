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
 * @param pages the first and the last page of {@code own}, from 1, if form feeds part the whole text into pages; else
 * none
 */
public record TextChunk(List<String> headings, Optional<String> fragment, String text, String own, int tokens,
        List<Integer> pages) {
    /** What ends a page of plain text. */
    static final char FORM_FEED = '\f';

    /** Copies the lists. */
    public TextChunk {
        headings = List.copyOf(headings);
        pages = List.copyOf(pages);
    }
}
