package io.trawl.model;

import java.util.Locale;

/** The word by which robots.txt, {@code X-Robots-Tag} and robots meta elements call a crawler (RFC 9309 section 2.2.1). Pure functions. */
public final class ProductToken {
    /** What Trawl is called where its {@code User-Agent} does not say it. */
    public static final String OWN = "trawl";
    /** How every browser begins, and whoever wants to look like one: nobody's name. */
    private static final String BROWSER = "mozilla";

    private ProductToken() {}

    /** The first word of a {@code User-Agent}, before a slash, a blank or a bracket, in lower case; {@value #OWN} for one that begins as browsers' do. */
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
