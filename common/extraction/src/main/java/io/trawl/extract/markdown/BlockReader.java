package io.trawl.extract.markdown;

import io.trawl.extract.markdown.Block.Fence;
import io.trawl.extract.markdown.Block.BlockList;
import io.trawl.extract.markdown.Block.Lines;
import io.trawl.extract.markdown.Block.Quote;
import io.trawl.extract.markdown.InlineWriter.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;

/**
 * Reads the blocks of an element. Text gathers in a line until a block begins or ends; styles go on from one line to
 * the next, so that a link around blocks is a link in each of them.
 */
final class BlockReader {
    /** Elements below this level give their text. */
    private static final int DEEPEST = 500;
    /**
     * Each list and each quotation makes all lines within it longer, so that those below this level are plain blocks.
     */
    private static final int MOST_NESTED = 12;
    private final Element root;
    private final BooleanSupplier formulas;
    private final References references;
    private final Predicate<Element> skips;
    private List<Block> blocks = new ArrayList<>();
    private StyledText line = new StyledText();
    private Place place = Place.PARAGRAPH;
    private int style;
    private int depth;
    private int nested;

    BlockReader(Element root, Function<String, Optional<String>> resolve, Predicate<Element> skips) {
        this.root = root;
        this.formulas = Formula.anyIn(root);
        this.references = new References(resolve);
        this.skips = skips;
    }

    List<Block> read() {
        node(root);
        flush();
        return blocks;
    }

    private void node(Node node) {
        if (node instanceof TextNode text) {
            line.append(text.getWholeText(), style);
        } else if (node instanceof Element element && !skips.test(element)) {
            depth++;
            if (depth > DEEPEST) {
                line.append(element.wholeText(), style);
            } else {
                element(element);
            }
            depth--;
        }
    }

    private void element(Element element) {
        Optional<Formula> formula = Formula.of(element);
        if (formula.isPresent()) {
            formula(formula.get());
            return;
        }
        switch (element.normalName()) {
            case "script", "style", "template", "head", "title", "svg", "canvas" -> {
            }
            case "h1", "h2", "h3", "h4", "h5", "h6" -> heading(element, element.normalName().charAt(1) - '0');
            case "pre", "listing", "xmp" -> code(element);
            case "blockquote" -> quote(element);
            case "ul", "ol", "menu", "dir" -> list(element);
            case "table" -> table(element);
            case "hr" -> rule();
            case "br" -> lineBreak();
            case "img" -> image(element);
            case "a" -> link(element);
            case "code", "kbd", "samp", "tt" -> styled(element, StyledText.CODE);
            // Sphinx writes the signatures of functions without an element of code.
            case "dt" -> block(element, StyledText.STRONG | (element.hasClass("sig-object") ? StyledText.CODE : 0));
            case "b", "strong" -> styled(element, StyledText.STRONG);
            case "i", "em", "var", "cite", "dfn" -> styled(element, StyledText.EMPHASIS);
            case "s", "del", "strike" -> styled(element, StyledText.DELETED);
            // The number of a footnote is a link, and needs no other mark.
            case "sup" -> styled(element, element.selectFirst("a[href]") == null ? StyledText.SUPERSCRIPT : 0);
            case "sub" -> styled(element, StyledText.SUBSCRIPT);
            default -> {
                if (element.isBlock()) {
                    block(element, 0);
                } else {
                    walk(element);
                }
            }
        }
    }

    private void walk(Element element) {
        for (int i = 0; i < element.childNodeSize(); i++) {
            node(element.childNode(i));
        }
    }

    /** Code has no marks within it. */
    private void styled(Element element, int mark) {
        int outer = style;
        style |= (style & StyledText.CODE) == 0 ? mark : 0;
        walk(element);
        style = outer;
    }

    private void block(Element element, int mark) {
        flush();
        styled(element, mark);
        flush();
    }

    /** Ends a paragraph; what cannot have several goes on in another line, or behind a space. */
    private void flush() {
        if (place != Place.PARAGRAPH) {
            lineBreak();
        } else if (!line.isEmpty()) {
            String written = write(line);
            line.clear();
            if (!written.isEmpty()) {
                blocks.add(new Lines(written));
            }
        }
    }

