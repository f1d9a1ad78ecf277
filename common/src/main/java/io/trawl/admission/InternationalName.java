package io.trawl.admission;

import java.text.Normalizer;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * International host names in ASCII: Unicode technical standard 46 in its non-transitional form, as browsers have it ({@code faß.de} and
 * {@code fass.de} are two hosts, which {@link java.net.IDN}, made for the standard of 2003, takes for one). Its mapping table is approximated by
 * compatibility composition and lower case, its table of invalid characters by their Unicode category, and rules on joiners and direction, which only
 * registries need, are left out. A name in ASCII already, {@code xn--} included, is left to DNS.
 */
final class InternationalName {
    private InternationalName() {}

    /** The name in ASCII, or nothing if it holds what no name may hold. What comes out may still be no valid host name. */
    static Optional<String> ascii(String name) {
        StringJoiner labels = new StringJoiner(".");
        for (String label : mapped(name).split("\\.", -1)) {
            if (label.chars().allMatch(c -> c < 128)) {
                labels.add(label);
            } else if (valid(label)) {
                labels.add("xn--" + Punycode.encode(label.codePoints().toArray()));
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(labels.toString());
    }

    private static String mapped(String name) {
        StringBuilder lower = new StringBuilder(name.length());
        Normalizer.normalize(name, Normalizer.Form.NFKC).codePoints().filter(c -> !ignored(c)).forEach(c -> {
            switch (c) {
                case 0x3002 -> lower.append('.');
                // The one letter whose lower case is two code points.
                case 0x130 -> lower.append("i\u0307");
                // By letter, not by word: a sigma at the end of a word is no other letter here.
                default -> lower.appendCodePoint(Character.toLowerCase(c));
            }
        });
        return Normalizer.normalize(lower, Normalizer.Form.NFKC);
    }

    /** Soft hyphen, zero-width space and the like, Hangul fillers, and variation selectors. */
    private static boolean ignored(int c) {
        return c == 0xad || c == 0x34f || c == 0x200b || c == 0x2060 || c == 0x2064 || c == 0xfeff || c == 0x115f || c == 0x1160
                || c >= 0x180b && c <= 0x180d
                || c >= 0xfe00 && c <= 0xfe0f
                || c >= 0xe0100 && c <= 0xe01ef;
    }

    private static boolean valid(String label) {
        // The length first: encoding is quadratic, and a label never gets shorter by it.
        return label.codePointCount(0, label.length()) <= HostName.LONGEST_LABEL && !label.startsWith("xn--")
                && !mark(label.codePointAt(0)) && label.codePoints().allMatch(InternationalName::allowed);
    }

    private static boolean mark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK || type == Character.ENCLOSING_MARK;
    }

    private static boolean allowed(int c) {
        boolean joiner = c == 0x200c || c == 0x200d;
        return joiner || switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.SURROGATE, Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> c != 0xfffd;
        };
    }
}
