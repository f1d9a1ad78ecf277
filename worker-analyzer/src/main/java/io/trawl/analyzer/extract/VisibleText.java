package io.trawl.analyzer.extract;

import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/** Measures and compares the text of elements where it stands: a string of it would be a copy of a part of the page. */
final class VisibleText implements NodeVisitor {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private int length;
    private long hash;

    private VisibleText() {}

    /** The number of characters in the element that are not white space. */
    static int length(Element element) {
        return of(element).length;
    }

    /** Of the characters that are not white space: other texts have another one, but for one pair in 2^64. */
    static long hash(Element element) {
        return of(element).hash;
    }

    private static VisibleText of(Element element) {
        VisibleText text = new VisibleText();
        NodeTraversor.traverse(text, element);
        return text;
    }

    @Override
    public void head(Node node, int depth) {
        if (node instanceof TextNode text) {
            String whole = text.getWholeText();
            for (int i = 0; i < whole.length(); i++) {
                char c = whole.charAt(i);
                if (!WhiteSpace.isSpace(c)) {
                    length++;
                    hash = (hash ^ c) * FACTOR;
                }
            }
        }
    }
}
