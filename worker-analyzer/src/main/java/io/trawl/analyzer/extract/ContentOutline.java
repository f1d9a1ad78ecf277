package io.trawl.analyzer.extract;

import java.util.Arrays;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;

/**
 * The elements of a body that may be content, in document order, each with the amount of its text and of the text in
 * links. Uses arrays, so that measuring a page costs little more than the traversal.
 */
final class ContentOutline implements NodeFilter {
    /** Characters: with as few, hidden text is a hint to switch on scripts. */
    private static final int LITTLE = 200;
    /** Characters: a shorter text may be a caption or a title. */
    private static final int SENTENCE = 60;
    private Element[] elements = new Element[256];
    private int[] ends = new int[256];
    private int[] text = new int[256];
    private int[] linked = new int[256];
    private int[] sentences = new int[256];
    private int[] open = new int[64];
    private int size;
    private int depth;
    private int inContent;
    private int inLink;

    private final Set<TextRule> without;
    private final boolean revealing;
    private int hidden;

    private ContentOutline(Set<TextRule> without, boolean revealing) {
        this.without = without;
        this.revealing = revealing;
    }

    /**
     * The outline of a body. If more text is hidden than displayed, then with what is hidden: the page is made for a
     * browser whose scripts display it, or has it for those that run none.
     */
    static ContentOutline of(Element body, Set<TextRule> without) {
        ContentOutline shown = new ContentOutline(without, false);
        NodeTraversor.filter(shown, body);
        if (shown.hidden <= LITTLE || shown.size > 0 && shown.prose(0) >= shown.hidden
                || without.contains(TextRule.REVEAL)) {
            return shown;
        }
        ContentOutline all = new ContentOutline(without, true);
        NodeTraversor.filter(all, body);
        return all;
    }

    /** Whether the element's text is not displayed on this page. */
    boolean invisible(Element element) {
        return Boilerplate.noText(element) || Boilerplate.icon(element, without) || hides(element);
    }

    private boolean hides(Element element) {
        return !revealing && Boilerplate.hidden(element)
                && (without.contains(TextRule.CLOSED_PANELS) || !Boilerplate.panel(element));
    }

    @Override
    public FilterResult head(Node node, int at) {
        if (node instanceof TextNode t) {
            if (depth > 0) {
                int n = WhiteSpace.visible(t.getWholeText());
                text[open[depth - 1]] += n;
                linked[open[depth - 1]] += inLink > 0 ? n : 0;
                sentences[open[depth - 1]] += inLink > 0 || n < SENTENCE ? 0 : n;
            }
            return FilterResult.CONTINUE;
        }
        if (!(node instanceof Element element) || skips(element)) {
            return FilterResult.SKIP_ENTIRELY;
        }
        open(element);
        return FilterResult.CONTINUE;
    }

    private boolean skips(Element element) {
        if (Boilerplate.noText(element) || Boilerplate.icon(element, without)) {
            return true;
        }
        if (hides(element)) {
            hidden += VisibleText.length(element);
            return true;
        }
        return Boilerplate.frame(element, inContent > 0, without);
    }

    private void open(Element element) {
        if (size == elements.length) {
            elements = Arrays.copyOf(elements, size * 2);
            ends = Arrays.copyOf(ends, size * 2);
            text = Arrays.copyOf(text, size * 2);
            sentences = Arrays.copyOf(sentences, size * 2);
            linked = Arrays.copyOf(linked, size * 2);
        }
        if (depth == open.length) {
            open = Arrays.copyOf(open, depth * 2);
        }
        elements[size] = element;
        open[depth++] = size++;
        inContent += holdsContent(element) ? 1 : 0;
        inLink += element.normalName().equals("a") ? 1 : 0;
    }

    @Override
    public FilterResult tail(Node node, int at) {
        if (node instanceof Element element) {
            int index = open[--depth];
            ends[index] = size;
            inContent -= holdsContent(element) ? 1 : 0;
            inLink -= element.normalName().equals("a") ? 1 : 0;
            if (depth > 0) {
                text[open[depth - 1]] += text[index];
                linked[open[depth - 1]] += linked[index];
                sentences[open[depth - 1]] += sentences[index];
            }
        }
        return FilterResult.CONTINUE;
    }

    private static boolean holdsContent(Element element) {
        return element.normalName().equals("article") || Boilerplate.main(element);
    }

    /** The number of elements; 0 is the body. */
    int size() {
        return size;
    }

    Element element(int index) {
        return elements[index];
    }

    /** The index after the last descendant. */
    int end(int index) {
        return ends[index];
    }

    /** Visible characters in the element. */
    int text(int index) {
        return text[index];
    }

    /** Visible characters in the element that are not in a link. */
    int prose(int index) {
        return text[index] - linked[index];
    }

    /** Visible characters in long texts of the element that are in no link. */
    int sentences(int index) {
        return sentences[index];
    }

    /** The part of the element's text that is in links, 0 to 1. */
    double linkDensity(int index) {
        return text[index] == 0 ? 0 : (double) linked[index] / text[index];
    }
}
