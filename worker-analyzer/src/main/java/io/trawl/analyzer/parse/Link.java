package io.trawl.analyzer.parse;

/**
 * A link as a page gives it.
 *
 * @param href absolute or relative, as written
 * @param nofollow whether it asks not to be followed ({@code rel=nofollow})
 */
public record Link(String href, boolean nofollow) {
    /** A link that may be followed. */
    public static Link to(String href) {
        return new Link(href, false);
    }
}
