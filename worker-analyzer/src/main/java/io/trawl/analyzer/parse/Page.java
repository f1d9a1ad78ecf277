package io.trawl.analyzer.parse;

import io.trawl.admission.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.Response;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response as parsers see it. What is costly is done when it is first asked for, and once for all parsers of the page. Used by one thread at a
 * time.
 */
public final class Page {
    private final Response response;
    private final CrawlDefinition definition;
    private final String contentType;
    private @Nullable Decoded decoded;

    /**
     * @param response a PAGE
     * @param definition of its crawl
     */
    public Page(Response response, CrawlDefinition definition) {
        this.response = response;
        this.definition = definition;
        this.contentType = MediaTypes.of(response);
    }

    /** The response as it came. */
    public Response response() {
        return response;
    }

    /** The crawl that it belongs to. */
    public CrawlDefinition definition() {
        return definition;
    }

    /** The normalised URL. */
    public String url() {
        return response.url();
    }

    /** The response headers, names in lower case. */
    public Map<String, String> headers() {
        return response.headers();
    }

    /** The media type in lower case without parameters; found from the first bytes if no header tells. */
    public String contentType() {
        return contentType;
    }

    /** A fresh reader over the whole body: each call starts at the first byte, whatever others have read. */
    public InputStream reader() {
        return response.body().reader();
    }

    /** The body as text, without a byte order mark. */
    public String text() {
        return decoded().text();
    }

    /** The charset that the body was found to be in. */
    public Charset charset() {
        return decoded().charset();
    }

    /** The normal form of a reference, if it is an http or https URL. @param base absolute and in normal form */
    public Optional<String> resolve(String base, String reference) {
        return UrlNormalizer.resolve(base, reference) instanceof NormalUrl url ? Optional.of(url.text()) : Optional.empty();
    }

    private Decoded decoded() {
        Decoded known = decoded;
        if (known == null) {
            known = Decoded.of(response.body().bytes(), response.header("content-type"));
            decoded = known;
        }
        return known;
    }
}
