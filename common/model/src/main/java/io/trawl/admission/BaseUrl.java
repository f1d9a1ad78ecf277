package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.charset.WebCharset;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A page's URL, split once for all references on the page. Immutable.
 */
public final class BaseUrl {
    private final String url;
    private final int pathStart;
    private final int queryStart;
    private final int folderEnd;
    private final UrlAuthority urlAuthority;
    private final Charset queries;

    private BaseUrl(String url, Charset queries) {
        this.url = url;
        this.queries = queries;
        this.pathStart = url.indexOf('/', url.indexOf("//") + 2);
        int query = url.indexOf('?', pathStart);
        this.queryStart = query < 0 ? url.length() : query;
        this.folderEnd = url.lastIndexOf('/', queryStart - 1) + 1;
        this.urlAuthority = UrlAuthority.of(url);
    }

    /** The base for a page with this URL. */
    public static BaseUrl of(NormalUrl url) {
        return of(url, StandardCharsets.UTF_8);
    }

    /**
     * The same for a page in a charset, in which browsers write the queries of its links (URL standard, query state).
     */
    public static BaseUrl of(NormalUrl url, Charset charset) {
        return new BaseUrl(url.text(), WebCharset.output(charset));
    }

    /**
     * The absolute URL of a reference on this page; see {@link UrlNormalizer}. An empty reference, or a fragment alone,
     * is this page.
     */
    public Normalized resolve(String reference) {
        int end = NormalFormScanner.end(reference);
        return end < 0
                ? UrlParser.relative(this, reference)
                : new NormalUrl(end == reference.length() ? reference : reference.substring(0, end));
    }

    /** The host and domain of a normal URL: those of this page, without parsing, if the URL has the same prefix. */
    UrlAuthority siteOf(String normalUrl) {
        return normalUrl.regionMatches(0, url, 0, pathStart + 1) ? urlAuthority : UrlAuthority.of(normalUrl);
    }

    String url() {
        return url;
    }

    /** The charset of the queries of its references. */
    Charset queries() {
        return queries;
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
