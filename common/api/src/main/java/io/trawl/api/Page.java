package io.trawl.api;

import java.io.InputStream;
import java.nio.charset.Charset;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A response with a 2xx status, as parsers see it. Each parser of a page reads the whole body. Expensive values are
 * computed on first use, once for all parsers. Not thread-safe; valid only during the call that receives it.
 */
public interface Page {
    /** How the names of media types of text end that do not begin with {@code text/}. */
    Set<String> TEXT = Set.of("/json", "+json", "json-seq", "/jsonl", "ndjson", "/xml", "+xml", "/yaml", "+yaml",
            "x-yaml", "/toml");

    /**
     * {@return the normalized URL that was fetched; a redirect is a request of its own, so this URL delivered the body}
     */
    String url();

    /** {@return the name of the crawl} */
    String crawl();

    /** {@return how many links lead from a seed to this page; 0 for a seed} */
    int depth();

    /** {@return the URL of the page that linked to this one; empty for a seed} */
    Optional<String> parent();

    /** {@return the metadata of the seed and the links that led to this page} */
    Map<String, String> metadata();

    /**
     * {@return the options of the request that fetched this page, so that a parser can give its links the same cookie;
     * without the priority, which links inherit, and without method and body, which are of that request alone}
     */
    default LinkOptions options() {
        return LinkOptions.NONE;
    }

    /** {@return the HTTP status, 200 to 299} */
    int status();

    /**
     * {@return the response headers, names in lower case, repeated values joined by {@code ", "}, those of
     * {@code X-Robots-Tag} by line ends}
     */
    Map<String, String> headers();

    /**
     * A response header.
     *
     * @param name in any case
     * @return its value, or an empty text
     */
    default String header(String name) {
        return headers().getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /**
     * {@return the media type in lower case without parameters, for example
     * {@code text/html}; detected from the first bytes if no header
     * declares it}
     */
    String contentType();

    /** {@return whether the media type is that of HTML or XHTML} */
    default boolean isHtml() {
        return contentType().equals("text/html") || contentType().equals("application/xhtml+xml");
    }

    /**
     * {@return whether the media type is one of text other than HTML: plain text, Markdown, CSV, JSON, XML, a feed and
     * the like; style sheets, scripts and images are none}
     */
    default boolean isText() {
        String type = contentType();
        if (isHtml() || type.endsWith("css") || type.endsWith("javascript") || type.endsWith("ecmascript")) {
            return false;
        }
        return type.startsWith("text/") || type.startsWith("application/") && TEXT.stream().anyMatch(type::endsWith);
    }

    /** {@return when the response was complete} */
    Instant fetchedAt();

    /**
     * Whether a date was over when the page was fetched.
     *
     * @param date as headers and robots directives have dates
     * @return false for one to come, and for what is no date
     */
    default boolean isPast(String date) {
        return false;
    }

    /** {@return whether the body was truncated at the downloader's limit} */
    boolean truncated();

    /**
     * {@return a new stream over the whole body, decompressed; it starts at the first byte, independent of other
     * readers, and need not be closed}
     */
    InputStream body();

    /** {@return the body as text in {@link #charset()}, without a byte order mark} */
    String text();

    /** {@return the charset of the body: the declared one, unless the bytes show that the declaration is wrong} */
    Charset charset();

    /**
     * Resolves a reference.
     *
     * @param base an absolute URL, for example {@link #url()}
     * @param reference absolute or relative
     * @return the reference as a normalized absolute URL; empty if it is not an http or https URL
     */
    Optional<String> resolve(String base, String reference);

    /** {@return whether items of the crawl shall hold a field {@code text}} */
    boolean textWanted();

    /** {@return whether items of the crawl shall hold a field {@code markdown}} */
    default boolean markdownWanted() {
        return false;
    }

    /** {@return whether items of the crawl shall hold the text and link types of links} */
    default boolean anchorsWanted() {
        return false;
    }

    /** {@return the kinds of links that the crawl follows, as {@code discover.links} names them} */
    default Set<String> linkKinds() {
        return Set.of("a", "area", "frame");
    }

    /**
     * {@return the CSS selectors, or
     * {@code xpath:} expressions, of the regions in which links count; empty: the whole page}
     */
    default List<String> linkRegions() {
        return List.of();
    }

    /** {@return the kinds of requisites that the crawl fetches, as {@code discover.requisites} names them} */
    default Set<String> requisiteKinds() {
        return Set.of();
    }

    /** {@return whether feeds that the page names are read for links} */
    default boolean feedsWanted() {
        return false;
    }

    /** {@return the crawler's product token (RFC 9309) in lower case, the name that robots rules use} */
    String productToken();
}
