package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.CUT;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE_OR_CUT;
import static io.trawl.testkit.hostile.HostileCorpus.answering;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pages whose markup makes a parser use much more time or memory than they have bytes. */
final class PageCases {
    private static final String TITLE = "<!DOCTYPE html><title>own</title>";
    private static final int MB = 1_000_000;
    /** The size up to which a downloader keeps a body. */
    private static final int LIMIT = 8 << 20;

    private PageCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.PAGES);
        bombs(cases);
        deep(cases);
        attributes(cases);
        large(cases);
        open(cases);
        links(cases);
        return cases.list();
    }

    /** A page that is made when it is asked for, and not kept. */
    static void page(Cases cases, String name, String does, List<CaseOutcome> outcomes, Supplier<String> html) {
        cases.add(name, does, outcomes, answering((wire, _) -> wire.page(html.get())));
    }

    /** Repeats up to the body limit. */
    private static String fill(String begin, String repeated) {
        return TITLE + begin + repeated.repeat((LIMIT - 200 - begin.length()) / repeated.length());
    }

    private static void bombs(Cases cases) {
        page(cases, "dom-bomb-fonts", "14 open `<font>`, then `<p>x` up to the body limit", CUT,
                () -> fill(IntStream.range(0, 14).mapToObj(i -> "<font size=" + i + ">").collect(Collectors.joining()),
                        "<p>x"));
        page(cases, "dom-bomb-formatting",
                "14 open formatting elements of different kinds, then `<p>x` up to the body limit", CUT,
                () -> fill("<b><i><u><s><tt><em><big><code><small><strike><strong><font><font color=a><font color=b>",
                        "<p>x"));
        page(cases, "dom-bomb-8-kb", "14 open `<font>`, then 2,000 times `<p>x`", PAGE_OR_CUT,
                () -> TITLE
                        + IntStream.range(0, 14).mapToObj(i -> "<font size=" + i + ">").collect(Collectors.joining())
                        + "<p>x".repeat(2_000));
        cases.add("dom-bomb-in-gzip", "14 open `<font>`, then `<p>x` up to the body limit, in 8 KB of gzip", CUT,
                answering((wire, _) -> wire.answer("200 OK",
                        EncodingCases.gzip(fill(IntStream.range(0, 14).mapToObj(i -> "<font size=" + i + ">")
                                .collect(Collectors.joining()), "<p>x").getBytes(StandardCharsets.UTF_8)),
                        "Content-Type: text/html", "Content-Encoding: gzip")));
        page(cases, "dom-bomb-elements", "`<b>` up to the body limit", CUT, () -> fill("", "<b>"));
        page(cases, "dom-bomb-siblings", "`<br>` up to the body limit", CUT, () -> fill("", "<br>"));
        page(cases, "dom-bomb-comments", "`<!>` up to the body limit", CUT, () -> fill("", "<!>"));
        page(cases, "dom-bomb-table-rows", "`<tr>` in a table, up to the body limit", CUT,
                () -> fill("<table>", "<tr>"));
        page(cases, "dom-bomb-foster-parents", "`<table>x` up to the body limit", CUT, () -> fill("", "<table>x"));
        page(cases, "dom-bomb-adoption-agency", "misnested `<a><p></a>` up to the body limit", CUT,
                () -> fill("", "<a href=x><p></a>"));
        page(cases, "dom-bomb-attributes", "elements with ten attributes each, up to the body limit", CUT,
                () -> fill("", "<p a b c d e f g h i j>"));
        page(cases, "dom-bomb-options", "`<option>` in a select, up to the body limit", CUT,
                () -> fill("<select>", "<option>"));
        page(cases, "dom-bomb-svg", "`<g>` in SVG, up to the body limit", CUT, () -> fill("<svg>", "<g>"));
        page(cases, "dom-bomb-end-tags", "`</p>`, each of which makes an element, up to the body limit", CUT,
                () -> fill("<body>", "</p>"));
    }

    private static void deep(Cases cases) {
        for (String element : List.of("div", "span", "b", "ul", "table", "template", "form", "object", "svg", "math",
                "a", "button", "blockquote", "iframe", "select", "noscript")) {
            page(cases, "nested-" + element, "100,000 nested `<" + element + ">`", PAGE_OR_CUT,
                    () -> TITLE + ("<" + element + ">").repeat(100_000));
        }
        page(cases, "nested-and-closed", "100,000 nested `<div>`, all closed", PAGE_OR_CUT,
                () -> TITLE + "<div>".repeat(100_000) + "</div>".repeat(100_000));
        page(cases, "nested-tables-and-rows", "30,000 nested `<table><tr><td>`", PAGE_OR_CUT,
                () -> TITLE + "<table><tr><td>".repeat(30_000));
        page(cases, "nested-lists-and-items", "50,000 nested `<ul><li>`", PAGE_OR_CUT,
                () -> TITLE + "<ul><li>".repeat(50_000));
        page(cases, "nested-mathml-and-svg", "20,000 times `<math><mi><svg><desc>`", PAGE_OR_CUT,
                () -> TITLE + "<math><mi><svg><desc>".repeat(20_000));
        cases.add("nested-xml", "100,000 nested elements of XML", PAGE_OR_CUT,
                answering((wire, _) -> wire.answer("200 OK",
                        ("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><title>own</title>"
                                + "<div>".repeat(100_000)).getBytes(StandardCharsets.UTF_8),
                        "Content-Type: application/xhtml+xml")));
    }

    private static void attributes(Cases cases) {
        page(cases, "attributes-100000", "an element with 100,000 attributes", PAGE_OR_CUT, () -> TITLE + "<p "
                + IntStream.range(0, 100_000).mapToObj(i -> "a" + i + "=1 ").collect(Collectors.joining()) + ">");
        page(cases, "attribute-repeated", "an element that has the same attribute 500,000 times", PAGE_OR_CUT,
                () -> TITLE + "<p " + "a=1 ".repeat(500_000) + ">");
        page(cases, "attribute-of-6-mb", "an attribute of 6 MB", PAGE_OR_CUT,
                () -> TITLE + "<p title=\"" + "x".repeat(6 * MB) + "\">");
        page(cases, "attribute-without-end", "an attribute without a closing quote", PAGE_OR_CUT,
                () -> TITLE + "<p title=\"" + "<a href=x>".repeat(200_000));
        page(cases, "tag-name-of-3-mb", "a tag name of 3 MB", PAGE_OR_CUT,
                () -> TITLE + "<" + "x".repeat(3 * MB) + ">");
        page(cases, "end-tag-name-of-3-mb", "the name of an end tag of 3 MB", PAGE_OR_CUT,
                () -> TITLE + "</" + "x".repeat(3 * MB) + ">");
        page(cases, "attribute-name-of-3-mb", "an attribute name of 3 MB", PAGE_OR_CUT,
                () -> TITLE + "<p " + "x".repeat(3 * MB) + ">");
        page(cases, "class-of-1-mb", "100 elements with 10 KB of class names", PAGE,
                () -> TITLE + ("<div class=\"" + "nav-".repeat(2_500) + "\">x</div>").repeat(100));
        page(cases, "style-of-2-mb", "a style attribute of 2 MB", PAGE_OR_CUT,
                () -> TITLE + "<p style=\"" + " ;display : nonsense".repeat(100_000) + "\">");
    }

    private static void large(Cases cases) {
        page(cases, "text-of-8-mb", "8 MB of text without markup", PAGE_OR_CUT, () -> fill("<p>", "word "));
        page(cases, "word-of-8-mb", "one word of 8 MB", PAGE_OR_CUT, () -> fill("<p>", "x"));
        page(cases, "page-of-20-mb", "20 MB of paragraphs", CUT, () -> TITLE + "<p>Lorem ipsum</p>\n".repeat(MB));
        page(cases, "title-of-5-mb", "a title of 5 MB", PAGE_OR_CUT, () -> "<title>" + "x".repeat(5 * MB) + "</title>");
        page(cases, "description-of-2-mb", "a description of 2 MB", PAGE_OR_CUT,
                () -> TITLE + "<meta name=description content=\"" + "x".repeat(2 * MB) + "\">");
        page(cases, "blanks-of-4-mb", "4 MB of blanks", PAGE_OR_CUT, () -> TITLE + "<p>" + " ".repeat(4 * MB) + "x");
        page(cases, "pre-of-4-mb", "4 MB of line ends in a `<pre>`", PAGE_OR_CUT,
                () -> TITLE + "<pre>" + "\n".repeat(4 * MB) + "x");
        page(cases, "meta-10000", "10,000 `<meta>` elements", PAGE_OR_CUT,
                () -> TITLE + "<meta name=x content=y>".repeat(10_000));
        page(cases, "titles-10000", "10,000 titles", PAGE_OR_CUT, () -> TITLE + "<title>x</title>".repeat(10_000));
    }

    private static void open(Cases cases) {
        page(cases, "open-comment", "a comment without end", PAGE_OR_CUT,
                () -> TITLE + "<!-- " + "x -- ".repeat(400_000));
        page(cases, "open-comments-100000", "100,000 times the beginning of a comment", PAGE_OR_CUT,
                () -> TITLE + "<!-- ".repeat(100_000));
        page(cases, "open-script", "a script without end", PAGE_OR_CUT,
                () -> TITLE + "<script>" + "<!--<script>".repeat(100_000));
        page(cases, "open-style", "a style sheet without end", PAGE_OR_CUT,
                () -> TITLE + "<style>" + "a{}".repeat(500_000));
        page(cases, "open-title", "a title without end", PAGE_OR_CUT, () -> "<title>" + "</titl".repeat(200_000));
        page(cases, "open-textarea", "a text area without end", PAGE_OR_CUT,
                () -> TITLE + "<textarea>" + "</text".repeat(200_000));
        page(cases, "open-cdata", "a CDATA section without end", PAGE_OR_CUT,
                () -> TITLE + "<svg><![CDATA[" + "]]".repeat(500_000));
        page(cases, "open-doctype", "a document type without end", PAGE_OR_CUT, () -> "<!DOCTYPE " + "x".repeat(MB));
        page(cases, "open-processing-instruction", "a processing instruction without end", PAGE_OR_CUT,
                () -> TITLE + "<?xml " + "?".repeat(MB));
        page(cases, "plaintext", "`<plaintext>`, then 1 MB of tags", PAGE_OR_CUT,
                () -> TITLE + "<plaintext>" + "<p>".repeat(300_000));
        page(cases, "angles", "1,000,000 times `<`", PAGE_OR_CUT, () -> TITLE + "<".repeat(MB));
        page(cases, "frameset", "a frameset of 10,000 frames", PAGE_OR_CUT,
                () -> TITLE + "<frameset>" + "<frame src=/f>".repeat(10_000));
    }

    private static void links(Cases cases) {
        page(cases, "links-100000", "100,000 links to pages that are not accepted", PAGE_OR_CUT, () -> TITLE + IntStream
                .range(0, 100_000).mapToObj(i -> "<a href=//h" + i + ".invalid/>x</a>").collect(Collectors.joining()));
        page(cases, "link-repeated", "100,000 times the same link", PAGE_OR_CUT,
                () -> TITLE + "<a href=/link-repeated>x</a>".repeat(100_000));
        page(cases, "link-of-3-mb", "a link of 3 MB", PAGE_OR_CUT,
                () -> TITLE + "<a href=\"/" + "x".repeat(3 * MB) + "\">x</a>");
        page(cases, "link-of-dots", "a link with 100,000 times `../`", PAGE_OR_CUT,
                () -> TITLE + "<a href=\"" + "../".repeat(100_000) + "\">x</a>");
        page(cases, "base-elsewhere", "a `<base>` with `javascript:`", PAGE,
                () -> TITLE + "<base href=javascript:alert(1)><a href=x>x</a>");
        page(cases, "base-closed-address", "a `<base>` with an address that Trawl may not connect to", PAGE,
                () -> TITLE + "<base href=http://" + HostileWeb.CLOSED + "/><a href=x>x</a>");
        page(cases, "base-of-1-mb", "a `<base>` of 1 MB and 1,000 links", PAGE_OR_CUT,
                () -> TITLE + "<base href=\"/" + "x".repeat(MB) + "\">" + "<a href=y>x</a>".repeat(1_000));
        page(cases, "bases-10000", "10,000 `<base>` elements", PAGE_OR_CUT,
                () -> TITLE + "<base href=/x>".repeat(10_000));
        page(cases, "links-of-other-schemes", "links with `javascript:`, `data:`, `file:`, `blob:` and `vbscript:`",
                PAGE,
                () -> TITLE
                        + "<a href='javascript:x'>x</a><a href='data:text/html,x'>x</a><a href=file:///etc/passwd>x</a>"
                        + "<a href=blob:x>x</a><a href=vbscript:x>x</a><a href='jav&#x09;ascript:x'>x</a>");
        page(cases, "links-without-url", "links that are no URLs", PAGE, () -> TITLE
                + "<a href='http://[::'>x</a><a href='http://a:b:c/'>x</a><a href='//'>x</a><a href='http://%zz/'>x</a><a href>x</a>");
        page(cases, "links-to-closed-addresses",
                "links to addresses that Trawl may not connect to, in several notations", PAGE,
                () -> TITLE
                        + "<a href=http://127.66.0.1/>x</a><a href=http://2134245377/>x</a><a href=http://0x7f420001/>x</a>"
                        + "<a href=http://127.66.1/>x</a><a href='http://[::ffff:7f42:1]/'>x</a><a href=http://169.254.169.254/>x</a>");
        page(cases, "canonical-elsewhere", "a canonical URL at another host, 100 times", PAGE,
                () -> TITLE + "<link rel=canonical href=http://elsewhere.example/>".repeat(100));
        page(cases, "canonical-of-1-mb", "a canonical URL of 1 MB", PAGE_OR_CUT,
                () -> TITLE + "<link rel=canonical href=\"/" + "x".repeat(MB) + "\">");
        page(cases, "refresh-to-itself", "a refresh to itself, at once", PAGE,
                () -> TITLE + "<meta http-equiv=refresh content='0;url=/refresh-to-itself'>");
        page(cases, "refresh-of-1-mb", "a refresh of 1 MB of blanks and semicolons", PAGE_OR_CUT,
                () -> TITLE + "<meta http-equiv=refresh content='0" + " ;url= ".repeat(150_000) + "'>");
    }
}
