package io.trawl.analyzer.extract;

/** White space as HTML shows it. */
final class Spaces {
    private Spaces() {}

    /** Whether a character is shown as a space: the white space of HTML, and the no-break space. */
    static boolean isSpace(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\u00A0';
    }

    /** The text with each run of white space as one space, and none at its ends. */
    static String collapse(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isSpace(c)) {
                if (!out.isEmpty() && isSpace(text.charAt(i - 1))) {
                    out.append(' ');
                }
                out.append(c);
            }
        }
        return out.toString();
    }

    /** The number of characters that are no white space. */
    static int visible(String text) {
        int n = 0;
        for (int i = 0; i < text.length(); i++) {
            if (!isSpace(text.charAt(i))) {
                n++;
            }
        }
        return n;
    }
}
