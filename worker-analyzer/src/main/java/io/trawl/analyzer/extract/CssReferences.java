package io.trawl.analyzer.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The references of a style sheet to other files: {@code @import}, {@code url()} and the strings of
 * {@code image-set()}, by the tokens of CSS Syntax Module Level 3, section 4. Only tokens are read, so a rule that is
 * unknown or broken hides no reference of another; what a browser would not load for it is in the list, too. One pass,
 * in time linear in the length.
 */
final class CssReferences {
    private static final String IMAGE = "image";
    private static final int REPLACEMENT = 0xFFFD;
    private static final int LONGEST_ESCAPE = 6;
    private final String css;
    private final List<CssReference> found = new ArrayList<>();
    /** For each open bracket, whether it is that of {@code image-set()}, a block of {@code @font-face}, or neither. */
    private final List<Within> open = new ArrayList<>();
    /** How many of them are blocks of {@code @font-face}. */
    private int fonts;
    /** The at-rule whose block or end has not come yet. */
    private String rule = "";
    private int at;

    private enum Within {
        FONT, IMAGES, OTHER
    }

    /**
     * One reference.
     *
     * @param kind of the file: {@code style}, {@code image} or {@code font}
     * @param url as it is meant, without escapes
     */
    record CssReference(String kind, String url) {}

    private CssReferences(String css) {
        this.css = css;
    }

    /** The references of a style sheet, or of an attribute {@code style}, in order. */
    static List<CssReference> of(String css) {
        if (css.indexOf('(') < 0 && css.indexOf('@') < 0) {
            return List.of();
        }
        CssReferences references = new CssReferences(css);
        references.read();
        return references.found;
    }

    private void read() {
        while (at < css.length()) {
            char c = css.charAt(at);
            if (css.startsWith("/*", at)) {
                int end = css.indexOf("*/", at + 2);
                at = end < 0 ? css.length() : end + 2;
            } else if (c == '"' || c == '\'') {
                string(text(c));
            } else if (c == '@') {
                at++;
                rule = name().toLowerCase(Locale.ROOT);
            } else if (name(c)) {
                word();
            } else {
                at++;
                structure(c);
            }
        }
    }

    private void structure(char c) {
        switch (c) {
            case '{' -> {
                boolean font = rule.equals("font-face");
                fonts += font ? 1 : 0;
                open.add(font ? Within.FONT : Within.OTHER);
                rule = "";
            }
            case '(', '[' -> open.add(Within.OTHER);
            case '}', ')', ']' -> {
                if (!open.isEmpty()) {
                    fonts -= open.removeLast() == Within.FONT ? 1 : 0;
                }
                rule = c == '}' ? "" : rule;
            }
            case ';' -> rule = "";
            default -> {
                // Only brackets and ends matter.
            }
        }
    }

    private void word() {
        String name = name().toLowerCase(Locale.ROOT);
        if (at >= css.length() || css.charAt(at) != '(') {
            return;
        }
        at++;
        if (name.equals("url") || name.equals("src")) {
            url();
        } else {
            open.add(name.endsWith("image-set") ? Within.IMAGES : Within.OTHER);
        }
    }

    /** Behind the bracket: a string, or the URL itself. */
    private void url() {
        blanks();
        if (at < css.length() && (css.charAt(at) == '"' || css.charAt(at) == '\'')) {
            add(text(css.charAt(at)));
            open.add(Within.OTHER);
            return;
        }
        StringBuilder url = new StringBuilder();
        boolean good = true;
        while (at < css.length() && css.charAt(at) != ')') {
            char c = css.charAt(at);
            if (c == '\\') {
                escape(url);
            } else if (Character.isWhitespace(c)) {
                blanks();
                good &= at >= css.length() || css.charAt(at) == ')';
            } else {
                good &= c != '"' && c != '\'' && c != '(';
                url.append(c);
                at++;
            }
        }
        at++;
        if (good) {
            add(url.toString());
        }
    }

    /** A string is a reference behind {@code @import}, and in {@code image-set()}. */
    private void string(String text) {
        if (rule.equals("import") || !open.isEmpty() && open.getLast() == Within.IMAGES) {
            add(text);
        }
    }

    private void add(String url) {
        if (rule.equals("import")) {
            rule = "";
            found.add(new CssReference("style", url));
        } else if (!rule.equals("namespace") && !url.isEmpty()) {
            found.add(new CssReference(fonts > 0 ? "font" : IMAGE, url));
        }
    }

    /** The string that begins here, without quotes; one that a line ends is broken, and no reference. */
    private String text(char quote) {
        StringBuilder text = new StringBuilder();
        at++;
        while (at < css.length()) {
            char c = css.charAt(at);
            if (c == '\\') {
                escape(text);
            } else if (c == quote) {
                at++;
                return text.toString();
            } else if (c == '\n') {
                return "";
            } else {
                text.append(c);
                at++;
            }
        }
        return text.toString();
    }

    private String name() {
        StringBuilder name = new StringBuilder();
        while (at < css.length() && name(css.charAt(at))) {
            if (css.charAt(at) == '\\') {
                escape(name);
            } else {
                name.append(css.charAt(at++));
            }
        }
        return name.toString();
    }

    private static boolean name(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
                || c == '\\';
    }

    /** A backslash: a line that goes on, the number of a character, or the character itself. */
    private void escape(StringBuilder into) {
        at++;
        int begin = at;
        while (at < css.length() && at - begin < LONGEST_ESCAPE && Character.digit(css.charAt(at), 16) >= 0) {
            at++;
        }
        if (at > begin) {
            int point = Integer.parseInt(css.substring(begin, at), 16);
            boolean valid = point > 0 && Character.isValidCodePoint(point)
                    && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
            into.appendCodePoint(valid ? point : REPLACEMENT);
            at += at < css.length() && Character.isWhitespace(css.charAt(at)) ? 1 : 0;
        } else if (at < css.length()) {
            if (css.charAt(at) != '\n') {
                into.append(css.charAt(at));
            }
            at++;
        }
    }

    private void blanks() {
        while (at < css.length() && Character.isWhitespace(css.charAt(at))) {
            at++;
        }
    }
}
