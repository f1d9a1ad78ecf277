package io.trawl.analyzer.extract;

import io.trawl.api.Link;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds absolute http and https URLs in text and JSON, in one pass: up to white space, a quote, an angle bracket or a
 * backslash, without the punctuation of the sentence behind them and without a closing bracket that the URL does not
 * open.
 */
final class PlainUrls {
    private static final String SCHEME = "http";
    private static final String ENDS = "\"'<>`{}|^\\";
    private static final String PUNCTUATION = ".,;:!?*_";
    private static final int LONGEST = 8_192;

    private PlainUrls() {}

    /** The URLs in a text, each once. @param json whether the text has the escapes of JSON */
    static List<Link> in(String text, boolean json) {
        String plain = json ? text.replace("\\/", "/").replace("\\u0026", "&").replace("\\u002F", "/") : text;
        Set<String> urls = new LinkedHashSet<>();
        for (int at = plain.indexOf(SCHEME); at >= 0; at = plain.indexOf(SCHEME, at + 1)) {
            int colon = plain.startsWith("s", at + SCHEME.length()) ? at + SCHEME.length() + 1 : at + SCHEME.length();
            if (plain.startsWith("://", colon) && (at == 0 || !Character.isLetterOrDigit(plain.charAt(at - 1)))) {
                int end = end(plain, colon + 3);
                if (end > colon + 3 && end - at <= LONGEST) {
                    urls.add(plain.substring(at, end));
                }
                at = Math.max(at, end - 1);
            }
        }
        return urls.stream().map(Link::to).toList();
    }

    private static int end(String text, int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) > ' ' && !Character.isWhitespace(text.charAt(end))
                && ENDS.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        int round = balance(text, from, end, '(', ')');
        int square = balance(text, from, end, '[', ']');
        while (end > from) {
            char last = text.charAt(end - 1);
            if (last == ')' && round < 0) {
                round++;
            } else if (last == ']' && square < 0) {
                square++;
            } else if (PUNCTUATION.indexOf(last) < 0) {
                break;
            }
            end--;
        }
        return end;
    }

    private static int balance(String text, int from, int end, char open, char close) {
        int balance = 0;
        for (int i = from; i < end; i++) {
            balance += text.charAt(i) == open ? 1 : text.charAt(i) == close ? -1 : 0;
        }
        return balance;
    }
}
