package io.trawl.pattern;

/**
 * A URL in normal form with the places of its parts, split once for all patterns. Immutable.
 *
 * @param text the whole URL
 * @param host where the host begins
 * @param hostEnd where the host ends, before a port
 * @param path where the path begins
 * @param query where the query begins, with its question mark, or the end
 */
public record UrlParts(String text, int host, int hostEnd, int path, int query) {
    /** Splits a URL in normal form. */
    public static UrlParts of(String url) {
        int host = url.indexOf("//") + 2;
        int slash = url.indexOf('/', host);
        int path = slash < 0 ? url.length() : slash;
        int colon = url.lastIndexOf(':', path);
        int query = url.indexOf('?', path);
        // A colon in the brackets of an IPv6 address begins no port.
        return new UrlParts(url, host, colon > host && url.lastIndexOf(']', path) < colon ? colon : path, path,
                query < 0 ? url.length() : query);
    }
}
