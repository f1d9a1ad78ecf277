package io.trawl.model;

import java.util.Locale;

/**
 * The name of a crawler in robots.txt, {@code X-Robots-Tag} and robots meta elements (RFC 9309 section 2.2.1). Pure
 * functions.
 */
public final class ProductToken {
    /** The token for a {@code User-Agent} without one of its own. */
    public static final String OWN = "trawl";
    /** The first word of every browser's {@code User-Agent}: not a crawler's name. */
    private static final String BROWSER = "mozilla";

    private ProductToken() {}

    /**
     * The first word of a {@code User-Agent}, before a slash, a blank or a bracket, in lower case; {@value #OWN} for
     * one that begins like a browser's.
     */
    public static String of(String userAgent) {
        String text = userAgent.strip();
        int end = 0;
        while (end < text.length() && "/(".indexOf(text.charAt(end)) < 0 && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        String word = text.substring(0, end).toLowerCase(Locale.ROOT);
        return word.equals(BROWSER) ? OWN : word;
    }
}
