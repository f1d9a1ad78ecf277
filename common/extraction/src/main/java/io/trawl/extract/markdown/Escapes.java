package io.trawl.extract.markdown;

import io.trawl.extract.markdown.InlineWriter.Place;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Puts a backslash before characters of a text that would have a meaning in Markdown where they stand, and before no
 * others: {@code snake_case} and {@code a[0]} stay as they are.
 */
final class Escapes {
    private static final boolean[] SPECIAL = new boolean[128];
    private static final int LONGEST_ENTITY = 32;
    private static final int DEEPEST_HEADING = 6;
    private static final int LONGEST_NUMBER = 9;
    private static final char NONE = ' ';

    static {
        "\n\\`*_~[]<&#>-+=|:.)!$".chars().forEach(c -> SPECIAL[c] = true);
    }

    private final String text;
    private final int[] styles;
    private final Place place;
    private final BooleanSupplier formulas;
    private final boolean deleted;

    Escapes(String text, int[] styles, Place place, BooleanSupplier formulas) {
        this.text = text;
        this.styles = styles;
        this.place = place;
        this.formulas = formulas;
        this.deleted = IntStream.of(styles).anyMatch(style -> (style & StyledText.DELETED) != 0);
    }

    /** Writes a part of the text, which has one style. */
    void write(StringBuilder out, int from, int to) {
        int plain = from;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < SPECIAL.length && SPECIAL[c]) {
                out.append(text, plain, i);
                plain = i;
                if (c == '\n') {
                    out.append(lineBreak());
                    plain++;
                } else if (means(c, i)) {
                    out.append('\\');
                }
            }
        }
        out.append(text, plain, to);
    }

    private String lineBreak() {
        return switch (place) {
            case PARAGRAPH -> "\\\n";
            case HEADING -> " ";
            case CELL -> "<br>";
        };
    }

    private boolean means(char c, int i) {
        char next = at(i + 1);
        return switch (c) {
            case '`' -> true;
            case '\\' -> next <= ' ' || next < 128 && !Character.isLetterOrDigit(next) || border(i + 1);
            case '*' -> lineStart(i) || touched(i, i + 1);
            case '_' -> underscore(i);
            case '~' -> deleted || !blank(i - 1) || border(i) || lineStart(i);
            case '[' -> linked(i) || next == '^' || lineStart(i) && " xX".indexOf(next) >= 0 && at(i + 2) == ']';
            case ']' -> linked(i) || next == '(' || next == '[' || next == ':' && at(0) == '[' || linkBegins(i + 1);
            case '!' -> next == '[' || linkBegins(i + 1);
            case '<' -> Character.isLetter(next) || next == '/' || next == '!' || next == '?';
            case '&' -> entity(text, i);
            case '$' -> formulas.getAsBoolean();
            default -> lineStart(i) ? begins(c, i) : ends(c, i);
        };
    }

    /** What means something at the start of a line only. */
    private boolean begins(char c, int i) {
        return switch (c) {
            case '>' -> true;
            case '#' -> run(i) <= DEEPEST_HEADING && StyledText.isSpace(at(i + run(i)));
            case '+' -> StyledText.isSpace(at(i + 1));
            case '-' -> StyledText.isSpace(at(i + 1)) || only("-|: ", i);
            case '=' -> only("= ", i);
            case '|', ':' -> only("-|: ", i);
            default -> false;
        };
    }

    /** What means something behind other characters. */
    private boolean ends(char c, int i) {
        return switch (c) {
            case '#' -> place == Place.HEADING && i == text.length() - 1;
            case '.', ')' -> StyledText.isSpace(at(i + 1)) && number(i);
            default -> false;
        };
    }

    /** The character, and white space beyond the ends. */
    private char at(int i) {
        return i < 0 || i >= text.length() ? NONE : text.charAt(i);
    }

    private boolean lineStart(int i) {
        return place == Place.PARAGRAPH && (i == 0 || text.charAt(i - 1) == '\n');
    }

    /** Whether another style begins with this character, so that there may be signs before it. */
    private boolean border(int i) {
        return (i == 0 ? 0 : styles[i - 1]) != (i >= text.length() ? 0 : styles[i]);
    }

    /** Whether something other than white space is beside the characters from an index to another. */
    private boolean touched(int from, int to) {
        return !blank(from - 1) || !blank(to) || border(from) || border(to);
    }

    /** A line break is written with a backslash or with a tag. */
    private boolean blank(int i) {
        return at(i) != '\n' && StyledText.isSpace(at(i));
    }

    /** Underscores within a word are no signs. */
    private boolean underscore(int i) {
        int from = i;
        int to = i + 1;
        while (at(from - 1) == '_' && !border(from)) {
            from--;
        }
        while (at(to) == '_' && !border(to)) {
            to++;
        }
        boolean within = InlinePieces.isWord(at(from - 1)) && InlinePieces.isWord(at(to)) && !border(from)
                && !border(to);
        return !within && (lineStart(from) || touched(from, to));
    }

    private boolean linked(int i) {
        return styles[i] >= StyledText.LINK;
    }

    /** Whether a bracket of a link or of an image may stand before this character. */
    private boolean linkBegins(int i) {
        return i < text.length() && border(i)
                && (styles[i] >= StyledText.LINK && styles[i] / StyledText.LINK != styles[i - 1] / StyledText.LINK
                        || (styles[i] & StyledText.OBJECT) != 0);
    }

    private int run(int i) {
        int to = i;
        while (at(to) == text.charAt(i)) {
            to++;
        }
        return to - i;
    }

    /** Whether a line has only such characters. */
    private boolean only(String characters, int i) {
        int to = i;
        while (to < text.length() && text.charAt(to) != '\n') {
            if (characters.indexOf(text.charAt(to++)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether only the digits of a number stand before a character in its line. */
    private boolean number(int i) {
        int from = i;
        while (i - from <= LONGEST_NUMBER && at(from - 1) >= '0' && at(from - 1) <= '9') {
            from--;
        }
        return from < i && i - from <= LONGEST_NUMBER && lineStart(from);
    }

    /** Whether an ampersand begins a character reference. */
    static boolean entity(String text, int i) {
        int to = i + 1;
        to += to < text.length() && text.charAt(to) == '#' ? 1 : 0;
        int from = to;
        while (to < text.length() && to - from <= LONGEST_ENTITY && Character.isLetterOrDigit(text.charAt(to))) {
            to++;
        }
        return to > from && to < text.length() && text.charAt(to) == ';';
    }
}
