package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE_OR_CUT;
import static io.trawl.testkit.hostile.HostileCorpus.answering;

import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Pages whose bytes are not what their charset or type says. */
final class TextCases {
    private static final String TITLE = "<!DOCTYPE html><title>own</title>";

    private TextCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.PAGES);
        characters(cases);
        charsets(cases);
        types(cases);
        return cases.list();
    }

    private static void bytes(Cases cases, String name, String does, String type, byte[] body) {
        cases.add(name, does, PAGE, answering((wire, _) -> wire.answer("200 OK", body, "Content-Type: " + type)));
    }

    private static void characters(Cases cases) {
        PageCases.page(cases, "nul-1000000", "1,000,000 NULs", PAGE_OR_CUT, () -> TITLE + "\0".repeat(1_000_000));
        PageCases.page(cases, "control-characters", "every control character, in text, title and links", PAGE, () -> {
            StringBuilder all = new StringBuilder();
            for (char c = 0; c < 0xa0; c++) {
                all.append(c < 0x20 || c > 0x7e ? c : ' ');
            }
            return "<title>own</title><p>" + all + "<a href=\"/x" + all + "\">" + all + "</a>";
        });
        PageCases.page(cases, "terminal-sequences", "escape sequences of terminals", PAGE,
                () -> "<title>\33]0;x\7\33[2J\33[31mown</title><p>\33c");
        PageCases.page(cases, "log-forgery", "line ends and a line of a log, in a title", PAGE,
                () -> "<title>own\r\n2026-01-01 ERROR forged</title>");
        PageCases.page(cases, "surrogates-as-entities", "lone surrogates, written as entities", PAGE,
                () -> TITLE + "<p>" + "&#xD800;&#xDC00;&#55357;".repeat(1_000) + "<a href='/&#xD800;'>x</a>");
        PageCases.page(cases, "entities-500000", "500,000 entities without a semicolon", PAGE_OR_CUT,
                () -> TITLE + "&amp".repeat(500_000));
        PageCases.page(cases, "entity-of-1-mb", "an entity whose number has 1,000,000 digits", PAGE_OR_CUT,
                () -> TITLE + "&#" + "9".repeat(1_000_000) + ";");
        PageCases.page(cases, "entity-definitions", "the billion laughs, in a document type", PAGE,
                () -> "<!DOCTYPE html ["
                        + "<!ENTITY a \"xxxxxxxxxx\"><!ENTITY b \"&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;\">]><p>&c;&c;");
        PageCases.page(cases, "bidirectional-overrides", "characters that turn the direction of text", PAGE,
                () -> "<title>own\u202e\u2066\u200f</title><p>" + "\u202e".repeat(10_000));
        PageCases.page(cases, "combining-characters", "a letter with 100,000 accents", PAGE,
                () -> TITLE + "<p>e" + "\u0301".repeat(100_000));
    }

    private static void charsets(Cases cases) {
        byte[] utf8 = (TITLE + "<p>äöü €").getBytes(StandardCharsets.UTF_8);
        bytes(cases, "utf-8-as-utf-16", "UTF-8 that claims to be UTF-16", "text/html; charset=utf-16", utf8);
        bytes(cases, "utf-8-as-utf-7", "UTF-8 that claims to be UTF-7", "text/html; charset=utf-7", utf8);
        bytes(cases, "charset-unknown", "a charset that does not exist", "text/html; charset=snake", utf8);
        bytes(cases, "charset-invalid", "a charset that cannot be a name", "text/html; charset=\"\\\"<>\t\"", utf8);
        bytes(cases, "charset-that-only-decodes", "UTF-8 that claims to be ISO-2022-CN",
                "text/html; charset=iso-2022-cn", utf8);
        bytes(cases, "charset-ebcdic", "UTF-8 that claims to be IBM037", "text/html; charset=ibm037", utf8);
        bytes(cases, "latin-1-as-utf-8", "Latin 1 that claims to be UTF-8", "text/html; charset=utf-8",
                (TITLE + "<p>äöü").getBytes(StandardCharsets.ISO_8859_1));
        bytes(cases, "utf-16-with-bom", "UTF-16 with a byte order mark that contradicts the header",
                "text/html; charset=utf-8", ("\ufeff" + TITLE).getBytes(StandardCharsets.UTF_16LE));
        bytes(cases, "utf-16-of-odd-length", "UTF-16 that ends within a character", "text/html; charset=utf-16le",
                odd());
        bytes(cases, "utf-32", "UTF-32", "text/html; charset=utf-32", TITLE.getBytes(Charset.forName("UTF-32")));
        bytes(cases, "boms-1000", "1,000 byte order marks", "text/html",
                ("\ufeff".repeat(1_000) + TITLE).getBytes(StandardCharsets.UTF_8));
        bytes(cases, "utf-8-overlong", "overlong and invalid UTF-8", "text/html; charset=utf-8",
                (TITLE + "\300\200\340\200\257\355\240\200\370\210\200\200\200\377\376".repeat(1_000))
                        .getBytes(StandardCharsets.ISO_8859_1));
        bytes(cases, "charset-in-meta-2000", "2,000 `<meta charset>` that contradict each other", "text/html",
                ("<meta charset=utf-16><meta charset=koi8-r>".repeat(1_000) + TITLE).getBytes(StandardCharsets.UTF_8));
        bytes(cases, "charset-in-meta-quadratic", "`<meta` 10,000 times, then a charset", "text/html",
                ("<meta ".repeat(10_000) + "charset=utf-8>" + TITLE).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] odd() {
        byte[] even = TITLE.getBytes(StandardCharsets.UTF_16LE);
        return Arrays.copyOf(even, even.length + 1);
    }

    private static void types(Cases cases) {
        byte[] zip = "PK\3\4".concat("\0\1\2\377".repeat(50_000)).getBytes(StandardCharsets.ISO_8859_1);
        bytes(cases, "zip-as-html", "a ZIP file that claims to be HTML", "text/html", zip);
        bytes(cases, "html-as-zip", "HTML that claims to be a ZIP file", "application/zip",
                TITLE.getBytes(StandardCharsets.UTF_8));
        bytes(cases, "html-as-text", "HTML that claims to be text", "text/plain",
                TITLE.getBytes(StandardCharsets.UTF_8));
        bytes(cases, "type-empty", "an empty Content-Type", "", TITLE.getBytes(StandardCharsets.UTF_8));
        bytes(cases, "type-nonsense", "a Content-Type without a slash", ";;;=,\"",
                TITLE.getBytes(StandardCharsets.UTF_8));
        bytes(cases, "types-100", "100 types in one Content-Type", "text/html,".repeat(99) + "image/png",
                TITLE.getBytes(StandardCharsets.UTF_8));
        bytes(cases, "xml-with-external-entity", "XML with an entity that names a file", "application/xhtml+xml",
                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><html><title>own</title>&e;</html>"
                        .getBytes(StandardCharsets.UTF_8));
        bytes(cases, "svg-with-script", "SVG with a script and links", "image/svg+xml",
                "<svg xmlns='http://www.w3.org/2000/svg'><script>x</script><a href='/x'/></svg>"
                        .getBytes(StandardCharsets.UTF_8));
        bytes(cases, "html-without-a-byte", "an empty page", "text/html", new byte[0]);
    }
}
