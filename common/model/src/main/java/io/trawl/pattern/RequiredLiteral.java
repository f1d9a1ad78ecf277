package io.trawl.pattern;

/** Finds a text that every match of a regular expression contains. Pure. */
final class RequiredLiteral {
    private static final String PLAIN = "/=&%-_~:;,@!#'<> \"";
    private static final String CLASSES = "dDwWsSbB";

    private RequiredLiteral() {}

    /**
     * The longest run of characters that stand for themselves outside groups and classes; empty if there is none, or
     * none is certain.
     */
    static String of(String regex) {
        if (regex.contains("|") || regex.contains("(?") || regex.contains("[:") || regex.contains("\\Q")) {
            return "";
        }
        String best = "";
        StringBuilder run = new StringBuilder();
        int groups = 0;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (groups == 0 && plain(c)) {
                run.append(c);
                continue;
            }
            if (c == '*' || c == '?' || c == '{') {
                // The character before may be absent.
                run.setLength(Math.max(0, run.length() - 1));
            }
            best = run.length() > best.length() ? run.toString() : best;
            run.setLength(0);
            groups += c == '(' ? 1 : c == ')' ? -1 : 0;
            i = end(regex, i);
            if (i < 0) {
                return "";
            }
        }
        return run.length() > best.length() ? run.toString() : best;
    }

    private static boolean plain(char c) {
        return c < 128 && Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
    }

    /**
     * The last index of what begins at {@code i}: an escape, a class, a repetition or one character; -1 if that is not
     * certain.
     */
    private static int end(String regex, int i) {
        return switch (regex.charAt(i)) {
            case '\\' -> {
                char next = i + 1 < regex.length() ? regex.charAt(i + 1) : 'z';
                yield Character.isLetterOrDigit(next) && CLASSES.indexOf(next) < 0 ? -1 : i + 1;
            }
            case '[' -> classEnd(regex, i + 1);
            case '{' -> regex.indexOf('}', i);
            default -> i;
        };
    }

    private static int classEnd(String regex, int start) {
        int i = regex.startsWith("^", start) ? start + 1 : start;
        for (i = regex.startsWith("]", i) ? i + 1 : i; i < regex.length(); i++) {
            if (regex.charAt(i) == ']') {
                return i;
            }
            i += regex.charAt(i) == '\\' ? 1 : 0;
        }
        return -1;
    }
}
