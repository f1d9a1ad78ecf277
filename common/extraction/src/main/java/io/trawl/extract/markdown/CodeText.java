package io.trawl.extract.markdown;

import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/** The text and the language of preformatted elements. */
final class CodeText {
    private static final String WORD = "([A-Za-z][A-Za-z0-9+#._-]{0,30})";
    /** As HTML 5, GitHub, Sphinx and SyntaxHighlighter name it in a class, and pandoc and highlight.js beside one. */
    private static final Pattern LANGUAGE = Pattern
            .compile("(?:^|\\s)(?:lang(?:uage)?-|highlight-(?:source-)?|brush:\\s*)" + WORD
                    + "(?=$|[\\s;])|(?:^|\\s)(?:sourceCode|hljs)\\s+" + WORD + "(?=$|\\s)");
    private static final Set<String> NO_LANGUAGE = Set.of("default", "none", "auto", "undefined", "unknown", "wrapper",
            "container", "content", "block", "box", "area", "inner", "body", "code", "lines", "toolbar", "plain",
            "numberSource", "copy-wrapper");
    private static final int LEVELS = 3;

    private CodeText() {}

    /** The text of an element, with the line breaks that it has or that a browser shows. */
    static String of(Element pre, Predicate<Element> skips) {
        StringBuilder out = new StringBuilder();
        pre.filter(new NodeFilter() {
            @Override
            public FilterResult head(Node node, int depth) {
                if (node instanceof TextNode text) {
                    out.append(text.getWholeText());
                } else if (node instanceof Element element && depth > 0) {
                    if (skips.test(element)) {
                        return FilterResult.SKIP_ENTIRELY;
                    }
                    out.append(element.normalName().equals("br") || breaks(element) ? "\n" : "");
                }
                return FilterResult.CONTINUE;
            }

            @Override
            public FilterResult tail(Node node, int depth) {
                if (depth > 0 && node instanceof Element element && breaks(element)) {
                    out.append('\n');
                }
                return FilterResult.CONTINUE;
            }

            private boolean breaks(Element element) {
                return element.isBlock() && !out.isEmpty() && out.charAt(out.length() - 1) != '\n';
            }
        });
        return out.indexOf("\r") < 0 ? out.toString() : out.toString().replace("\r\n", "\n").replace('\r', '\n');
    }

    /** The language, as the element, the code in it or elements around it name it; empty if none does. */
    static String language(Element pre) {
        Element code = pre.selectFirst("code");
        String named = code == null ? "" : named(code);
        Element at = pre;
        for (int i = 0; i < LEVELS && named.isEmpty() && at != null; i++) {
            named = named(at);
            at = at.parent();
        }
        return named;
    }

    private static String named(Element element) {
        Matcher found = LANGUAGE.matcher(element.className());
        while (found.find()) {
            String name = found.group(1) == null ? found.group(2) : found.group(1);
            if (!NO_LANGUAGE.contains(name)) {
                return name;
            }
        }
        String data = element.attr(element.hasAttr("data-lang") ? "data-lang" : "data-language");
        return data.matches(WORD) ? data : "";
    }
}
