package io.trawl.analyzer.extract;

import java.util.BitSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;

/**
 * The readable main text of a page. The content is the main element, else the article with most of the text of all
 * articles, else the innermost box with most of the page's prose. Navigation, forms, hidden parts and boxes that
 * contain only links are left out. If no sentence remains (a list of links, for example), the result is all visible
 * text of the body.
 *
 * <p>
 * What belongs to the frame is decided by the elements and their names and sizes alone, never in proportion to the
 * page, so that the short and the long pages of a template are read in the same way.
 *
 * <p>
 * In the spirit of Arc90's Readability (content by text and link density), but with the semantic elements of HTML 5
 * first, which its ports on Maven Central (all unmaintained) do not know.
 */
final class ReadableText {
    private static final Evaluator BODY = new Evaluator.Tag("body");
    private static final Set<String> HEADINGS = Set.of("h1", "h2", "h3", "h4", "h5", "h6");
    private static final double MOST = 0.8;
    private static final double LINKS_ONLY = 0.65;
    private static final double LINKS_IF_NAMED = 0.3;
    /** A box with only links has less prose. */
    private static final int CAPTION = 300;
    /** No part of a frame has more prose. */
    private static final int LONGEST_FRAME = 2_000;
    private final Element body;
    private final ContentOutline contentOutline;
    private final BitSet dropped = new BitSet();
    private final int root;
    private boolean hasSentence;

    private ReadableText(Element body) {
        this.body = body;
        this.contentOutline = ContentOutline.of(body);
        this.root = contentOutline.size() == 0 ? 0 : root();
    }

    /** Finds the main text of a document. The result reads the document, which must not change meanwhile. */
    static ReadableText read(Document document) {
        return new ReadableText(body(document));
    }

    /** The text, in lines; empty if there is none. */
    String text() {
        if (contentOutline.size() == 0) {
            return "";
        }
        String content = TextWriter.write(contentOutline.element(root), contentOutline.text(root), new Beside());
        if (hasSentence && !content.isEmpty()) {
            return content;
        }
        String everything = TextWriter.write(body, contentOutline.text(0), Boilerplate::invisible);
        return everything.length() > content.length() * 2 ? everything : content;
    }

    /** A copy of the elements of the text, by the same rules. */
    Element markup() {
        if (contentOutline.size() == 0) {
            return new Element("body");
        }
        Element content = ElementCopy.of(contentOutline.element(root), new Beside());
        if (hasSentence && content.hasText()) {
            return content;
        }
        Element everything = ElementCopy.of(body, Boilerplate::invisible);
        return everything.text().length() > content.text().length() * 2 ? everything : content;
    }

    /** The body; in XHTML there is no guarantee that there is one. */
    private static Element body(Document document) {
        Element body = document.selectFirst(BODY);
        return body == null ? document : body;
    }

    /** Finds the element of the content, and marks what in it is none. */
    private int root() {
        int found = main();
        boolean marked = found >= 0;
        found = marked ? found : article();
        marked = found >= 0;
        found = marked ? found : densest();
        dropLinks(found, marked);
        hasSentence = marked || prose(found) > 0;
        return found;
    }

    /**
     * Tests for elements that are not content. The writer visits elements in the order of the outline, so an element
     * that is not the next one is not in the outline.
     */
    private final class Beside implements Predicate<Element> {
        private int next = root;

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
            if (Boilerplate.main(contentOutline.element(i))
                    && (best < 0 || contentOutline.text(i) > contentOutline.text(best))) {
                best = i;
            }
        }
        return best >= 0 && contentOutline.text(best) > 0 ? best : -1;
    }

    /**
     * The outermost article with more than half of the text of all articles, or -1: a page of many teasers has no such
     * article.
     */
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
        return best >= 0 && contentOutline.text(best) * 2 > all ? best : -1;
    }

    /** The innermost box with most of the body's prose. */
    private int densest() {
        int[] prose = proseWithoutFrame();
        double enough = MOST * prose[0];
        int root = 0;
        for (int child = 1; child < contentOutline.end(root);) {
            if (prose[child] >= enough && container(contentOutline.element(child))) {
                root = child;
                child++;
            } else {
                child = contentOutline.end(child);
            }
        }
        return root;
    }

    /**
     * The prose of each element without that of boxes that are named as parts of a frame; with it, if there is no
     * other. On a page with one paragraph the footer may be most of the prose.
     */
    private int[] proseWithoutFrame() {
        int size = contentOutline.size();
        int[] prose = new int[size];
        int[] frame = new int[size + 1];
        for (int i = 0; i < size;) {
            boolean outside = i > 0 && contentOutline.prose(i) > 0 && contentOutline.prose(i) <= LONGEST_FRAME
                    && Boilerplate.box(contentOutline.element(i))
                    && Boilerplate.namedFrame(Boilerplate.names(contentOutline.element(i)));
            int end = outside ? contentOutline.end(i) : i + 1;
            for (int inside = i; inside < end; inside++) {
                frame[inside + 1] = frame[inside];
            }
            frame[end] += outside ? contentOutline.prose(i) : 0;
            i = end;
        }
        boolean other = contentOutline.prose(0) > frame[size];
        for (int i = 0; i < size; i++) {
            prose[i] = contentOutline.prose(i) - (other ? frame[contentOutline.end(i)] - frame[i] : 0);
        }
        return prose;
    }

    /** The prose below a root that is neither dropped nor in a heading. */
    private int prose(int root) {
        int prose = contentOutline.prose(root);
        for (int i = root + 1; i < contentOutline.end(root);) {
            boolean out = dropped.get(i) || HEADINGS.contains(contentOutline.element(i).normalName());
            prose -= out ? contentOutline.prose(i) : 0;
            i = out ? contentOutline.end(i) : i + 1;
        }
        return prose;
    }

    private static boolean container(Element element) {
        return switch (element.normalName()) {
            case "div", "section", "article", "main", "center", "form", "table", "tbody", "tr", "td", "font", "span" ->
                true;
            default -> false;
        };
    }

    /**
     * Marks the navigation boxes below a root. If the author has marked the content, a box must also have the name of a
     * navigation box.
     */
    private void dropLinks(int root, boolean marked) {
        int[] paragraphs = paragraphs();
        for (int i = root + 1; i < contentOutline.end(root);) {
            Element element = contentOutline.element(i);
            if (Boilerplate.box(element)
                    && around(i, element, !marked && paragraphs[contentOutline.end(i)] == paragraphs[i + 1])) {
                dropped.set(i);
                i = contentOutline.end(i);
            } else {
                i++;
            }
        }
    }

    /**
     * The number of paragraphs and main headings with prose before each element: a box that holds one is more than
     * navigation.
     */
    private int[] paragraphs() {
        int[] before = new int[contentOutline.size() + 1];
        for (int i = 0; i < contentOutline.size(); i++) {
            String name = contentOutline.element(i).normalName();
            before[i + 1] = before[i]
                    + ((name.equals("p") || name.equals("h1")) && contentOutline.prose(i) > 0 ? 1 : 0);
        }
        return before;
    }

    /** @param unnamed whether it may be navigation without such a name, too */
    private boolean around(int index, Element element, boolean unnamed) {
        double density = contentOutline.linkDensity(index);
        return density > LINKS_IF_NAMED && contentOutline.prose(index) <= LONGEST_FRAME
                && Boilerplate.namedAround(Boilerplate.names(element))
                || unnamed && density > LINKS_ONLY && contentOutline.prose(index) < CAPTION
                        && contentOutline.text(index) > 20
                || Boilerplate.namedNever(Boilerplate.names(element));
    }
}
