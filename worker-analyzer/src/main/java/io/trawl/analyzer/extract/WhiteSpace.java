package io.trawl.analyzer.extract;

/** White space as HTML defines it. */
final class WhiteSpace {
    private WhiteSpace() {}

    /** Whether a browser displays the character as a space: the white space of HTML, and the no-break space. */
    static boolean isSpace(char c) {
        // Most characters are none, and this runs for each of a page: two comparisons decide for them.
        return c <= ' '
                ? c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'
                : c == '\u00A0';
    }

    /** Replaces each run of white space by one space, and strips the ends. */
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

    /** The number of characters that are not white space. */
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
