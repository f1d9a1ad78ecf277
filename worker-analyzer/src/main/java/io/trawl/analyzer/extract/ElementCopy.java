package io.trawl.analyzer.extract;

import java.util.function.Predicate;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;

/** Copies an element without parts of it. Visits elements as {@link TextWriter} does. */
final class ElementCopy implements NodeFilter {
    private final Element root;
    private final Predicate<Element> skips;
    private final Element copy;
    private Element at;

    private ElementCopy(Element root, Predicate<Element> skips) {
        this.root = root;
        this.skips = skips;
        this.copy = root.shallowClone();
        this.at = copy;
    }

    /** @param skips selects elements to leave out with all their descendants */
    static Element of(Element root, Predicate<Element> skips) {
        ElementCopy copy = new ElementCopy(root, skips);
        NodeTraversor.filter(copy, root);
        return copy.copy;
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (!(node instanceof Element element)) {
            at.appendChild(node.shallowClone());
            return FilterResult.CONTINUE;
        }
        if (skips.test(element)) {
            if (isFormula(element)) {
                at.appendChild(element.clone());
            }
            return FilterResult.SKIP_ENTIRELY;
        }
        if (element != root) {
            if (TextWriter.apart(element)) {
                at.appendText(" ");
            }
            Element inner = element.shallowClone();
            at.appendChild(inner);
            at = inner;
        }
        return FilterResult.CONTINUE;
    }

    /** The text has no formulas, since it cannot say them; their elements can. */
    private static boolean isFormula(Element element) {
        return element.normalName().equals("math")
                || element.normalName().equals("script") && element.attr("type").startsWith("math/tex");
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element && node != root) {
            Element outer = at.parent();
            at = outer == null ? copy : outer;
        }
        return FilterResult.CONTINUE;
    }
}
