package io.trawl.analyzer.extract;

import io.trawl.analyzer.metadata.StatedContent;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.Selector;
import org.jspecify.annotations.Nullable;

/** Finds what is in the element of the content and is none: navigation, share bars, comments, captions, forms. */
final class Clutter {
    static final Set<String> HEADINGS = Set.of("h1", "h2", "h3", "h4", "h5", "h6");
    private static final Evaluator FIELDS = Selector.evaluatorOf("input:not([type=hidden]), select, textarea");
    private static final double LINKS_ONLY = 0.65;
    private static final double LINKS_IF_NAMED = 0.3;
    /** A box with only links has less prose, and has more text than {@link #FEW}. */
    private static final int CAPTION = 300;
    private static final int FEW = 20;
    /** Characters: a longer box that is named a caption describes something. */
    private static final int LONGEST_CAPTION = 400;
    /** Characters: a longer box that is named a date has more than that. */
    private static final int LONGEST_DATE = 80;
    /** Characters: a longer button is a card. */
    private static final int LONGEST_BUTTON = 40;
    /** Characters: with more prose, a page has no need of its lists of links. */
    private static final int LONG = 2_000;
    /** Characters: things that a page lists may have a shorter text in common. */
    private static final int SHORT = 50;
    /** A page that repeats a smaller part of its text does not do so by its template. */
    private static final double LEAST_REPEATED = 0.05;
    /** Siblings: a box with a paragraph so near stands in a text. */
    private static final int NEAR = 5;
    /** A page with less prose beside its comments is a thread: a part of the prose of the comments. */
    private static final double THREAD = 0.15;
    private final ContentOutline outline;
    private final int root;
    private final Set<TextRule> without;
    private final int[] kinds;
    private final int[] paragraphs;
    private final BitSet dropped = new BitSet();
    private int repeated;
    /** The first box with so much text, and so much of it in links. */
    private final Map<Long, Integer> boxes = new HashMap<>();
    private int title = -1;

    private Clutter(ContentOutline outline, ContentRoot root, Set<TextRule> without) {
        this.outline = outline;
        this.root = root.index();
        this.without = without;
        this.kinds = kinds();
        this.paragraphs = paragraphs();
    }

    /** The indices of the elements to leave out with all that is in them. */
    static BitSet in(ContentOutline outline, ContentRoot root, Set<TextRule> without, StatedContent stated) {
        Clutter clutter = new Clutter(outline, root, without);
        clutter.mark(root, stated, !without.contains(TextRule.REPEATS));
        // A manual repeats a remark here and there: each is part of what it stands beside.
        if (clutter.repeated > 0 && clutter.repeated < LEAST_REPEATED * outline.text(root.index())) {
            clutter.dropped.clear();
            clutter.mark(root, stated, false);
        }
        return clutter.dropped;
    }

    private int[] kinds() {
        int[] found = new int[outline.size()];
        for (int i = root + 1; i < outline.end(root); i++) {
            Element element = outline.element(i);
            found[i] = BoxNames.of(element);
            // Those who colour code name its parts comment, note or tag.
            i = element.normalName().equals("pre") ? outline.end(i) - 1 : i;
        }
        return found;
    }

    /**
     * The number of paragraphs and main headings with prose before each element: a box that holds one is more than
     * navigation. The first main heading of the content is its title.
     */
    private int[] paragraphs() {
        int[] before = new int[outline.size() + 1];
        for (int i = 0; i < outline.size(); i++) {
            String name = outline.element(i).normalName();
            before[i + 1] = before[i] + ((name.equals("p") || name.equals("h1")) && outline.prose(i) > 0 ? 1 : 0);
            boolean heading = name.equals("h1") && outline.text(i) > 0 && i > root && i < outline.end(root);
            title = heading && title < 0 ? i : title;
        }
        return before;
    }

