package io.trawl.analyzer.extract;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * The readable main text of a page. The content is the main element, else the article that holds most of all articles' text, else the innermost
 * box with most of the page's prose; from it navigation, forms, hidden parts and boxes that are nothing but links are left out. Where that leaves next
 * to nothing (a list of links, say) all visible text of the body is taken: too much is better than nothing.
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
    private final Outline outline;
    private final BitSet dropped = new BitSet();
    private final Map<String, Boolean> namedNever = new HashMap<>();

    private ReadableText(Outline outline) {
        this.outline = outline;
    }

    /** The text, in lines; empty if there is none. */
    static String of(Document document) {
        Element body = body(document);
        Outline outline = Outline.of(body);
        if (outline.size() == 0) {
            return "";
        }
        String content = new ReadableText(outline).content();
        if (content.length() >= TOO_LITTLE) {
            return content;
        }
        String everything = TextWriter.write(body, Chrome::invisible);
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
        return TextWriter.write(outline.element(root), new Beside(root));
    }

    /** Elements that are not content: the writer walks in the order of the outline, so whatever is not its next element was left out of it. */
    private final class Beside implements Predicate<Element> {
        private int next;

        Beside(int root) {
            this.next = root;
        }

        @Override
        public boolean test(Element element) {
            if (next >= outline.size() || outline.element(next) != element) {
                return true;
            }
            boolean out = dropped.get(next);
            next = out ? outline.end(next) : next + 1;
            return out;
        }
    }

    /** The main element with the most text, or -1. */
    private int main() {
        int best = -1;
        for (int i = 0; i < outline.size(); i++) {
            if (Chrome.main(outline.element(i)) && (best < 0 || outline.text(i) > outline.text(best))) {
                best = i;
            }
        }
        return best >= 0 && outline.text(best) >= TOO_LITTLE ? best : -1;
    }

    /** The outermost article that holds more than half of the text of all articles, or -1: a page of many teasers has none. */
    private int article() {
        int best = -1;
        int all = 0;
        for (int i = 0; i < outline.size(); i++) {
            if (outline.element(i).normalName().equals("article")) {
                all += outline.text(i);
                best = best < 0 || outline.text(i) > outline.text(best) ? i : best;
                i = outline.end(i) - 1;
            }
        }
        return best >= 0 && outline.text(best) >= TOO_LITTLE && outline.text(best) * 2 > all ? best : -1;
    }

    /** The innermost box that holds most of the body's prose. */
    private int densest() {
        double enough = MOST * outline.prose(0);
        int root = 0;
        for (int child = 1; child < outline.end(root);) {
            if (outline.prose(child) >= enough && container(outline.element(child))) {
                root = child;
                child++;
            } else {
                child = outline.end(child);
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

    /** Marks the boxes in a root that are navigation. Where the author has marked the content, only boxes that are named so as well. */
    private void dropLinks(int root, boolean marked) {
        int whole = outline.text(root);
        for (int i = root + 1; i < outline.end(root);) {
            Element element = outline.element(i);
            if (Chrome.box(element) && outline.text(i) * 2 < whole && around(i, element, marked)) {
                dropped.set(i);
                i = outline.end(i);
            } else {
                i++;
            }
        }
    }

    private boolean around(int index, Element element, boolean marked) {
        double density = outline.linkDensity(index);
        return density > LINKS_IF_NAMED && Chrome.namedAround(Chrome.names(element))
                || !marked && density > LINKS_ONLY && outline.prose(index) < TOO_LITTLE * 3
                        && outline.text(index) > 20
                || never(element);
    }

    /** Names repeat all over a page, and matching them is dear. */
    private boolean never(Element element) {
        String names = Chrome.names(element);
        return !names.isEmpty() && namedNever.computeIfAbsent(names, Chrome::namedNever);
    }
}
