package io.trawl.coordinator.lifecycle;

/** What may stand in a header of a request: anything else would let the writer of a seed make up further headers (RFC 9110, section 5). Pure. */
public final class HeaderRules {
    private static final String SIGNS = "!#$%&'*+-.^_`|~";

    private HeaderRules() {}

    /** Whether this is a header name. */
    public static boolean name(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c < 128 && Character.isLetterOrDigit(c) || SIGNS.indexOf(c) >= 0);
    }

    /** Whether this is a header value: visible ASCII characters, blanks and tabs. */
    public static boolean value(String text) {
        return text.chars().allMatch(c -> c == '\t' || c >= ' ' && c <= '~');
    }
}