    private void mark(ContentRoot content, StatedContent stated, boolean once) {
        boolean article = saysArticle(outline.element(root).ownerDocument());
        boolean inArticle = article || outline.element(root).normalName().equals("article");
        int links = sum(i -> Boilerplate.box(outline.element(i)) && onlyLinks(i), outline::text);
        int named = on(TextRule.CLUTTERED_LISTS) ? sum(i -> named(i, false), outline::prose) : 0;
        int others = outline.text(root) - links - named;
        boolean list = others < links / 2 && on(TextRule.LISTS_KEEP_LINKS);
        boolean longPage = !list && outline.prose(root) > LONG;
        boolean thread = stated.thread() && on(TextRule.STATED_THREADS) || thread(article);
        boolean around = inArticle && longPage && on(TextRule.AROUND_ARTICLES) && !teasers();
        boolean anyLinks = !content.marked() && !list;
        boolean linksBeside = (longPage || inArticle && links < others) && on(TextRule.LINK_BOXES);
        for (int i = root + 1; i < outline.end(root);) {
            boolean other = i < content.from() || i >= content.to() || linkBox(i, anyLinks, linksBeside)
                    || !(thread && discussion(i)) && (element(i, inArticle) || named(i, around) || small(i, inArticle)
                            || quote(i, inArticle) || namedNavigation(i))
                    || !thread && discussion(i) && on(TextRule.DISCUSSIONS);
            boolean repeats = !other && once && repeats(i);
            repeated += repeats ? outline.text(i) : 0;
            boolean out = other || repeats;
            dropped.set(i, out);
            i = out ? outline.end(i) : i + 1;
        }
    }

    private boolean on(TextRule rule) {
        return !without.contains(rule);
    }

    private static boolean saysArticle(@Nullable Document document) {
        if (document != null) {
            for (Element meta : document.head().children()) {
                if (meta.normalName().equals("meta") && meta.attr("property").equals("og:type")) {
                    return meta.attr("content").startsWith("article");
                }
            }
        }
        return false;
    }

    /** What the outermost boxes of a kind have in all. */
    private int sum(IntPredicate boxes, IntUnaryOperator amount) {
        int sum = 0;
        for (int i = root + 1; i < outline.end(root);) {
            boolean box = boxes.test(i);
            sum += box ? amount.applyAsInt(i) : 0;
            i = box ? outline.end(i) : i + 1;
        }
        return sum;
    }

    private boolean teasers() {
        return on(TextRule.TEASER_LISTS) && outline.prose(root) < 2
                * sum(i -> (kinds[i] & BoxNames.AROUND_ARTICLE) != 0 && part(i), outline::prose);
    }

    private boolean onlyLinks(int i) {
        return outline.linkDensity(i) > LINKS_ONLY && outline.prose(i) < CAPTION && outline.text(i) > FEW
                && paragraphs[outline.end(i)] == paragraphs[i + 1];
    }

    private boolean thread(boolean article) {
        if (!on(TextRule.THREADS) || article && on(TextRule.ARTICLES_ARE_NO_THREADS)) {
            return false;
        }
        int discussed = sum(this::discussion, outline::prose);
        return outline.prose(root) - discussed < THREAD * discussed;
    }

    private boolean discussion(int i) {
        return (kinds[i] & (BoxNames.DISCUSSION | BoxNames.OF_CODE)) == BoxNames.DISCUSSION
                && !outline.element(i).normalName().equals("a");
    }

    /** Whether it is no more than a part of the content: a name may be that of all, with a sidebar for example. */
    private boolean part(int i) {
        return outline.prose(i) * 2 < outline.prose(root) && outline.prose(i) <= ContentRoot.LONGEST_FRAME
                && outline.text(i) * 2 < outline.text(root);
    }

    /** Whether the kind of the element, or its place, tells that it is not content. */
    private boolean element(int i, boolean inArticle) {
        Element element = outline.element(i);
        return switch (element.normalName()) {
            case "figcaption" -> on(TextRule.CAPTIONS);
            case "label" -> on(TextRule.FORMS);
            case "form" -> on(TextRule.FORMS) && part(i) && element.selectFirst(FIELDS) != null;
            case "aside" -> on(TextRule.ASIDES) && !note(i) && part(i);
            case "h1" -> i == title && inArticle && on(TextRule.TITLES) && part(i);
            case "header" -> inArticle && on(TextRule.ARTICLE_HEADERS) && part(i)
                    && (i < title && title < outline.end(i) || !holdsHeading(element));
            default -> false;
        };
    }

    /** Whether it is plain text, or text with few links between paragraphs, as manuals have beside their text. */
    private boolean note(int i) {
        Element element = outline.element(i);
        return outline.linkDensity(i) == 0 && Boilerplate.names(element).isEmpty()
                || outline.linkDensity(i) < LINKS_IF_NAMED && amongParagraphs(element);
    }

