package io.trawl.extract.markdown;

import static io.trawl.extract.markdown.StyledText.CODE;
import static io.trawl.extract.markdown.StyledText.DELETED;
import static io.trawl.extract.markdown.StyledText.EMPHASIS;
import static io.trawl.extract.markdown.StyledText.LINK;
import static io.trawl.extract.markdown.StyledText.OBJECT;
import static io.trawl.extract.markdown.StyledText.STRONG;
import static io.trawl.extract.markdown.StyledText.SUBSCRIPT;
import static io.trawl.extract.markdown.StyledText.SUPERSCRIPT;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/**
 * Writes styled text as inlines of CommonMark. A mark is a style that has signs: a bit, or the number of a link. Marks
 * that go on for longer are outside of others.
 */
final class InlineWriter {
    private static final int[] MARKS = {STRONG, EMPHASIS, DELETED, SUPERSCRIPT, SUBSCRIPT};
    private static final Pattern DEFINITION = Pattern.compile("\\[(?:[^\\[\\]\\\\]|\\\\.)*+\\]:", Pattern.DOTALL);

    /** Where the text stands. */
    enum Place {
        PARAGRAPH, HEADING, CELL
    }

    /** A mark that is open. @param open its first piece; empty: its signs stand at any place */
    private record Open(int mark, Optional<InlinePieces.Sign> open) {}

    private final String text;
    private final int[] styles;
    private final List<String> all;
    private final Iterator<String> objects;
    private final List<String> links;
    private final Place place;
    private final BooleanSupplier formulas;
    private final Escapes escapes;
    private final InlinePieces pieces = new InlinePieces();
    private final List<Open> open = new ArrayList<>();

    private InlineWriter(String text, int[] styles, List<String> objects, List<String> links, Place place,
            BooleanSupplier formulas) {
        this.text = text;
        this.styles = styles;
        this.all = objects;
        this.objects = objects.iterator();
        this.links = links;
        this.place = place;
        this.formulas = formulas;
        this.escapes = new Escapes(text, styles, place, formulas);
    }

    /**
     * The Markdown of a text.
     *
     * @param links URLs; that of the link with the number 1 is the first
     * @param formulas whether there are formulas, so that a dollar sign has a meaning
     */
    static String write(StyledText styled, List<String> links, Place place, BooleanSupplier formulas) {
        styled.stripped();
        int[] styles = styled.styles();
        if (styled.isStyled()) {
            MarkEnds.trim(styled.text(), styles);
        }
        return new InlineWriter(styled.text(), styles, styled.objects(), links, place, formulas).write();
    }

    /** The Markdown of an alternative text, which is read as a text within a link is. */
    static String alternative(String text, BooleanSupplier formulas) {
        StyledText styled = new StyledText();
        styled.append(text, LINK);
        String shown = styled.stripped().text();
        StringBuilder out = new StringBuilder(shown.length());
        new Escapes(shown, styled.styles(), Place.CELL, formulas).write(out, 0, shown.length());
        return out.toString();
    }

    private String write() {
        for (int from = 0; from < text.length();) {
            int to = end(from);
            mark(from, styles[from]);
            content(from, to);
            from = to;
        }
        closeAll(0);
        String written = defined(pieces.write());
        // A table is split at every sign that has no backslash before it, also within code.
        return place == Place.CELL ? written.replace("|", "\\|") : written;
    }

    /**
     * A paragraph that begins like the definition of a link, which is no text: a bracket, and the end of one with a
     * colon, in code, where nothing can be escaped. Without its links its first bracket can.
     */
    private String defined(String written) {
        if (place != Place.PARAGRAPH || !DEFINITION.matcher(written).lookingAt()) {
            return written;
        }
        return Arrays.stream(styles).noneMatch(style -> style >= LINK)
                ? "\\" + written
                : new InlineWriter(text, Arrays.stream(styles).map(style -> style % LINK).toArray(), all, links, place,
                        formulas).write();
    }

    /** The end of the characters with one style; an object is alone. */
    private int end(int from) {
        int to = from + 1;
        while (to < text.length() && styles[to] == styles[from] && (styles[from] & OBJECT) == 0) {
            to++;
        }
        return to;
    }

    private void content(int from, int to) {
        if ((styles[from] & OBJECT) != 0) {
            pieces.text(objects.next());
        } else if ((styles[from] & CODE) != 0) {
            pieces.code(text.substring(from, to));
        } else {
            StringBuilder escaped = new StringBuilder(to - from + 8);
            escapes.write(escaped, from, to);
            pieces.text(escaped.toString());
        }
    }

    private static int link(int style) {
        return style / LINK;
    }

    /** Closes the marks that end before a character, and opens those that begin with it. */
    private void mark(int at, int style) {
        int kept = 0;
        while (kept < open.size() && has(style, open.get(kept).mark)) {
            kept++;
        }
        closeAll(kept);
        int opened = open.stream().mapToInt(Open::mark).sum();
        List<Integer> marks = new ArrayList<>();
        for (int mark : MARKS) {
            if (has(style, mark) && !has(opened, mark)) {
                marks.add(mark);
            }
        }
        if (link(style) != 0 && link(opened) == 0) {
            marks.add(wordBesideLink(at) ? 0 : Math.min(marks.size(), 3), link(style) * LINK);
        }
        if (marks.size() > 1) {
            marks.sort(Comparator.comparingInt(mark -> -end(at, mark)));
        }
        marks.forEach(this::open);
    }

    private static boolean has(int style, int mark) {
        return mark < LINK ? (style & mark) != 0 : link(style) == link(mark);
    }

    private int end(int from, int mark) {
        int to = from;
        while (to < text.length() && has(styles[to], mark)) {
            to++;
        }
        return to;
    }

    /** Whether emphasis around the link that begins here would have a letter beside its signs. */
    private boolean wordBesideLink(int at) {
        int to = end(at, link(styles[at]) * LINK);
        return at > 0 && InlinePieces.isWord(text.charAt(at - 1))
                || to < text.length() && InlinePieces.isWord(text.charAt(to));
    }

    private void open(int mark) {
        open.add(new Open(mark, switch (mark) {
            case STRONG -> Optional.of(pieces.open("**"));
            case EMPHASIS -> Optional.of(pieces.open("*"));
            case DELETED -> Optional.of(pieces.open("~~"));
            case SUPERSCRIPT -> tag("<sup>");
            case SUBSCRIPT -> tag("<sub>");
            default -> tag("[");
        }));
    }

    private Optional<InlinePieces.Sign> tag(String sign) {
        pieces.text(sign);
        return Optional.empty();
    }

    private void closeAll(int kept) {
        while (open.size() > kept) {
            Open last = open.removeLast();
            last.open.ifPresent(pieces::close);
            switch (last.mark) {
                case STRONG, EMPHASIS, DELETED -> {
                }
                case SUPERSCRIPT -> pieces.text("</sup>");
                case SUBSCRIPT -> pieces.text("</sub>");
                default -> pieces.text("](" + LinkDestination.of(links.get(link(last.mark) - 1)) + ")");
            }
        }
    }
}