    private String write(StyledText text) {
        return InlineWriter.write(text, references.urls(), place, formulas);
    }

    /** Two breaks in a row are a paragraph's end to a reader. */
    private void lineBreak() {
        if (place == Place.HEADING) {
            line.space(style);
        } else if (place == Place.PARAGRAPH && line.endsWithBreak()) {
            flush();
        } else {
            line.lineBreak(style);
        }
    }

    private void heading(Element heading, int level) {
        if (place != Place.PARAGRAPH) {
            block(heading, 0);
            return;
        }
        flush();
        int outer = style;
        style &= ~StyledText.STRONG;
        String written = inline(heading, Place.HEADING);
        style = outer;
        if (!written.isEmpty()) {
            blocks.add(new Lines("#".repeat(level) + " " + written));
        }
    }

    /** The content of an element as one text. */
    String inline(Element element, Place where) {
        StyledText outer = line;
        Place outerPlace = place;
        line = new StyledText();
        place = where;
        walk(element);
        String written = write(line);
        line = outer;
        place = outerPlace;
        return written;
    }

    private void code(Element pre) {
        String text = CodeText.of(pre, skips);
        if (text.isBlank()) {
            flush();
        } else if (place == Place.PARAGRAPH) {
            flush();
            blocks.add(new Fence(CodeText.language(pre), text));
        } else {
            flush();
            text.lines().forEach(part -> {
                line.append(part, style | StyledText.CODE);
                lineBreak();
            });
        }
    }

    private List<Block> inside(Node node) {
        List<Block> outer = blocks;
        blocks = new ArrayList<>();
        nested++;
        if (node instanceof Element element && !skips.test(element)
                && Set.of("li", "blockquote").contains(element.normalName())) {
            walk(element);
        } else {
            node(node);
        }
        flush();
        nested--;
        List<Block> inside = blocks;
        blocks = outer;
        return inside;
    }

    private boolean flat() {
        return place != Place.PARAGRAPH || nested >= MOST_NESTED;
    }

    private void quote(Element quote) {
        if (flat()) {
            block(quote, 0);
            return;
        }
        flush();
        List<Block> inside = inside(quote);
        if (!inside.isEmpty()) {
            blocks.add(new Quote(inside));
        }
    }

    private void list(Element list) {
        if (flat()) {
            block(list, 0);
            return;
        }
        flush();
        List<List<Block>> items = new ArrayList<>();
        for (int i = 0; i < list.childNodeSize(); i++) {
            Node child = list.childNode(i);
            List<Block> inside = inside(child);
            // What is beside the items belongs to the one before.
            if (!items.isEmpty() && !inside.isEmpty() && !child.normalName().equals("li")) {
                items.getLast().addAll(inside);
            } else if (!inside.isEmpty()) {
                items.add(inside);
            }
        }
        if (!items.isEmpty()) {
            blocks.add(BlockList.of(list, items));
        }
    }

    private void table(Element table) {
        if (flat() && place != Place.PARAGRAPH || !TableText.isTable(table)) {
            block(table, 0);
            return;
        }
        flush();
        for (Element caption : table.children()) {
            if (caption.normalName().equals("caption")) {
                node(caption);
            }
        }
        String rows = TableText.of(table, skips, cell -> inline(cell, Place.CELL));
        if (!rows.isEmpty()) {
            blocks.add(new Lines(rows));
        }
    }

    /** As the first block of an item it would be one with the sign of the item. */
    private void rule() {
        flush();
        if (place == Place.PARAGRAPH && (nested == 0 || !blocks.isEmpty())) {
            blocks.add(new Lines("---"));
        }
    }

    private void image(Element image) {
        references.image(image, formulas).ifPresent(written -> line.object(written, style));
    }

    /** Code is a link only as a whole. */
    private void link(Element link) {
        int outer = style;
        if (style < StyledText.LINK && (style & StyledText.CODE) == 0) {
            style |= references.link(link) * StyledText.LINK;
        }
        walk(link);
        style = outer;
    }

    private void formula(Formula formula) {
        if (formula.display() && place == Place.PARAGRAPH) {
            flush();
            blocks.add(new Lines("$$" + formula.tex() + "$$"));
        } else {
            line.object("$" + formula.tex() + "$", style);
        }
    }
}
