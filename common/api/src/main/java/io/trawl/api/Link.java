package io.trawl.api;

/**
 * A link on a page.
 *
 * @param href absolute or relative, as written
 * @param nofollow whether the page asks crawlers not to follow it ({@code rel=nofollow})
 * @param text the text of the link, at most a few hundred characters; empty if there is none, or if the crawl does not
 * want it
 * @param rel the link types as written; empty like {@code text}
 * @param options of the request that the link becomes
 */
public record Link(String href, boolean nofollow, String text, String rel, LinkOptions options) {
    /**
     * A link without options.
     *
     * @param href absolute or relative
     * @param nofollow whether the page asks crawlers not to follow it
     * @param text the text of the link
     * @param rel the link types
     */
    public Link(String href, boolean nofollow, String text, String rel) {
        this(href, nofollow, text, rel, LinkOptions.NONE);
    }

    /**
     * A link without text.
     *
     * @param href absolute or relative
     * @param nofollow whether the page asks crawlers not to follow it
     */
    public Link(String href, boolean nofollow) {
        this(href, nofollow, "", "");
    }

    /**
     * A link that may be followed.
     *
     * @param href absolute or relative
     * @return the link
     */
    public static Link to(String href) {
        return new Link(href, false);
    }

    /**
     * This link with options for its request.
     *
     * @param others replace all options
     * @return a copy
     */
    public Link with(LinkOptions others) {
        return new Link(href, nofollow, text, rel, others);
    }
}
