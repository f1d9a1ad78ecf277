package io.trawl.extract;

import io.trawl.extract.rule.ItemRule;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.api.Page;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.parser.Parser;

/** A page for tests, as a parser sees it. */
record FixedPage(String url, String contentType, String text, Map<String, String> headers) implements Page {
    static FixedPage html(String html) {
        return new FixedPage("https://shop.example.org/p/42?x=1", "text/html", html, Map.of());
    }

    static FixedPage json(String json) {
        return new FixedPage("https://shop.example.org/api/items", "application/json", json, Map.of());
    }

    /** As rules read it. @param fields of the page item */
    PageSource source(Map<String, Object> fields) {
        return new PageSource(this,
                isHtml()
                        ? Optional.of(() -> Jsoup.parse(text))
                        : contentType.endsWith("xml")
                                ? Optional.of(() -> Jsoup.parse(text, "", Parser.xmlParser()))
                                : Optional.empty(),
                fields, isHtml() ? Optional.of(() -> Jsoup.parse(text).body()) : Optional.empty());
    }

    /** What rules read. @param rules one rule in JSON, or a list of them in brackets */
    Extraction.ExtractedItems extract(String rules) {
        return extract(Rules.of(rules));
    }

    Extraction.ExtractedItems extract(List<ItemRule> rules) {
        return Extraction.of(rules).extract(source(Map.of("title", "A title", "lang", "en", "text", "The main text.")),
                10_000);
    }

    @Override
    public String crawl() {
        return "docs";
    }

    @Override
    public int depth() {
        return 0;
    }

    @Override
    public Optional<String> parent() {
        return Optional.empty();
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of();
    }

    @Override
    public int status() {
        return 200;
    }

    @Override
    public Instant fetchedAt() {
        return Instant.EPOCH;
    }

    @Override
    public boolean truncated() {
        return false;
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Charset charset() {
        return StandardCharsets.UTF_8;
    }

    @Override
    public Optional<String> resolve(String base, String reference) {
        return UrlNormalizer.resolve(base, reference) instanceof NormalUrl url
                ? Optional.of(url.text())
                : Optional.empty();
    }

    @Override
    public boolean textWanted() {
        return true;
    }

    @Override
    public String productToken() {
        return "trawl";
    }
}
