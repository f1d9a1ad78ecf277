package io.trawl.analyzer.parse;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.RobotsDirectives;
import io.trawl.ledger.ItemCounts;
import io.trawl.model.FetchOptions;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestIdentity;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The merged results of all parsers for a page.
 *
 * @param contentType the media type
 * @param encoding the charset in which its text was read; empty for a type without text
 * @param fields of the item, in order
 * @param links http and https links in normal form, in document order, one for each request, or for each of its
 * fragments; empty if no parser extracts links
 * @param requisites what it needs to look as it does, as far as the crawl fetches it
 * @param notLinks number of references that are not such URLs, by reason of refusal
 * @param strays the first of those, without duplicates
 * @param robots the robots directives in the header and the content
 * @param items further items, in the order of the parsers, then of the rules
 * @param errors one for each parser that failed, those that parsers report, and one for each item that a rule could not
 * make
 * @param cuts the budgets that the page exceeded
 * @param onward where the page leads by itself, if it has little text
 * @param failed whether parsers failed and none succeeded
 */
public record ParsedPage(String contentType, Optional<Charset> encoding, Map<String, Object> fields,
        Optional<List<LinkTarget>> links, List<LinkTarget> requisites, Map<RefusalReason, Integer> notLinks,
        List<Stray> strays, RobotsDirectives robots, List<FurtherItem> items, List<PageError> errors,
        Set<PageBudget> cuts, Optional<Onward> onward, boolean failed) {
    /** The field with the code of the language of the text; absent if that cannot be told. */
    public static final String DETECTED_LANGUAGE = "detectedLanguage";
    /** The field with how sure that is. */
    public static final String LANGUAGE_CONFIDENCE = "languageConfidence";

    /** Makes defensive copies that keep the order. */
    public ParsedPage {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        links = links.map(List::copyOf);
        requisites = List.copyOf(requisites);
        notLinks = Map.copyOf(notLinks);
        strays = List.copyOf(strays);
        items = List.copyOf(items);
        errors = List.copyOf(errors);
        cuts = Collections.unmodifiableSet(new TreeSet<>(cuts));
    }

    /** The language of the text, if it can be told. */
    public Optional<String> language() {
        return Optional.ofNullable(fields.get(DETECTED_LANGUAGE)).map(Object::toString);
    }

    /** The links and requisites, one for each request. */
    public Collection<LinkTarget> requests() {
        List<LinkTarget> all = requisites.isEmpty()
                ? links.orElse(List.of())
                : Stream.concat(links.stream().flatMap(List::stream), requisites.stream()).toList();
        if (all.stream().allMatch(link -> link.fragment().isEmpty())) {
            return all;
        }
        Map<String, LinkTarget> byIdentity = new LinkedHashMap<>();
        all.forEach(link -> byIdentity.merge(link.identity(), link, LinkTarget::and));
        return byIdentity.values();
    }

    /**
     * A link.
     *
     * @param fragment with its {@code #}, if items hold it; the request has none
     * @param nofollow whether all of its occurrences are marked nofollow
     * @param text that of the first occurrence that has one, if the crawl wants it
     * @param rel the link types of that occurrence
     * @param options those of the first occurrence that has any
     * @param parser which found that occurrence
     */
    public record LinkTarget(NormalUrl url, String fragment, boolean nofollow, String text, String rel,
            LinkOptions options, String parser) {
        static LinkTarget of(NormalUrl url, String fragment, Link link, String parser) {
            return new LinkTarget(url, fragment, link.nofollow(), link.text(), link.rel(), link.options(), parser);
        }

        /** As items show it. */
        public String shown() {
            return url.text() + fragment;
        }

        /** The identity of its request. */
        public String identity() {
            return RequestIdentity.of(url.text(), options.method(), options.body(), options.parser());
        }

        /** Whether its request is one for a source of links. */
        public boolean source() {
            return options.parser().filter(FetchOptions::source).isPresent();
        }

        /** Whether its request is one for a requisite of the page. */
        public boolean requisite() {
            return options.parser().filter(FetchOptions.REQUISITE::equals).isPresent();
        }

        LinkTarget and(LinkTarget later) {
            LinkTarget told = text.isEmpty() ? later : this;
            LinkTarget chosen = options.equals(LinkOptions.NONE) ? later : this;
            return new LinkTarget(url, fragment, nofollow && later.nofollow, told.text,
                    told.rel.isEmpty() ? rel : told.rel, chosen.options, chosen.parser);
        }
    }

    /**
     * A page that shows little and leads to another by itself ({@code Refresh}).
     *
     * @param seconds after which it does
     */
    public record Onward(NormalUrl url, int seconds) {
        /** A page with so many characters of text is one to read. */
        static final int LEAST_TEXT = 200;
        /** Later than this it does not replace the page, but offers another. */
        private static final int SOON = 10;

        /** Whether it replaces the page, as a redirect does. */
        public boolean soon() {
            return seconds <= SOON;
        }
    }

    /**
     * An item beside the page's own.
     *
     * @param maker the parser that made it, or its type if rules of the crawl did
     * @param typed whether rules made it
     * @param ordinal its place among the items of that parser or type; the first is 1
     * @param key what its rule knows it by; empty: its ordinal
     * @param fields those of the parser or the rule
     */
    public record FurtherItem(String maker, boolean typed, int ordinal, Optional<String> key,
            Map<String, Object> fields) {}

    /**
     * What is wrong with the page, or with an item of it.
     *
     * @param kind {@value #PARSE} of a parser, {@value #EXTRACT} of a rule, {@value #FIELD} and the name of a field
     * that items may lack, {@value #ENTRY} of an entry of a sitemap, {@value #REDIRECTS} of a page that only leads to
     * another
     * @param cause for people
     * @param count how many there are of it
     */
    public record PageError(String kind, String cause, int count) {
        /** A parser failed, or reports it. */
        public static final String PARSE = "PARSE";
        /** An item lacks a value, or has one of the wrong type. */
        public static final String EXTRACT = "EXTRACT";
        /** The page only leads to another one, and that is not followed. */
        public static final String REDIRECTS = "REDIRECTS";
        /** Values of the wrong type were left out of items, of the field that follows; totals count them by field. */
        public static final String FIELD = ItemCounts.FIELD;
        /** An entry of a sitemap was damaged; totals count it beside the errors. */
        public static final String ENTRY = ItemCounts.ENTRY;

        /** Whether it is an error of its own, and no number beside one. */
        public boolean reported() {
            return !kind.startsWith(FIELD) && !kind.equals(ENTRY);
        }

        /** One error. */
        public PageError(String kind, String cause) {
            this(kind, cause, 1);
        }
    }

    /**
     * A reference that is not an http or https URL.
     *
     * @param reference in a form that is safe to display
     */
    public record Stray(String reference, Refusal why) {}
}
