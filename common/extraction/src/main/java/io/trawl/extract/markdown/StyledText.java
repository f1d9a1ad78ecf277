package io.trawl.extract.markdown;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text in which each character has a style: bits of emphasis and code, and the number of its link. White space is
 * collapsed as a browser does, and a line feed is a line break. An object, such as an image, is one character.
 */
final class StyledText {
    static final int STRONG = 1;
    static final int EMPHASIS = 2;
    static final int DELETED = 4;
    static final int SUPERSCRIPT = 8;
    static final int SUBSCRIPT = 16;
    static final int CODE = 32;
    static final int OBJECT = 64;
    /** The bits from here on are the number of a link. */
    static final int LINK = 256;
    private static final char SOFT_HYPHEN = '\u00AD';
    private static final char OBJECT_SIGN = '\uFFFC';
    private final StringBuilder text = new StringBuilder();
    private int[] styles = new int[64];
    private final List<String> objects = new ArrayList<>(0);
    private boolean styled;

    /** Whether a browser shows the character as a space. */
    static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\u00A0';
    }

    void append(String part, int style) {
        int length = part.length();
        for (int i = 0; i < length;) {
            char c = part.charAt(i);
            if (isSpace(c)) {
                space(style);
                i++;
            } else if (c == SOFT_HYPHEN) {
                i++;
            } else {
                int from = i;
                while (i < length && isShown(part.charAt(i))) {
                    i++;
                }
                add(part, from, i, style);
            }
        }
    }

    private static boolean isShown(char c) {
        return c > ' ' && c < SOFT_HYPHEN && c != '\u00A0' || c != SOFT_HYPHEN && !isSpace(c);
    }

    private void add(String part, int from, int to, int style) {
        int at = text.length();
        text.append(part, from, to);
        if (text.length() > styles.length) {
            styles = Arrays.copyOf(styles, Math.max(text.length(), styles.length * 2));
        }
        if (style != 0) {
            Arrays.fill(styles, at, text.length(), style);
            styled = true;
        }
    }

    /** Adds what is no text. @param markdown how it is written */
    void object(String markdown, int style) {
        objects.add(markdown);
        add(OBJECT_SIGN, style & ~CODE | OBJECT);
    }

    /** Adds a space, unless there is one or the line begins here. */
    void space(int style) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) != ' ' && !endsWithBreak()) {
            add(' ', style);
        }
    }

    /** Adds a line break, unless there is one or the text begins here. */
    void lineBreak(int style) {
        strip(' ');
        if (!text.isEmpty() && !endsWithBreak()) {
            add('\n', style & ~CODE);
        }
    }

    boolean endsWithBreak() {
        return !text.isEmpty() && text.charAt(text.length() - 1) == '\n';
    }

    /** Without white space at its end. */
    StyledText stripped() {
        strip(' ');
        strip('\n');
        strip(' ');
        return this;
    }

    private void strip(char c) {
        if (!text.isEmpty() && text.charAt(text.length() - 1) == c) {
            text.setLength(text.length() - 1);
            styles[text.length()] = 0;
        }
    }

    private void add(char c, int style) {
        if (text.length() == styles.length) {
            styles = Arrays.copyOf(styles, styles.length * 2);
        }
        styles[text.length()] = style;
        styled |= style != 0;
        text.append(c);
    }

    /** Makes it empty. */
    void clear() {
        if (styled) {
            Arrays.fill(styles, 0);
            objects.clear();
        }
        text.setLength(0);
        styled = false;
    }

    /** Whether a character may have a style. */
    boolean isStyled() { return styled; }

    boolean isEmpty() { return text.isEmpty(); }

    String text() {
        return text.toString();
    }

    /** The style of each character. */
    int[] styles() {
        return Arrays.copyOf(styles, text.length());
    }

    /** The Markdown of the objects, in their order. */
    List<String> objects() {
        return objects;
    }
}
