package io.trawl.analyzer.parse;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.analyzer.extract.BoundedDocument;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.charset.DecodedText;
import io.trawl.analyzer.extract.PageRefresh;
import io.trawl.api.LinkOptions;
import io.trawl.definition.CrawlDefinition;
import io.trawl.extract.Extraction;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.ProductToken;
import io.trawl.model.Response;
import io.trawl.value.HttpDate;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The page of a response. Decodes the body on the first call of {@link #text()} or {@link #charset()}, and keeps its
 * document. Not thread-safe.
 */
public final class FetchedPage implements BoundedDocument.Shared {
    private final Response response;
    private final Outcome.Success outcome;
    private final CrawlDefinition definition;
    private final boolean textStored;
    private final boolean languageWanted;
    private final String productToken;
    private final List<String> parsers;
    private final String contentType;
    private final Extraction extraction;
    private final DocumentMemory memory;
    private @Nullable DecodedText decoded;
    private @Nullable BoundedDocument document;
    private Optional<PageRefresh> refresh = Optional.empty();

    /**
     * A page for whose document the most memory is reserved, of a crawl without rules.
     *
     * @param response with the outcome PAGE
     * @param definition the crawl's definition
     * @throws IllegalArgumentException if the response has another outcome
     */
    public FetchedPage(Response response, CrawlDefinition definition) {
        this(response, definition, Extraction.NONE, DocumentMemory.MOST);
    }

    /**
     * @param extraction the rules of the definition
     * @param memory what is reserved for the document
     */
    public FetchedPage(Response response, CrawlDefinition definition, Extraction extraction, DocumentMemory memory) {
        if (!(response.outcome() instanceof Outcome.Success success)) {
            throw new IllegalArgumentException("not a page: " + response.outcome());
        }
        this.response = response;
        this.outcome = success;
        this.definition = definition;
        this.extraction = extraction;
        this.memory = memory;
        this.textStored = definition.extract().text() && definition.extract().pageItem();
        this.languageWanted = definition.scope().languageRules().judge() && makesItems()
                || definition.extract().language() && definition.extract().pageItem();
        this.productToken = ProductToken.of(definition.fetch().userAgent());
        this.parsers = response.request().options().parser().map(List::of).orElse(definition.extract().parsers());
        this.contentType = MediaTypes.of(response);
    }

    /** The original response. */
    Response response() {
        return response;
    }

    /** The names of the parsers that read it, by its request or else its crawl; empty: all. */
    List<String> parsers() {
        return parsers;
    }

    @Override
    public String url() {
        return response.url();
    }

    @Override
    public String crawl() {
        return response.run().crawl().value();
    }

    @Override
    public int depth() {
        return response.request().depth();
    }

    @Override
    public Optional<String> parent() {
        return response.request().parent();
    }

    @Override
    public Map<String, String> metadata() {
        return response.request().options().metadata();
    }

    @Override
    public LinkOptions options() {
        FetchOptions own = response.request().options();
        return new LinkOptions(Optional.empty(), own.headers(), own.cookie(), own.waitTime(), own.proxy(), own.parser(),
                own.metadata(), own.fetcher(), Optional.empty(), Optional.empty());
    }

    @Override
    public int status() {
        return outcome.status();
    }

    @Override
    public Map<String, String> headers() {
        return response.headers();
    }

    @Override
    public String contentType() {
        return contentType;
    }

    @Override
    public Instant fetchedAt() {
        return response.fetchedAt();
    }

    @Override
    public boolean isPast(String date) {
        return HttpDate.isPast(date, fetchedAt());
    }

    @Override
    public boolean truncated() {
        return outcome.truncated();
    }

    /** Why the body lacks its end, if it does. */
    PageBudget truncation() {
        return outcome.damage().map(damage -> switch (damage) {
            case CHECKSUM -> PageBudget.CHECKSUM;
            case CODING -> PageBudget.CODING;
        }).orElse(PageBudget.BYTES);
    }

    @Override
    public InputStream body() {
        return response.body().reader();
    }

    @Override
    public String text() {
        return decoded().text();
    }

    @Override
    public Charset charset() {
        return decoded().charset();
    }

    @Override
    public Optional<String> resolve(String base, String reference) {
        return UrlNormalizer.resolve(base, reference, linkCharset()) instanceof NormalUrl url
                ? Optional.of(url.text())
                : Optional.empty();
    }

    @Override
    public boolean textWanted() {
        return textStored || languageWanted || extraction.readsText();
    }

    /** Whether the language of the text is told. */
    boolean languageWanted() {
        return languageWanted;
    }

    /** Whether the item of the page shall hold the text, if a parser reads it. */
    boolean textStored() {
        return textStored || !languageWanted && !extraction.readsText();
    }

    @Override
    public boolean markdownWanted() {
        return definition.extract().markdown() && definition.extract().pageItem();
    }

    /** The rules of the crawl. */
    Extraction extraction() {
        return extraction;
    }

    @Override
    public BoundedDocument document(Supplier<BoundedDocument> parse) {
        BoundedDocument known = document;
        if (known == null) {
            known = parse.get();
            document = known;
        }
        return known;
    }

    @Override
    public DocumentMemory memory() {
        return memory;
    }

    @Override
    public void refreshes(PageRefresh to) {
        refresh = Optional.of(to);
    }

    /** Where its header or its document leads by itself, in normal form. The header wins, as in browsers. */
    Optional<PageRefresh> refresh() {
        return headerRefresh().or(() -> refresh);
    }

    /** What its header {@code Refresh} says. */
    Optional<PageRefresh> headerRefresh() {
        return PageRefresh.of(header("refresh"))
                .flatMap(to -> resolve(url(), to.url()).map(url -> new PageRefresh(to.seconds(), url)));
    }

    @Override
    public boolean anchorsWanted() {
        return definition.extract().anchors();
    }

    /** Whether items shall hold the fragments of links. */
    boolean fragmentsWanted() {
        return definition.extract().fragments();
    }

    @Override
    public Set<String> linkKinds() {
        return definition.discover().linkWords();
    }

    @Override
    public List<String> linkRegions() {
        return definition.discover().regions();
    }

    @Override
    public Set<String> requisiteKinds() {
        return definition.discover().requisiteWords();
    }

    @Override
    public boolean feedsWanted() {
        return definition.discover().feeds();
    }

    /** Whether it is read for the URLs that it names, and makes no item. */
    boolean source() {
        return response.request().options().source();
    }

    /** Whether it is neither a source of links nor a requisite. */
    boolean makesItems() {
        return response.request().options().page();
    }

    /** The charset of the queries of links; a body without text has none of its own. */
    Charset linkCharset() {
        return source() ? StandardCharsets.UTF_8 : encoding().orElse(StandardCharsets.UTF_8);
    }

    /** The charset of the text; empty for a type without text. */
    Optional<Charset> encoding() {
        return isHtml() || isText() ? Optional.of(charset()) : Optional.empty();
    }

    @Override
    public String productToken() {
        return productToken;
    }

    private DecodedText decoded() {
        DecodedText known = decoded;
        if (known == null) {
            known = DecodedText.of(response.body().bytes(), MediaTypes.header(response));
            decoded = known;
        }
        return known;
    }
}
