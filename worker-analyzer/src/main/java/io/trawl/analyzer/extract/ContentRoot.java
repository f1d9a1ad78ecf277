package io.trawl.analyzer.extract;

import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/**
 * The element with the content of a page: what its author has marked, if it has enough of the page's prose; else the
 * innermost box with most of it; or, on a page without prose, with most of its links.
 *
 * @param index in the outline
 * @param marked whether the author has marked it as content
 * @param from the index of the first element in it that may be content
 * @param to the index after the last one
 */
record ContentRoot(int index, boolean marked, int from, int to) {
    private static final double MOST = 0.8;
    /** A {@code main} or {@code article} with a smaller part of the prose is not the content. */
    private static final double SHARE = 0.3;
    /** Characters: with no more prose on the page, what is beside a short content may be a sidebar. */
    private static final int LONGEST_SIDEBAR = 1_000;
    /** An article with as much of the prose of {@code main} is the content. */
    private static final double MAIN_IN_ARTICLE = 0.7;
    /** Characters: with fewer in long texts, the short ones count as much. */
    private static final int FEW_SENTENCES = 500;
    /** A page whose densest box has less prose may be a list. */
    private static final int LIST_PROSE = 1_000;
    /** Characters: a page with less text may be a short page with its navigation. */
    private static final int LONGEST_NAVIGATION = 2_000;
    /** If that box has a smaller part of the page's text, too, it is one. */
    private static final double LIST_SHARE = 0.25;
    /** The part of a heading's text that may be in links. */
    private static final double LINKS_OF_HEADING = 0.3;
    /** No part of a frame has more prose. */
    static final int LONGEST_FRAME = 2_000;
    private static final Pattern SECTION = Pattern
            .compile("(?:^|\\s)(?:(?:ref)?sect[1-6]|section|sectionbody|chapter)(?:\\s|$)");

    static ContentRoot of(ContentOutline outline, Set<TextRule> without) {
        boolean sentences = outline.sentences(0) > FEW_SENTENCES && !without.contains(TextRule.SENTENCES);
        int[] prose = withoutFrame(outline, sentences ? outline::sentences : outline::prose);
        int marked = marked(outline, prose, without);
        int root = marked < 0 ? densest(outline, prose) : marked;
        if (marked < 0 && !without.contains(TextRule.SECTIONS)) {
            root = whole(outline, root);
        }
        if (outline.text(0) > LONGEST_NAVIGATION && outline.prose(root) < LIST_PROSE
                && outline.text(root) < LIST_SHARE * outline.text(0) && !without.contains(TextRule.LIST_ROOT)) {
            root = list(outline);
        }
        return marked >= 0 || without.contains(TextRule.HEADING_BEFORE)
                ? new ContentRoot(root, marked >= 0, root, outline.end(root))
                : withHeading(outline, root);
    }

    /**
     * A root without a main heading, together with the box before it, if that has one and is no navigation: manuals of
     * AsciiDoc have their name and purpose in a box that is called header.
     */
    private static ContentRoot withHeading(ContentOutline outline, int root) {
        int parent = root - 1;
        while (parent >= 0 && outline.end(parent) <= root) {
            parent--;
        }
        int before = parent + 1;
        while (before < root && outline.end(before) < root) {
            before = outline.end(before);
        }
        boolean heading = parent >= 0 && before < root && !hasHeading(outline, root) && hasHeading(outline, before)
                && container(outline.element(before)) && outline.linkDensity(before) < LINKS_OF_HEADING
                && outline.text(before) <= LONGEST_FRAME;
        return heading
                ? new ContentRoot(parent, false, before, outline.end(root))
                : new ContentRoot(root, false, root, outline.end(root));
    }

    private static boolean hasHeading(ContentOutline outline, int of) {
        for (int i = of; i < outline.end(of); i++) {
            if (outline.element(i).normalName().equals("h1") && outline.prose(i) > 0) {
                return true;
            }
        }
        return false;
    }

