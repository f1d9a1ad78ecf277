package io.trawl.analyzer.extract;

import java.util.function.Predicate;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.Evaluator;
import org.jsoup.select.NodeFilter;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.Selector;

/**
 * Writes the text of an element as a browser displays it: white space collapsed except in {@code pre}, a line for each
 * block, an empty line around paragraphs, headings, lists and tables, a space between the cells of a row.
 */
final class TextWriter implements NodeFilter {
    private static final Evaluator CODE = Selector.evaluatorOf("pre, code");
    private static final char SOFT_HYPHEN = '\u00AD';
    private final Predicate<Element> skips;
    private final StringBuilder out;
    private int breaks;
    private boolean space;
    private int inPre;

    private TextWriter(Predicate<Element> skips, int characters) {
        this.skips = skips;
        this.out = new StringBuilder(characters + characters / 4);
    }

    /**
     * @param characters how many the element has without white space, or an estimate: memory is taken for them
     * @param skips selects elements to leave out with all their descendants
     */
    static String write(Element root, int characters, Predicate<Element> skips) {
        TextWriter writer = new TextWriter(skips, characters);
        NodeTraversor.filter(writer, root);
        writer.trim();
        return writer.out.toString();
    }

    @Override
    public FilterResult head(Node node, int depth) {
        if (node instanceof TextNode text) {
            append(text.getWholeText());
            return FilterResult.CONTINUE;
        }
        if (!(node instanceof Element element) || skips.test(element)) {
            return FilterResult.SKIP_ENTIRELY;
        }
        breakAt(element);
        space |= apart(element);
        inPre += element.normalName().equals("pre") ? 1 : 0;
        return FilterResult.CONTINUE;
    }

    @Override
    public FilterResult tail(Node node, int depth) {
        if (node instanceof Element element) {
            inPre -= element.normalName().equals("pre") ? 1 : 0;
            if (!element.normalName().equals("br")) {
                breakAt(element);
            }
        }
        return FilterResult.CONTINUE;
    }

    private void breakAt(Element element) {
        switch (element.normalName()) {
            case "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote", "ul", "ol", "dl", "table", "hr",
                    "figure", "section", "article" ->
                need(2);
            case "li" -> need(1);
            case "td", "th" -> space = true;
            case "br" -> need(1);
            default -> {
                if (element.isBlock()) {
                    need(1);
                }
            }
        }
    }

    /**
     * Whether styles keep the text of an element from that of the one before, which would be one word without them:
     * {@code <span class=brand>Acme</span><span class=name>Cup</span>}. Within a word, and within code, no small letter
     * or figure of one named element stands before a capital or figure of the next.
     */
    static boolean apart(Element element) {
        return element.attributesSize() > 0 && element.hasAttr("class") && !element.isBlock()
                && element.previousSibling() instanceof Element before && before.hasAttr("class")
                && before.normalName().equals(element.normalName()) && lowOrFigure(edge(before, true))
                && highOrFigure(edge(element, false)) && element.closest(CODE) == null;
    }

    private static boolean lowOrFigure(char c) {
        return Character.isLowerCase(c) || Character.isDigit(c);
    }

    private static boolean highOrFigure(char c) {
        return Character.isUpperCase(c) || Character.isDigit(c);
    }

    /** The first or last character of the text, or a blank. */
    private static char edge(Element element, boolean last) {
        Node node = element;
        while (node.childNodeSize() > 0) {
            node = node.childNode(last ? node.childNodeSize() - 1 : 0);
        }
        String text = node instanceof TextNode part ? part.getWholeText() : "";
        return text.isEmpty() ? ' ' : text.charAt(last ? text.length() - 1 : 0);
    }

    private void need(int lines) {
        breaks = Math.max(breaks, lines);
    }

    private void append(String text) {
        if (inPre > 0) {
            appendAsIs(text);
            return;
        }
        int length = text.length();
        for (int i = 0; i < length;) {
            if (WhiteSpace.isSpace(text.charAt(i))) {
                space = true;
                i++;
            } else {
                int end = asShown(text, i);
                separate();
                appendWords(text, i, end);
                i = end;
            }
        }
    }

    /** The end of what is shown as it stands: words with a single space between them. */
    private static int asShown(String text, int from) {
        int length = text.length();
        int i = from;
        while (i < length) {
            char c = text.charAt(i);
            if (!WhiteSpace.isSpace(c)) {
                i++;
            } else if (c == ' ' && i + 1 < length && !WhiteSpace.isSpace(text.charAt(i + 1))) {
                i += 2;
            } else {
                return i;
            }
        }
        return i;
    }

    private void appendWords(String text, int from, int to) {
        int hyphen = text.indexOf(SOFT_HYPHEN, from, to);
        if (hyphen < 0) {
            out.append(text, from, to);
        } else {
            out.append(text.substring(from, to).replace(Character.toString(SOFT_HYPHEN), ""));
        }
    }

    private void appendAsIs(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!WhiteSpace.isSpace(c)) {
                separate();
                out.append(c);
            } else if (breaks == 0) {
                out.append(c == '\u00A0' ? ' ' : c);
                space = false;
            }
        }
    }

    private void separate() {
        if (breaks > 0) {
            trim();
            out.repeat('\n', out.isEmpty() ? 0 : breaks);
        } else if (space && !out.isEmpty()) {
            out.append(' ');
        }
        breaks = 0;
        space = false;
    }

    private void trim() {
        int end = out.length();
        while (end > 0 && WhiteSpace.isSpace(out.charAt(end - 1))) {
            end--;
        }
        out.setLength(end);
    }
}
