package io.trawl.standalone.print;

import org.jline.utils.WCWidth;

/** Texts as a terminal shows them. Pure. */
public final class Words {
    private static final int REPLACEMENT = 0xFFFD;
    private static final String CUT = "…";

    private Words() {}

    /**
     * The text on one line, without what a terminal or a reader could take for something else: control characters, escape sequences, line separators and
     * marks that turn the direction of writing. Each is shown as one replacement character.
     */
    public static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().map(c -> harmless(c) ? c : c == '\t' || c == '\n' ? ' ' : REPLACEMENT).forEach(safe::appendCodePoint);
        return safe.toString();
    }

    private static boolean harmless(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                false;
            default -> true;
        };
    }

    /** How many columns a safe text takes: two for a wide character, none for one that combines with the one before. */
    static int width(String text) {
        return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
    }

    /** The text if it fits, else its beginning and an ellipsis. */
    public static String fitted(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        StringBuilder start = new StringBuilder();
        int room = columns - width(CUT);
        for (int i = 0; i < text.length();) {
            int c = text.codePointAt(i);
            room -= Math.max(0, WCWidth.wcwidth(c));
            if (room < 0) {
                break;
            }
            start.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return start + CUT;
    }
}
