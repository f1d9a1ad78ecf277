package io.trawl.analyzer.extract;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * The readable main text of a page. The content is the main element, else the article with most of the text of all
 * articles, else the innermost box with most of the page's prose. Navigation, forms, hidden parts and boxes that
 * contain only links are left out. If almost nothing remains (a list of links, for example), the result is all visible
 * text of the body.
 *
 * <p>
 * In the spirit of Arc90's Readability (content by text and link density), but with the semantic elements of HTML 5 first, which its ports on Maven
 * Central (all unmaintained) do not know.
 */
final class ReadableText {
    private static final double MOST = 0.8;
    private static final double LINKS_ONLY = 0.65;
    private static final double LINKS_IF_NAMED = 0.3;
    private static final int TOO_LITTLE = 100;
    private final ContentOutline contentOutline;
    private final BitSet dropped = new BitSet();
    private final Map<String, Boolean> namedNever = new HashMap<>();

    private ReadableText(ContentOutline contentOutline) {
        this.contentOutline = contentOutline;
    }

    /** The text, in lines; empty if there is none. */
    static String of(Document document) {
        Element body = body(document);
        ContentOutline contentOutline = ContentOutline.of(body);
        if (contentOutline.size() == 0) {
            return "";
        }
        String content = new ReadableText(contentOutline).content();
        if (content.length() >= TOO_LITTLE) {
            return content;
        }
        String everything = TextWriter.write(body, Boilerplate::invisible);
        return everything.length() > content.length() * 2 ? everything : content;
    }

    /** The body; in XHTML there is no guarantee that there is one. */
    private static Element body(Document document) {
        Element body = document.selectFirst("body");
        return body == null ? document : body;
    }

    private String content() {
        int root = main();
        boolean marked = root >= 0;
        root = marked ? root : article();
        marked = root >= 0;
        root = marked ? root : densest();
        dropLinks(root, marked);
        return TextWriter.write(contentOutline.element(root), new Beside(root));
    }

    /**
     * Tests for elements that are not content. The writer visits elements in the order of the outline, so an element
     * that is not the next one is not in the outline.
     */
    private final class Beside implements Predicate<Element> {
        private int next;

        Beside(int root) {
            this.next = root;
        }

        @Override
        public boolean test(Element element) {
            if (next >= contentOutline.size() || contentOutline.element(next) != element) {
                return true;
            }
            boolean out = dropped.get(next);
            next = out ? contentOutline.end(next) : next + 1;
            return out;
        }
    }

    /** The main element with the most text, or -1. */
    private int main() {
        int best = -1;
        for (int i = 0; i < contentOutline.size(); i++) {
            if (Boilerplate.main(contentOutline.element(i)) && (best < 0 || contentOutline.text(i) > contentOutline.text(best))) {
                best = i;
            }
        }
        return best >= 0 && contentOutline.text(best) >= TOO_LITTLE ? best : -1;
    }

    /** The outermost article with more than half of the text of all articles, or -1: a page of many teasers has no such article. */
    private int article() {
        int best = -1;
        int all = 0;
        for (int i = 0; i < contentOutline.size(); i++) {
            if (contentOutline.element(i).normalName().equals("article")) {
                all += contentOutline.text(i);
                best = best < 0 || contentOutline.text(i) > contentOutline.text(best) ? i : best;
                i = contentOutline.end(i) - 1;
            }
        }
        return best >= 0 && contentOutline.text(best) >= TOO_LITTLE && contentOutline.text(best) * 2 > all ? best : -1;
    }

    /** The innermost box with most of the body's prose. */
    private int densest() {
        double enough = MOST * contentOutline.prose(0);
        int root = 0;
        for (int child = 1; child < contentOutline.end(root);) {
            if (contentOutline.prose(child) >= enough && container(contentOutline.element(child))) {
                root = child;
                child++;
            } else {
                child = contentOutline.end(child);
            }
        }
        return root;
    }

    private static boolean container(Element element) {
        return switch (element.normalName()) {
            case "div", "section", "article", "main", "center", "form", "table", "tbody", "tr", "td", "font", "span" -> true;
            default -> false;
        };
    }

    /** Marks the navigation boxes below a root. If the author has marked the content, a box must also have the name of a navigation box. */
    private void dropLinks(int root, boolean marked) {
        int whole = contentOutline.text(root);
        for (int i = root + 1; i < contentOutline.end(root);) {
            Element element = contentOutline.element(i);
            if (Boilerplate.box(element) && contentOutline.text(i) * 2 < whole && around(i, element, marked)) {
                dropped.set(i);
                i = contentOutline.end(i);
            } else {
                i++;
            }
        }
    }

    private boolean around(int index, Element element, boolean marked) {
        double density = contentOutline.linkDensity(index);
        return density > LINKS_IF_NAMED && Boilerplate.namedAround(Boilerplate.names(element))
                || !marked && density > LINKS_ONLY && contentOutline.prose(index) < TOO_LITTLE * 3
                        && contentOutline.text(index) > 20
                || never(element);
    }

    /** Names repeat within a page, and matching them is expensive. */
    private boolean never(Element element) {
        String names = Boilerplate.names(element);
        return !names.isEmpty() && namedNever.computeIfAbsent(names, Boilerplate::namedNever);
    }
}
