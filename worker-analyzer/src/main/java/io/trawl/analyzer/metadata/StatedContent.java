package io.trawl.analyzer.metadata;

/**
 * What the JSON-LD of a page states of its content.
 *
 * @param text the longest text of an article or post, or description of a product, which may be HTML; empty without one
 * @param thread whether the page is a thread of posts or of answers
 */
public record StatedContent(String text, boolean thread) {
    /** Nothing. */
    public static final StatedContent NONE = new StatedContent("", false);
}
