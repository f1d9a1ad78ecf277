package io.trawl.coordinator.text;

import org.jline.utils.WCWidth;

/** Text that is safe to print on a terminal, and its width there. Pure functions. */
public final class TerminalText {
    private static final int REPLACEMENT = 0xFFFD;
    private static final String CUT = "…";

    private TerminalText() {}

    /**
     * The text on one line. Control characters, line separators and marks that change the direction of writing are
     * replaced, so that text from the web cannot send commands to the terminal or deceive the reader.
     */
    public static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().map(c -> harmless(c) ? c : c == '\t' || c == '\n' ? ' ' : REPLACEMENT)
                .forEach(safe::appendCodePoint);
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

    /** The width of a safe text in columns: two for a wide character, none for a combining one. */
    public static int width(String text) {
        return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
    }

    /** The text if it fits, else truncated with an ellipsis. */
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
