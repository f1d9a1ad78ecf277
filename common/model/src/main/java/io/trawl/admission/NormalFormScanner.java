package io.trawl.admission;

/**
 * Recognises an absolute URL that is in normal form except for a fragment, in one pass and without a copy. It may
 * reject a rare normal form (an IP address, an international name, a port, a segment that begins with a dot):
 * {@link UrlParser} then returns the same text. It never accepts anything else.
 */
final class NormalFormScanner {
    private NormalFormScanner() {}

    /** Where the normal form ends (at the fragment or the end of the text); -1 if the text is not in normal form. */
    static int end(String s) {
        int start = s.startsWith("https://") ? 8 : s.startsWith("http://") ? 7 : -1;
        int path = start < 0 ? -1 : hostEnd(s, start);
        return path < 0 ? -1 : pathEnd(s, path);
    }

    /** The index of the slash after a normal host name, or -1. */
    private static int hostEnd(String s, int start) {
        int label = start;
        for (int i = start; i < s.length(); i++) {
            char c = s.charAt(i);
            if (UrlChars.host(c)) {
                continue;
            }
            if (i == label || i - label > HostName.LONGEST_LABEL || i - start > HostName.LONGEST
                    || c != '.' && c != '/') {
                return -1;
            }
            char first = s.charAt(label);
            if (first == 'x' && s.startsWith("xn--", label)) {
                return -1;
            }
            if (c == '/') {
                // A last label that begins with a digit may belong to an IPv4 address.
                return first <= '9' ? -1 : i;
            }
            label = i + 1;
        }
        return -1;
    }

    private static int pathEnd(String s, int slash) {
        int n = s.length();
        int i = slash;
        while (i < n) {
            char c = s.charAt(i);
            if (c == '/') {
                if (i + 1 < n && s.charAt(i + 1) == '.') {
                    return -1;
                }
                i++;
            } else if (UrlChars.path(c)) {
                i++;
            } else if (c == '%' && normalTriple(s, i)) {
                i += 3;
            } else {
                return c == '?' ? queryEnd(s, i + 1) : c == '#' ? i : -1;
            }
        }
        return n;
    }

    private static int queryEnd(String s, int start) {
        int n = s.length();
        int i = start;
        while (i < n) {
            char c = s.charAt(i);
            if (UrlChars.query(c)) {
                i++;
            } else if (c == '%' && normalTriple(s, i)) {
                i += 3;
            } else {
                return c == '#' ? i : -1;
            }
        }
        return n;
    }

    private static boolean normalTriple(String s, int i) {
        int octet = UrlChars.encoded(s, i);
        return octet >= 0 && !UrlChars.unreserved(octet) && s.charAt(i + 1) < 'a' && s.charAt(i + 2) < 'a';
    }
}
