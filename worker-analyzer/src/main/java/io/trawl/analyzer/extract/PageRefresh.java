package io.trawl.analyzer.extract;

import java.util.Optional;

/**
 * Where a page leads by itself, as {@code <meta http-equiv=refresh>} or the header {@code Refresh} says.
 *
 * @param seconds after which it does, without the fraction
 * @param url as written, relative or absolute
 */
public record PageRefresh(int seconds, String url) {
    private static final int DIGITS = 9;

    /**
     * Reads a value by the shared declarative refresh steps of the HTML Standard; empty if it is invalid or names no
     * URL.
     */
    public static Optional<PageRefresh> of(String value) {
        int begin = skip(value, 0, PageRefresh::isSpace);
        int digits = skip(value, begin, PageRefresh::isDigit);
        int at = skip(value, digits, c -> isDigit(c) || c == '.');
        if (at == begin || at < value.length() && !isSpace(value.charAt(at)) && !isSeparator(value.charAt(at))) {
            return Optional.empty();
        }
        at = skip(value, at, PageRefresh::isSpace);
        if (at < value.length() && isSeparator(value.charAt(at))) {
            at = skip(value, at + 1, PageRefresh::isSpace);
        }
        String url = unquoted(value.substring(named(value, at))).strip();
        String seconds = value.substring(begin, digits);
        return url.isEmpty() ? Optional.empty() : Optional.of(new PageRefresh(number(seconds), url));
    }

    /** Behind {@code url=}, if that is there. */
    private static int named(String value, int from) {
        if (!value.regionMatches(true, from, "url", 0, 3)) {
            return from;
        }
        int equals = skip(value, from + 3, PageRefresh::isSpace);
        return equals < value.length() && value.charAt(equals) == '='
                ? skip(value, equals + 1, PageRefresh::isSpace)
                : from;
    }

    private static String unquoted(String url) {
        if (url.isEmpty() || url.charAt(0) != '"' && url.charAt(0) != '\'') {
            return url;
        }
        int end = url.indexOf(url.charAt(0), 1);
        return url.substring(1, end < 0 ? url.length() : end);
    }

    private static int number(String digits) {
        return digits.isEmpty() ? 0 : digits.length() > DIGITS ? Integer.MAX_VALUE : Integer.parseInt(digits);
    }

    private interface Kind {
        boolean has(char c);
    }

    private static int skip(String value, int from, Kind kind) {
        int at = from;
        while (at < value.length() && kind.has(value.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isSeparator(char c) {
        return c == ';' || c == ',';
    }
}
