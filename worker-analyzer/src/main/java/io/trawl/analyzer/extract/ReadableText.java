package io.trawl.analyzer.extract;

import io.trawl.analyzer.metadata.PageMetadata;
import io.trawl.analyzer.metadata.StatedContent;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jsoup.select.Evaluator;

/**
 * The readable main text of a page: its content ({@link ContentRoot}) without what is in there and is none
 * ({@link Clutter}). If no sentence remains (a list of links, for example), the result is all visible text of the body.
 * Text and elements are found by one set of rules; {@code text/gains.csv} of the bench has the gain of each.
 *
 * <p>
 * If the JSON-LD of a page with little text states a much longer one, as pages do that scripts display, that is taken.
 *
 * <p>
 * What belongs to the frame is decided by the elements and their names and sizes, so that the short and the long pages
 * of a template are read in the same way.
 *
 * <p>
 * In the spirit of Arc90's Readability (content by text and link density) and of Kohlschütter, Fankhauser and Nejdl,
 * Boilerplate Detection using Shallow Text Features, 2010 (long texts without links are content), but with the semantic
 * elements of HTML 5 first, which Readability's ports on Maven Central (all unmaintained) do not know. Not thread-safe.
 */
final class ReadableText {
    private static final Evaluator BODY = new Evaluator.Tag("body");
    /** Characters: a page that shows more is not asked for what it states. */
    private static final int LITTLE = 5_000;
    /** What it states is so many times as long as what it shows, and at least so many characters. */
    private static final double STATED = 1.3;
    private static final int LEAST_STATED = 150;
    /** Characters: more would be a document with a budget of its own. */
    private static final int MOST_STATED = 100_000;
    private final Element body;
    private final ContentOutline outline;
    private final BitSet dropped;
    private final int root;
    private final boolean hasSentence;
    private final StatedContent stated;
    private final Set<TextRule> without;

    private ReadableText(Element body, ContentOutline outline, ContentRoot content, Set<TextRule> without,
            StatedContent stated) {
        this.body = body;
        this.outline = outline;
        this.without = without;
        this.stated = without.contains(TextRule.STATED) ? StatedContent.NONE : stated;
        this.root = content.index();
        this.dropped = outline.size() == 0 ? new BitSet() : Clutter.in(outline, content, without, stated);
        this.hasSentence = outline.size() > 0 && (content.marked() || prose() > 0);
    }

    /** Finds the main text of a document. The result reads the document, which must not change meanwhile. */
    static ReadableText read(Document document) {
        return read(document, Set.of());
    }

    /** The same without some heuristics. */
    static ReadableText read(Document document, Set<TextRule> without) {
        return read(document, without, PageMetadata.stated(document));
    }

    /** @param stated what the page states for programs */
    static ReadableText read(Document document, Set<TextRule> without, StatedContent stated) {
        Element body = body(document);
        ContentOutline outline = ContentOutline.of(body, without);
        ContentRoot root = outline.size() == 0 ? new ContentRoot(0, false, 0, 0) : ContentRoot.of(outline, without);
        return new ReadableText(body, outline, root, without, stated);
    }

    /** The text, in lines; empty if there is none. */
    String text() {
        String shown = shownText();
        return stated(shown::length)
                .map(stated -> TextWriter.write(stated, stated.text().length(), Boilerplate::noText)).orElse(shown);
    }

    private String shownText() {
        if (outline.size() == 0) {
            return "";
        }
        String content = TextWriter.write(outline.element(root), outline.text(root), new Beside(root, dropped));
        if (hasSentence && !content.isEmpty()) {
            return content;
        }
        String everything = TextWriter.write(body, outline.text(0), outsideOfAll());
        return everything.length() > content.length() * 2 ? everything : content;
    }

    /** A copy of the elements of the text, by the same rules. */
    Element markup() {
        Element shown = shownMarkup();
        return stated(() -> shown.text().length()).orElse(shown);
    }

    private Element shownMarkup() {
        if (outline.size() == 0) {
            return new Element("body");
        }
        Element content = ElementCopy.of(outline.element(root), new Beside(root, dropped));
        if (hasSentence && content.hasText()) {
            return content;
        }
        Element everything = ElementCopy.of(body, outsideOfAll());
        return everything.text().length() > content.text().length() * 2 ? everything : content;
    }

    /** Tests for what a page without a sentence does not have as its text: its frame, unless that is all it has. */
    private Predicate<Element> outsideOfAll() {
        if (without.contains(TextRule.FRAMES)) {
            return outline::invisible;
        }
        return outline.text(0) > 0 ? new Beside(0, new BitSet()) : mostlyLinks() ? all -> true : outline::invisible;
    }

    private boolean mostlyLinks() {
        String all = TextWriter.write(body, 0, outline::invisible);
        String prose = TextWriter.write(body, 0, part -> part.normalName().equals("a") || outline.invisible(part));
        return WhiteSpace.visible(prose) * 2 < WhiteSpace.visible(all);
    }

    /** The text that the page states for programs, if it is much longer than what it shows. */
    private Optional<Element> stated(IntSupplier shown) {
        String text = stated.text();
        if (text.length() <= LEAST_STATED || text.length() > MOST_STATED) {
            return Optional.empty();
        }
        int length = shown.getAsInt();
        return length <= LITTLE && text.length() > length * STATED
                ? Optional.of(Parser.parseBodyFragment(text, "").body())
                : Optional.empty();
    }

    /** The body; in XHTML there is no guarantee that there is one. */
    private static Element body(Document document) {
        Element body = document.selectFirst(BODY);
        return body == null ? document : body;
    }

    /** The prose below the root that is neither dropped nor in a heading. */
    private int prose() {
        int prose = outline.prose(root);
        for (int i = root + 1; i < outline.end(root);) {
            boolean out = dropped.get(i) || Clutter.HEADINGS.contains(outline.element(i).normalName());
            prose -= out ? outline.prose(i) : 0;
            i = out ? outline.end(i) : i + 1;
        }
        return prose;
    }

    /**
     * Tests for elements that are not content. The writer visits elements in the order of the outline, so an element
     * that is not the next one is not in the outline.
     */
    private final class Beside implements Predicate<Element> {
        private final BitSet out;
        private int next;

        Beside(int from, BitSet out) {
            this.next = from;
            this.out = out;
        }

        @Override
        public boolean test(Element element) {
            if (next >= outline.size() || outline.element(next) != element) {
                return true;
            }
            boolean skipped = out.get(next);
            next = skipped ? outline.end(next) : next + 1;
            return skipped;
        }
    }
}