    /** The main element or article, or -1. */
    private static int marked(ContentOutline outline, int[] prose, Set<TextRule> without) {
        boolean shares = prose[0] > LONGEST_SIDEBAR && !without.contains(TextRule.SHARE_OF_PROSE);
        double enough = shares ? SHARE * prose[0] : 0;
        int main = main(outline);
        if (main >= 0 && prose[main] < enough) {
            main = -1;
        }
        if (main >= 0 && without.contains(TextRule.ARTICLE_IN_MAIN)) {
            return main;
        }
        int other = article(outline, -1, prose);
        if (main >= 0 && other >= 0 && prose[other] > prose[main] && !(other < main && main < outline.end(other))) {
            return other;
        }
        int article = article(outline, main, prose);
        boolean better = article >= 0
                && prose[article] >= (main < 0 ? enough : Math.max(1, MAIN_IN_ARTICLE * prose[main]));
        return better ? article : main;
    }

    /** The main element with the most text, or -1. */
    private static int main(ContentOutline outline) {
        int best = -1;
        for (int i = 0; i < outline.size(); i++) {
            if (Boilerplate.main(outline.element(i)) && (best < 0 || outline.text(i) > outline.text(best))) {
                best = i;
            }
        }
        return best >= 0 && outline.text(best) > 0 ? best : -1;
    }

    /**
     * The outermost article with more than half of the prose of all articles, or -1: a page of many teasers has no such
     * article.
     *
     * @param in the element to look in, -1 for all
     */
    private static int article(ContentOutline outline, int in, int[] prose) {
        int best = -1;
        int all = 0;
        int end = outline.end(Math.max(in, 0));
        for (int i = in + 1; i < end; i++) {
            if (outline.element(i).normalName().equals("article")) {
                all += prose[i];
                best = best < 0 || prose[i] > prose[best] ? i : best;
                i = outline.end(i) - 1;
            }
        }
        return best >= 0 && prose[best] * 2 > all ? best : -1;
    }

    /** A box, or what it is a section of: a manual may have most of its text in one section of several. */
    private static int whole(ContentOutline outline, int root) {
        int whole = root;
        boolean section = section(outline.element(root));
        for (int up = root - 1; up >= 0 && section; up--) {
            if (outline.end(up) > whole) {
                whole = up;
                section = section(outline.element(up));
            }
        }
        return whole;
    }

    private static boolean section(Element element) {
        return element.normalName().equals("section") || SECTION.matcher(element.className()).find();
    }

    /** The main element, if it has most of the text, or the innermost box with most of it. */
    private static int list(ContentOutline outline) {
        int main = main(outline);
        if (main >= 0 && outline.text(main) * 2 > outline.text(0)) {
            return main;
        }
        int[] text = new int[outline.size()];
        for (int i = 0; i < text.length; i++) {
            text[i] = outline.text(i);
        }
        return densest(outline, text);
    }

    /** The innermost box with most of what the body has. */
    private static int densest(ContentOutline outline, int[] amounts) {
        double enough = MOST * amounts[0];
        int root = 0;
        for (int child = 1; child < outline.end(root);) {
            if (amounts[child] >= enough && container(outline.element(child))) {
                root = child;
                child++;
            } else {
                child = outline.end(child);
            }
        }
        return root;
    }

    /**
     * The prose, or the long texts, of each element without those of boxes that are named as parts of a frame; with
     * them, if there are no others. On a page with one paragraph the footer may be most of the prose.
     */
    private static int[] withoutFrame(ContentOutline outline, IntUnaryOperator amount) {
        int size = outline.size();
        int[] prose = new int[size];
        int[] frame = new int[size + 1];
        for (int i = 0; i < size;) {
            boolean outside = i > 0 && outline.prose(i) > 0 && outline.prose(i) <= LONGEST_FRAME
                    && Boilerplate.box(outline.element(i))
                    && Boilerplate.namedFrame(Boilerplate.names(outline.element(i)));
            int end = outside ? outline.end(i) : i + 1;
            for (int inside = i; inside < end; inside++) {
                frame[inside + 1] = frame[inside];
            }
            frame[end] += outside ? amount.applyAsInt(i) : 0;
            i = end;
        }
        boolean other = amount.applyAsInt(0) > frame[size];
        for (int i = 0; i < size; i++) {
            prose[i] = amount.applyAsInt(i) - (other ? frame[outline.end(i)] - frame[i] : 0);
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
}
