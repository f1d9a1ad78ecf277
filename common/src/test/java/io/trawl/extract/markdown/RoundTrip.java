package io.trawl.extract.markdown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;
import org.jsoup.nodes.Element;

/** Reads Markdown with a parser of CommonMark and of the extensions of GitHub, and compares it with its element. */
public final class RoundTrip {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create(),
            StrikethroughExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS)
            .includeSourceSpans(IncludeSourceSpans.NONE).build();
    private final StringBuilder words = new StringBuilder();
    private final List<String> code = new ArrayList<>();
    private final List<String> spans = new ArrayList<>();

    private RoundTrip(String markdown) {
        Node document = PARSER.parse(markdown);
        document.accept(new Reader());
    }

    /** What a parser reads. */
    public static RoundTrip of(String markdown) {
        return new RoundTrip(markdown);
    }

    /** The words, of code, too. */
    public List<String> words() {
        return words(words.toString());
    }

    /** The text of each code block. */
    public List<String> code() {
        return code;
    }

    /** The text of each code span. */
    public List<String> spans() {
        return spans;
    }

    /** The text of an element as a browser shows it, in which words of different blocks are apart. */
    public static String shown(Element element) {
        Element shown = element.clone();
        shown.select("script, style, template, head, title, svg, canvas").remove();
        return shown.text();
    }

    /**
     * What differs, by kind, with the first place; empty if nothing does.
     *
     * @param text what is shown of the element
     */
    public static Map<String, String> differences(String text, Element element) {
        Map<String, String> found = new LinkedHashMap<>();
        RoundTrip read = of(Markdown.of(element, Optional::of, _ -> false));
        difference(words(text), read.words()).ifPresent(at -> found
                .put(String.join("", words(text)).equals(String.join("", read.words())) ? "white space" : "words", at));
        List<Element> pres = element.select("pre");
        List<String> blocks = pres.stream().map(Element::wholeText).filter(code -> !code.isBlank())
                .map(RoundTrip::ended).toList();
        if (pres.stream().allMatch(RoundTrip::isPlain)) {
            boolean inList = element.selectFirst("ul pre, ol pre") != null;
            difference(inList ? withoutBlanks(blocks) : blocks, inList ? withoutBlanks(read.code()) : read.code())
                    .ifPresent(at -> found.put("code", at));
        }
        return found;
    }

    /**
     * Whether an element is a code block of its own: it is not in another or in a heading, and not one line in a cell,
     * and has no blocks, whose ends are line breaks to a browser.
     */
    private static boolean isPlain(Element pre) {
        return pre.parents().stream().map(Element::normalName)
                .noneMatch(outer -> outer.equals("pre") || outer.matches("h[1-6]")
                        || outer.matches("t[dh]") && pre.wholeText().strip().indexOf('\n') < 0)
                && pre.getAllElements().stream().skip(1).noneMatch(Element::isBlock);
    }

    private static Optional<String> difference(List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            if (i >= expected.size() || i >= actual.size() || !expected.get(i).equals(actual.get(i))) {
                return Optional.of(around(expected, i) + " -> " + around(actual, i));
            }
        }
        return Optional.empty();
    }

    /** In a list, CommonMark has no line of white space only. */
    private static List<String> withoutBlanks(List<String> blocks) {
        return blocks.stream().map(code -> code.replaceAll("(?m)^[ \\t]+$", "")).toList();
    }

    private static List<String> around(List<String> all, int at) {
        return all.subList(Math.min(Math.max(0, at - 3), all.size()), Math.min(at + 4, all.size()));
    }

    private static String ended(String text) {
        String lines = text.replace("\r\n", "\n").replace('\r', '\n');
        return lines.endsWith("\n") ? lines : lines + "\n";
    }

    /** The words of a text; a soft hyphen is none of their characters. */
    public static List<String> words(String text) {
        return Arrays.stream(text.replaceAll("[\u00AD\u200B]", "").split("[\\s\u00A0]+"))
                .filter(word -> !word.isEmpty()).toList();
    }

    private final class Reader extends AbstractVisitor {
        @Override
        protected void visitChildren(Node parent) {
            super.visitChildren(parent);
            if (parent instanceof Block || parent instanceof TableCell) {
                words.append(' ');
            }
        }

        @Override
        public void visit(Text text) {
            words.append(text.getLiteral());
        }

        @Override
        public void visit(Code span) {
            words.append(span.getLiteral());
            spans.add(span.getLiteral());
        }

        @Override
        public void visit(FencedCodeBlock block) {
            code.add(block.getLiteral());
            words.append(block.getLiteral()).append(' ');
        }

        @Override
        public void visit(IndentedCodeBlock block) {
            code.add("indented: " + block.getLiteral());
        }

        @Override
        public void visit(HtmlInline html) {
            words.append(html.getLiteral().equals("<br>")
                    ? " "
                    : html.getLiteral().matches("</?su[bp]>") ? "" : html.getLiteral());
        }

        @Override
        public void visit(SoftLineBreak end) {
            words.append(' ');
        }

        @Override
        public void visit(HardLineBreak end) {
            words.append(' ');
        }

        @Override
        public void visit(Image image) {
            // The element's text has no alternative texts.
        }

        @Override
        public void visit(org.commonmark.node.HtmlBlock block) {
            words.append(" html: ").append(block.getLiteral());
        }

        @Override
        public void visit(CustomNode node) {
            visitChildren(node);
        }
    }
}