    private static boolean amongParagraphs(Element element) {
        Element before = element.previousElementSibling();
        Element after = element.nextElementSibling();
        for (int i = 0; i < NEAR; i++) {
            if (paragraph(before) || paragraph(after)) {
                return true;
            }
            before = before == null ? null : before.previousElementSibling();
            after = after == null ? null : after.nextElementSibling();
        }
        return false;
    }

    private static boolean paragraph(@Nullable Element element) {
        return element != null && (element.normalName().equals("p") || element.hasClass("para"));
    }

    private static boolean holdsHeading(Element element) {
        for (Element child = element.firstElementChild(); child != null; child = child.nextElementSibling()) {
            if (HEADINGS.contains(child.normalName()) || holdsHeading(child)) {
                return true;
            }
        }
        return false;
    }

    private boolean named(int i, boolean aroundArticle) {
        int kind = kinds[i];
        if (kind == 0 || outline.element(i).normalName().equals("a") && kind != BoxNames.UNSEEN || !part(i)) {
            return false;
        }
        return (kind & BoxNames.UNSEEN) != 0 && on(TextRule.UNSEEN_NAMES)
                || (kind & BoxNames.OTHER_SCREEN) != 0 && on(TextRule.OTHER_SCREENS)
                || ((kind & BoxNames.CLUTTER) != 0 || (kind & BoxNames.SIDEBAR) != 0 && !note(i))
                        && on(TextRule.CLUTTER_NAMES)
                || (kind & (BoxNames.PERSON | BoxNames.OF_CODE)) == BoxNames.PERSON && on(TextRule.PERSON_NAMES)
                || (kind & BoxNames.AROUND_ARTICLE) != 0 && aroundArticle
                || (kind & BoxNames.CAPTION) != 0 && on(TextRule.CAPTIONS) && caption(i);
    }

    /** Whether it is a button, or the date of an article. */
    private boolean small(int i, boolean inArticle) {
        int length = outline.text(i);
        return ((kinds[i] & BoxNames.BUTTON) != 0 && length < LONGEST_BUTTON && on(TextRule.BUTTONS)
                || (kinds[i] & BoxNames.DATE) != 0 && length < LONGEST_DATE && inArticle && on(TextRule.DATES))
                && !HEADINGS.contains(outline.element(i).normalName());
    }

    private boolean quote(int i, boolean inArticle) {
        return (kinds[i] & (BoxNames.QUOTE | BoxNames.BLOCK_QUOTE)) == BoxNames.QUOTE && !inArticle
                && outline.element(i).normalName().equals("blockquote") && part(i) && on(TextRule.QUOTES);
    }

    /** Whether an earlier box that is no clutter has the same text. */
    private boolean repeats(int i) {
        Element element = outline.element(i);
        boolean box = switch (element.normalName()) {
            case "div", "section", "article", "blockquote" -> outline.text(i) >= SHORT;
            default -> false;
        };
        Integer first = box ? boxes.putIfAbsent((long) outline.text(i) << 32 | outline.prose(i), i) : null;
        return first != null && outline.end(first) <= i
                && VisibleText.hash(outline.element(first)) == VisibleText.hash(element);
    }

    private boolean caption(int i) {
        return outline.linkDensity(i) < LINKS_IF_NAMED && outline.text(i) < LONGEST_CAPTION
                && !HEADINGS.contains(outline.element(i).normalName());
    }

    /** Whether it has only links, and the author has not marked the content, or it stands beside long prose. */
    private boolean linkBox(int i, boolean anyLinks, boolean linksBeside) {
        Element element = outline.element(i);
        String name = element.normalName();
        return Boilerplate.box(element) && (anyLinks || linksBeside && !name.equals("table") && !name.equals("dl"))
                && onlyLinks(i);
    }

    /** Whether links and a name make it navigation; a box with most of the prose is none, whatever its name is. */
    private boolean namedNavigation(int i) {
        Element element = outline.element(i);
        return Boilerplate.box(element) && outline.linkDensity(i) > LINKS_IF_NAMED
                && outline.prose(i) <= ContentRoot.LONGEST_FRAME && outline.prose(i) * 2 < outline.prose(root)
                && Boilerplate.namedAround(Boilerplate.names(element));
    }
}
