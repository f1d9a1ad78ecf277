package io.trawl.analyzer.extract;

import java.util.EnumSet;
import java.util.Set;

/**
 * The main text of pages, as crawls have it in the field {@code text}, for those who measure it: with all heuristics or
 * without some. Reusable, not thread-safe.
 */
public final class TextExtraction {
    private final DocumentParser parser;
    private final Set<TextRule> without;

    /**
     * @param mostNodes the largest number of elements, attributes and tags that are read of a page
     * @param without the heuristics to leave out
     */
    public TextExtraction(int mostNodes, Set<TextRule> without) {
        this.parser = new DocumentParser(DocumentParser::html, mostNodes);
        this.without = without.isEmpty() ? Set.of() : EnumSet.copyOf(without);
    }

    /** The text of an HTML page, in lines; empty if it has none. */
    public String of(String html) {
        return ReadableText.read(parser.parse(html, DocumentMemory.MOST).document(), without).text();
    }
}
