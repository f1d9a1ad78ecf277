package io.trawl.admission;

/**
 * A page's URL, taken apart once for all references that the page makes. Immutable.
 */
public final class BaseUrl {
    private final String url;
    private final int pathStart;
    private final int queryStart;
    private final int folderEnd;
    private final Site site;

    private BaseUrl(String url) {
        this.url = url;
        this.pathStart = url.indexOf('/', url.indexOf("//") + 2);
        int query = url.indexOf('?', pathStart);
        this.queryStart = query < 0 ? url.length() : query;
        this.folderEnd = url.lastIndexOf('/', queryStart - 1) + 1;
        this.site = Site.of(url);
    }

    /** The base that a page in normal form is. */
    public static BaseUrl of(NormalUrl url) {
        return new BaseUrl(url.text());
    }

    /** What a reference on this page means; see {@link UrlNormalizer}. An empty reference, or a fragment alone, is this page. */
    public Normalized resolve(String reference) {
        int end = NormalScan.end(reference);
        return end < 0
                ? UrlParser.relative(this, reference)
                : new NormalUrl(end == reference.length() ? reference : reference.substring(0, end));
    }

    /** The host and domain of a normal URL: this page's own, without looking, if the URL begins like it. */
    Site siteOf(String normalUrl) {
        return normalUrl.regionMatches(0, url, 0, pathStart + 1) ? site : Site.of(normalUrl);
    }

    String url() {
        return url;
    }

    /** Where the path begins. */
    int pathStart() {
        return pathStart;
    }

    /** Where the query begins, or the end. */
    int queryStart() {
        return queryStart;
    }

    /** The end of the path up to its last slash. */
    int folderEnd() {
        return folderEnd;
    }

    @Override
    public String toString() {
        return url;
    }
}
