package io.trawl.api;

/**
 * A link on a page.
 *
 * @param href absolute or relative, as written
 * @param nofollow whether the page asks crawlers not to follow it ({@code rel=nofollow})
 */
public record Link(String href, boolean nofollow) {
    /**
     * A link that may be followed.
     *
     * @param href absolute or relative
     * @return the link
     */
    public static Link to(String href) {
        return new Link(href, false);
    }
}
