package io.trawl.analyzer.extract;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/**
 * Recognises the parts of a page that are not content: elements that never count as text, and those that probably do
 * not.
 */
final class Boilerplate {
    private static final Set<String> ROLES = Set.of("navigation", "banner", "contentinfo", "search", "complementary",
            "menu", "menubar", "toolbar", "tablist", "dialog", "alertdialog");
    private static final Pattern AROUND = Pattern.compile(
            "(?:^|[\\s_-])(?:nav\\w*|menu\\w*|toc|side-?bar\\w*|bread-?crumbs?|foot(?:er)?|head(?:er)?|top-?bar|tool-?bar"
                    + "|related\\w*|share|sharing|social|pag(?:er|ination)|tags?|meta|promo|sponsor\\w*|advert\\w*|ads?|newsletter|subscribe|recommend\\w*|comments?)(?:$|[\\s_-])");
    private static final Pattern FRAME = Pattern.compile(
            "(?:^|\\s)(?:(?:site|page|global|main|top|bottom|left|right)[_-]?)?(?:header|head|footer|foot|side-?bar|nav(?:bar|igation)?|menu"
                    + "|top-?bar|tool-?bar|bread-?crumbs?|mast-?head|banner|copyright)(?:\\s|$)");

    /** In a name that {@link #FRAME} matches is one of these: most names have none, and to look for them is quick. */
    private static final List<String> FRAME_PARTS = List.of("head", "foot", "bar", "nav", "menu", "crumb", "banner",
            "copyright");
    private static final int LONGEST_NAMES = 300;
    /** Characters: a list of tabs or a menu with more has their panels in it. */
    private static final int LONGEST_CONTROLS = 800;

    private Boilerplate() {}

    /** Whether a browser or a screen reader leaves the element's text out. */
    static boolean invisible(Element element) {
        return noText(element) || hidden(element)
                || element.attributesSize() > 0 && element.attr("aria-hidden").equalsIgnoreCase("true");
    }

    /** Whether the element has nothing that a browser displays as text. */
    static boolean noText(Element element) {
        // A switch takes a third of the time of a set, and each element of a page is asked twice.
        return switch (element.normalName()) {
            case "script", "style", "template", "head", "title", "svg", "canvas", "iframe", "object", "embed", "audio",
                    "video", "map", "datalist", "math" ->
                true;
            default -> false;
        };
    }

    /**
     * Whether a browser that runs the scripts of the page hides the element's text at first; it may be displayed
     * without scripts, or later.
     */
    static boolean hidden(Element element) {
        if (element.attributesSize() == 0) {
            return element.normalName().equals("noscript");
        }
        return element.normalName().equals("noscript") || element.hasAttr("hidden")
                || hiddenByStyle(element.attr("style"));
    }

    /** Whether it is what a tab or a question opens. */
    static boolean panel(Element element) {
        String role = element.attr("role");
        return role.equals("tabpanel") || role.equals("region") || element.hasAttr("aria-labelledby")
                || (BoxNames.of(element) & BoxNames.PANEL) != 0;
    }

    /** Whether it is a sign for the eye alone: an icon is, a box with text is not. */
    static boolean icon(Element element, Set<TextRule> without) {
        return element.attributesSize() > 0 && element.attr("aria-hidden").equalsIgnoreCase("true")
                && (!element.isBlock() || without.contains(TextRule.ARIA_HIDDEN));
    }

    private static boolean hiddenByStyle(String style) {
        if (style.isEmpty()) {
            return false;
        }
        String rules = ";" + style.toLowerCase(Locale.ROOT).replace(" ", "");
        return rules.contains(";display:none") || rules.contains(";visibility:hidden");
    }

    /**
     * Whether the element's name or role makes it a part of the page's frame.
     *
     * @param inContent whether it is inside a main or article element
     */
    static boolean frame(Element element, boolean inContent, Set<TextRule> without) {
        return switch (element.normalName()) {
            case "nav", "footer" -> true;
            case "header", "aside" -> !inContent;
            case "a" -> permalink(element);
            case "button" -> without.contains(TextRule.HEADING_BUTTONS) || !inHeading(element);
            case "select", "input", "textarea", "option", "optgroup", "progress", "meter", "dialog" -> true;
            default -> element.attributesSize() > 0 && ROLES.contains(element.attr("role").toLowerCase(Locale.ROOT))
                    && (without.contains(TextRule.PANELS) || !panels(element));
        };
    }

    private static boolean inHeading(Element button) {
        Element parent = button.parent();
        return parent != null && Clutter.HEADINGS.contains(parent.normalName());
    }

    /** Whether what is named as a list of controls has the panels, too, that the controls show. */
    private static boolean panels(Element element) {
        return switch (element.attr("role").toLowerCase(Locale.ROOT)) {
            case "tablist", "toolbar", "menu" -> VisibleText.length(element) > LONGEST_CONTROLS;
            default -> false;
        };
    }

    /** The sign after a heading that links to the heading itself. */
    private static boolean permalink(Element a) {
        if (!a.attr("href").startsWith("#") || a.childNodeSize() != 1) {
            return false;
        }
        if (!(a.childNode(0) instanceof TextNode sign)) {
            return a.childNode(0) instanceof Element inner && inner.childNodeSize() == 1
                    && inner.childNode(0) instanceof TextNode nested && permalinkSign(nested);
        }
        return permalinkSign(sign);
    }

    private static boolean permalinkSign(TextNode node) {
        String text = node.getWholeText().strip();
        return text.equals("¶") || text.equals("#") || text.equals("§") || text.equals("🔗");
    }

    /** Whether the element is a box that may be dropped as a whole. */
    static boolean box(Element element) {
        return switch (element.normalName()) {
            case "div", "section", "ul", "ol", "dl", "table", "p", "form", "center", "fieldset" -> true;
            default -> false;
        };
    }

    /** Class and id of an element in one text; empty if it has neither. */
    static String names(Element element) {
        if (element.attributesSize() == 0) {
            return "";
        }
        String names = element.attr("class");
        String id = element.attr("id");
        String both = id.isEmpty() ? names : names + " " + id;
        return both.length() > LONGEST_NAMES ? "" : both.toLowerCase(Locale.ROOT);
    }

    /** Whether the names suggest a part of the frame; together with some links they decide. */
    static boolean namedAround(String names) {
        return AROUND.matcher(names).find();
    }

    /**
     * Whether a whole class or id is the name of a part of the frame, which {@code has-sidebar} of a box around
     * everything is not.
     */
    static boolean namedFrame(String names) {
        return has(names, FRAME_PARTS) && FRAME.matcher(names).find();
    }

    private static boolean has(String names, List<String> parts) {
        for (String part : parts) {
            if (names.contains(part)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the element is marked as the main content. */
    static boolean main(Element element) {
        return element.normalName().equals("main")
                || element.attributesSize() > 0 && element.attributes().get("role").equalsIgnoreCase("main");
    }
}
