package io.trawl.extract.markdown;

/** The target of a link or an image. */
final class LinkDestination {
    private LinkDestination() {}

    /** @param url absolute, without white space */
    static String of(String url) {
        boolean balanced = balanced(url);
        StringBuilder out = new StringBuilder(url.length());
        for (int i = 0; i < url.length(); i++) {
            char c = url.charAt(i);
            switch (c) {
                // What is code, a tag or an autolink ends before a link does.
                case '`' -> out.append("%60");
                case '<' -> out.append("%3C");
                case '>' -> out.append("%3E");
                case '\\' -> out.append("\\\\");
                case '(', ')' -> out.append(balanced ? "" : "\\").append(c);
                case '&' -> out.append(Escapes.entity(url, i) ? "\\&" : "&");
                default -> out.append(c <= ' ' ? "%20" : String.valueOf(c));
            }
        }
        return out.toString();
    }

    private static boolean balanced(String url) {
        int depth = 0;
        for (int i = 0; i < url.length() && depth >= 0; i++) {
            depth += url.charAt(i) == '(' ? 1 : url.charAt(i) == ')' ? -1 : 0;
        }
        return depth == 0;
    }
}
