package io.trawl.analyzer.extract;

import io.trawl.api.Link;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/**
 * The text of a link: what a browser shows, or else its label, its title or the alternative text of its image. Reads
 * only the first nodes of a link, since in XHTML links may lie within links, and would be read in quadratic time.
 */
final class AnchorText implements NodeFilter {
    private static final int LONGEST = 500;
    private static final int MOST_NODES = 200;
    private final StringBuilder text = new StringBuilder();
    private String image = "";
    private int nodes;

    private AnchorText() {}

    static Link link(String href, boolean nofollow, Element element, String rel) {
        AnchorText found = new AnchorText();
        element.filter(found);
        String shown = collapsed(found.text.toString());
        for (String other : new String[]{element.attr("aria-label"), found.image, element.attr("alt"),
                element.attr("title")}) {
            shown = shown.isEmpty() ? collapsed(other) : shown;
        }
        return new Link(href, nofollow, shown, collapsed(rel));
    }

    private static String collapsed(String text) {
        String whole = WhiteSpace.collapse(text.length() > 4 * LONGEST ? text.substring(0, 4 * LONGEST) : text);
        return whole.length() <= LONGEST
                ? whole
                : whole.substring(0, Character.isHighSurrogate(whole.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST);
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (++nodes > MOST_NODES || text.length() > 4 * LONGEST) {
            return FilterResult.STOP;
        }
        if (node instanceof TextNode part) {
            String whole = part.getWholeText();
            text.append(whole, 0, Math.min(whole.length(), 4 * LONGEST));
        } else if (node instanceof Element element) {
            if (depth > 0 && Boilerplate.invisible(element)) {
                return FilterResult.SKIP_ENTIRELY;
            }
            image = image.isEmpty() && element.normalName().equals("img") ? element.attr("alt") : image;
            text.append(element.isBlock() || element.normalName().equals("br") ? " " : "");
        }
        return FilterResult.CONTINUE;
    }
}
