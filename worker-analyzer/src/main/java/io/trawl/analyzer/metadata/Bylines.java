package io.trawl.analyzer.metadata;

import io.trawl.analyzer.metadata.PageFacts.Fact;
import io.trawl.analyzer.metadata.PageFacts.Trust;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;

/**
 * The author and the dates that a page shows: {@code time}, {@code rel=author}, and elements whose class says so. What
 * stands in comments, teasers and the frame of the page is of others. Not thread-safe.
 */
final class Bylines {
    private static final int LONGEST_TEXT = 300;
    private static final int CHARACTERS_PER_NODE = 5;
    private static final int MOST_LEVELS = 40;
    /** A page of thousands of comments has as many bylines. */
    private static final int MOST_LOOKS = 60;
    /** The elements behind a heading that are near. */
    private static final int NEAR = 40;
    /** More are those of utilities ({@code flex text-sm}), which name nothing, and reading them would take longest. */
    private static final int LONGEST_CLASSES = 100;
    private static final int MOST_CHILDREN = 8;
    private static final int LONGEST_LINE = 80;
    private static final Pattern BY = Pattern.compile("^(?i:(?:written |posted |published )?by:?) \\p{Lu}");
    private static final Pattern YEAR = Pattern.compile("(?:19|20)[0-9]{2}");
    private static final Pattern CHANGED = Pattern.compile("updated|modified", Pattern.CASE_INSENSITIVE);
    /** A box beside a sidebar is named after it, too; and page builders name all that they build a widget. */
    private static final Pattern OTHERS = Pattern.compile(
            "comment|related|sidebar(?<!(?:with|no|has)[-_]?sidebar)|recommend|teaser|promo|footer|(?<!\\S)widget",
            Pattern.CASE_INSENSITIVE);
    /** What is not shown; and a time within a name, which is none of it. */
    private static final Set<String> UNREAD = Set.of("script", "style", "noscript", "template", "svg", "time");
    private static final Pattern BLANKS = Pattern.compile("[\\s\\u00A0]+");
    private static final Set<String> FRAME = Set.of("aside", "footer", "nav");
    private final FactReader facts;
    private final Set<Element> aroundHeading = new HashSet<>();
    private int looks;
    private int elementsLeft;

    Bylines(FactReader facts) {
        this.facts = facts;
    }

    /**
     * Takes from an element near a heading what it shows: many pages name nothing there, but begin with <i>By</i> or
     * have a date that stands alone.
     */
    void nearHeading(Element element) {
        if (element.normalName().equals("h1")) {
            elementsLeft = NEAR;
            for (Element up = element.parent(); up != null && aroundHeading.add(up);) {
                up = up.parent();
            }
            return;
        }
        if (elementsLeft <= 0) {
            return;
        }
        elementsLeft--;
        boolean authors = facts.wants(Fact.AUTHOR, Trust.VISIBLE);
        boolean dates = facts.wants(Fact.PUBLISHED, Trust.VISIBLE);
        if (!authors && !dates || element.childNodeSize() == 0 || element.childNodeSize() > MOST_CHILDREN) {
            return;
        }
        String text = shown(element, LONGEST_LINE);
        if (text.isEmpty()) {
            return;
        }
        if (authors && BY.matcher(text).find() && isOfThePage(element)) {
            facts.offer(Fact.AUTHOR, Trust.VISIBLE, text);
        }
        if (dates && YEAR.matcher(text).find() && isOfThePage(element)) {
            facts.offer(CHANGED.matcher(text).find() ? Fact.MODIFIED : Fact.PUBLISHED, Trust.VISIBLE, text);
        }
    }

    /** Takes from an element what its class says that it shows. */
    void add(Element element) {
        boolean authors = facts.wants(Fact.AUTHOR, Trust.VISIBLE);
        boolean dates = facts.wants(Fact.PUBLISHED, Trust.VISIBLE);
        if (!authors && !dates || looks > MOST_LOOKS) {
            return;
        }
        String classes = element.attributes().get("class");
        int kinds = classes.isEmpty() || classes.length() > LONGEST_CLASSES ? 0 : BylineClasses.kinds(classes);
        if (dates && (kinds > BylineClasses.AUTHOR || element.normalName().equals("time"))) {
            date(element, kinds >= BylineClasses.CHANGED ? Fact.MODIFIED : Fact.PUBLISHED);
        }
        if (authors && ((kinds & BylineClasses.AUTHOR) > 0 || isAuthorLink(element)) && isOfThePage(element)) {
            facts.offer(Fact.AUTHOR, Trust.VISIBLE, shown(element));
        }
    }

    private static boolean isAuthorLink(Element element) {
        return element.normalName().equals("a") && element.attributes().get("rel").equalsIgnoreCase("author");
    }

    private void date(Element element, Fact fact) {
        if (facts.wants(fact, Trust.VISIBLE) && isOfThePage(element)) {
            facts.offer(fact, Trust.VISIBLE, element.attr("datetime"));
            facts.offer(fact, Trust.VISIBLE, shown(element));
        }
    }

    /** Whether an element is about the page, as what is in a box with a main heading, and not about one it names. */
    boolean isOfThePage(Element element) {
        int levels = 0;
        looks++;
        for (Element up = element; up != null && levels < MOST_LEVELS && looks <= MOST_LOOKS; up = up.parent()) {
            String name = up.normalName();
            if (name.equals("main") || name.equals("body") || aroundHeading.contains(up)) {
                return true;
            }
            if (FRAME.contains(name) || ofOthers(up.attr("class")) || ofOthers(up.id())
                    || ofOthers(up.attr("itemtype"))) {
                return false;
            }
            levels++;
        }
        return looks <= MOST_LOOKS;
    }

    private static boolean ofOthers(String names) {
        return !names.isEmpty() && OTHERS.matcher(names).find();
    }

    /** A text with one space for each run of white space, none at its ends, and the signs of entities written twice. */
    static String collapsed(String text) {
        String plain = text.indexOf('&') < 0 ? text : Parser.unescapeEntities(text, false);
        return BLANKS.matcher(plain).replaceAll(" ").strip();
    }

    /** The text of an element, if it is short; empty if it is not. */
    static String shown(Element element) {
        return shown(element, LONGEST_TEXT);
    }

    private static String shown(Element element, int longest) {
        StringBuilder text = new StringBuilder();
        int[] nodesLeft = {longest / CHARACTERS_PER_NODE};
        element.filter((NodeFilter) (Node node, int depth) -> {
            if (--nodesLeft[0] < 0 || text.length() > longest) {
                return NodeFilter.FilterResult.STOP;
            }
            if (node instanceof TextNode part) {
                String whole = part.getWholeText();
                text.append(whole, 0, Math.min(whole.length(), longest + 1));
            } else if (node instanceof Element inner) {
                if (depth > 0 && (UNREAD.contains(inner.normalName()))) {
                    return NodeFilter.FilterResult.SKIP_ENTIRELY;
                }
                text.append(inner.isBlock() || inner.normalName().equals("br") ? " " : "");
            }
            return NodeFilter.FilterResult.CONTINUE;
        });
        return nodesLeft[0] < 0 || text.length() > longest ? "" : collapsed(text.toString());
    }
}
