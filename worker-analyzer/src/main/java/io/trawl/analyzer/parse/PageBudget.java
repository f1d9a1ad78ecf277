package io.trawl.analyzer.parse;

import java.util.Locale;

/** Why a page was not read whole: what it may use, and damage. Items, summaries and metrics say so. */
public enum PageBudget {
    /** Bytes of the body; the downloader cuts it. */
    BYTES("the body was cut at TRAWL_DOWNLOADER_BODY_LIMIT"),
    /** The end of the compressed form. */
    CHECKSUM("the checksum behind the compressed body is missing or wrong"),
    /** The compressed form. */
    CODING("the compressed body breaks off, or is broken from some place on"),
    /** Elements, attributes and tags of the document. */
    NODES("a parser stopped before the end: the page has more elements, attributes and tags than TRAWL_ANALYZER_NODES_PER_PAGE"
            + " or the heap allow"),
    /** Links that are considered. */
    LINKS("links beyond TRAWL_ANALYZER_LINKS_PER_PAGE, or beyond eight characters per byte of the page, were ignored"),
    /** What a sitemap may have. */
    SITEMAP("what a sitemap had beyond 50,000 URLs, or beyond 50 MB after decompression, was left out"),
    /** Time for parsing. The page is an error. */
    TIME("the page was not parsed within TRAWL_ANALYZER_PARSE_TIMEOUT"),
    /** Further items of the page. */
    ITEMS("items of parsers of plug-ins and of extraction rules were left out: those beyond 10,000, and those of rules that would have more than"
            + " eight characters per character of the page"),
    /** Bytes of the item. */
    ITEM("the item was larger than a record may be, so it lost its text, its links or its optional fields");

    private final String explanation;

    PageBudget(String explanation) {
        this.explanation = explanation;
    }

    /** In lower case, as items, summaries and metrics name it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What was cut, and which setting rules it, for people. */
    public String explanation() {
        return explanation;
    }
}
