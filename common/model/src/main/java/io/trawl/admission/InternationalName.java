package io.trawl.admission;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * International host names in ASCII: Unicode technical standard 46 in its non-transitional form, as in browsers
 * ({@code faß.de} and {@code fass.de} are two hosts; {@link java.net.IDN} implements the standard of 2003 and treats
 * them as one). Three tables are approximated: the mapping by compatibility composition and lower case, the invalid
 * characters by their Unicode category, and the places of joiners by marks and scripts.
 */
final class InternationalName {
    private static final String PREFIX = "xn--";
    /** RFC 5893 section 2 over the classes that {@link #direction} gives. */
    private static final Pattern ONE_DIRECTION = Pattern
            .compile("L([LENO]*[LE])?N*|R([RENO]*[RE])?N*|R([RANO]*[RA])?N*");
    /** The scripts in which a zero-width non-joiner is allowed between letters, since these would join without it. */
    private static final Set<UnicodeScript> CURSIVE = EnumSet.of(UnicodeScript.ARABIC, UnicodeScript.SYRIAC,
            UnicodeScript.NKO, UnicodeScript.MONGOLIAN, UnicodeScript.MANDAIC, UnicodeScript.PHAGS_PA,
            UnicodeScript.MANICHAEAN, UnicodeScript.ADLAM);

    private InternationalName() {}

    /** Whether a name has characters beyond ASCII, or may have a label that encodes such characters. */
    static boolean is(String name) {
        return name.contains("--") || name.chars().anyMatch(c -> c >= 128);
    }

    /**
     * The name in ASCII, or empty if it contains forbidden characters. The result may still be an invalid host name.
     */
    static Optional<String> ascii(String name) {
        List<String> labels = new ArrayList<>();
        StringJoiner ascii = new StringJoiner(".");
        for (String label : mapped(name).split("\\.", -1)) {
            Optional<String> unicode = label.startsWith(PREFIX) ? decoded(label) : Optional.of(label);
            if (unicode.isEmpty()) {
                return Optional.empty();
            }
            labels.add(unicode.get());
            boolean plain = unicode.get().chars().allMatch(c -> c < 128);
            if (!plain && !valid(unicode.get())) {
                return Optional.empty();
            }
            ascii.add(plain ? label : PREFIX + Punycode.encode(unicode.get().codePoints().toArray()));
        }
        return directed(labels) ? Optional.of(ascii.toString()) : Optional.empty();
    }

    private static Optional<String> decoded(String label) {
        return label.length() > HostName.LONGEST_LABEL
                ? Optional.empty()
                : Punycode.decode(label.substring(PREFIX.length()))
                        .filter(text -> text.chars().anyMatch(c -> c >= 128));
    }

    private static String mapped(String name) {
        StringBuilder lower = new StringBuilder(name.length());
        Normalizer.normalize(name, Normalizer.Form.NFKC).codePoints().filter(c -> !ignored(c)).forEach(c -> {
            switch (c) {
                case 0x3002 -> lower.append('.');
                // The one letter whose lower case is two code points.
                case 0x130 -> lower.append("i\u0307");
                // By letter, not by word: a final sigma is not a special case here.
                default -> lower.appendCodePoint(Character.toLowerCase(c));
            }
        });
        return Normalizer.normalize(lower, Normalizer.Form.NFKC);
    }

    /** Soft hyphen, zero-width space and the like, Hangul fillers, and variation selectors. */
    private static boolean ignored(int c) {
        return c == 0xad || c == 0x34f || c == 0x200b || c == 0x2060 || c == 0x2064 || c == 0xfeff || c == 0x115f
                || c == 0x1160 || c >= 0x180b && c <= 0x180d || c >= 0xfe00 && c <= 0xfe0f
                || c >= 0xe0100 && c <= 0xe01ef;
    }

    private static boolean valid(String label) {
        // Check the length first: encoding takes quadratic time and never shortens a label.
        return label.codePointCount(0, label.length()) <= HostName.LONGEST_LABEL && !label.startsWith(PREFIX)
                && !mark(label.codePointAt(0)) && label.codePoints().allMatch(InternationalName::allowed)
                && joined(label) && mapped(label).equals(label);
    }

    /** Whether each joiner follows a mark, or separates two letters that would join (RFC 5892 appendix A). */
    private static boolean joined(String label) {
        for (int i = 0; i < label.length(); i++) {
            if (joiner(label.charAt(i)) && (i == 0 || !mark(label.codePointBefore(i)) && !apart(label, i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean apart(String label, int i) {
        return label.charAt(i) == 0x200c && i + 1 < label.length()
                && CURSIVE.contains(UnicodeScript.of(label.codePointBefore(i)))
                && CURSIVE.contains(UnicodeScript.of(label.codePointAt(i + 1)));
    }

    private static boolean joiner(int c) {
        return c == 0x200c || c == 0x200d;
    }

    /** Whether each label reads in one direction, if the name has right-to-left letters. */
    private static boolean directed(List<String> labels) {
        List<String> directions = labels.stream()
                .map(label -> label.codePoints().map(InternationalName::direction)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString())
                .toList();
        return directions.stream().noneMatch(d -> d.indexOf('R') >= 0 || d.indexOf('A') >= 0)
                || directions.stream().allMatch(d -> d.isEmpty() || ONE_DIRECTION.matcher(d).matches());
    }

    private static int direction(int c) {
        return switch (Character.getDirectionality(c)) {
            case Character.DIRECTIONALITY_LEFT_TO_RIGHT -> 'L';
            case Character.DIRECTIONALITY_RIGHT_TO_LEFT, Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC -> 'R';
            case Character.DIRECTIONALITY_ARABIC_NUMBER -> 'A';
            case Character.DIRECTIONALITY_EUROPEAN_NUMBER -> 'E';
            case Character.DIRECTIONALITY_NONSPACING_MARK -> 'N';
            case Character.DIRECTIONALITY_EUROPEAN_NUMBER_SEPARATOR, Character.DIRECTIONALITY_COMMON_NUMBER_SEPARATOR,
                    Character.DIRECTIONALITY_EUROPEAN_NUMBER_TERMINATOR, Character.DIRECTIONALITY_OTHER_NEUTRALS,
                    Character.DIRECTIONALITY_BOUNDARY_NEUTRAL ->
                'O';
            default -> 'X';
        };
    }

    private static boolean mark(int c) {
        int type = Character.getType(c);
        return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK
                || type == Character.ENCLOSING_MARK;
    }

    private static boolean allowed(int c) {
        return joiner(c) || switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.SURROGATE, Character.UNASSIGNED,
                    Character.SPACE_SEPARATOR, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> c != 0xfffd;
        };
    }

    /** The encoder and the decoder of RFC 3492, in its names. */
    private static final class Punycode {
        private static final int BASE = 36;
        private static final int T_MIN = 1;
        private static final int T_MAX = 26;
        private static final int SKEW = 38;
        private static final int DAMP = 700;
        private static final int INITIAL_BIAS = 72;
        private static final int INITIAL_N = 128;

        private Punycode() {}

        /** The label in ASCII, without the prefix {@code xn--}. */
        static String encode(int[] label) {
            StringBuilder out = new StringBuilder(label.length * 2);
            for (int c : label) {
                if (c < INITIAL_N) {
                    out.append((char) c);
                }
            }
            int basic = out.length();
            if (basic > 0) {
                out.append('-');
            }
            int n = INITIAL_N;
            long delta = 0;
            int bias = INITIAL_BIAS;
            for (int handled = basic; handled < label.length; n++) {
                int next = smallestFrom(label, n);
                delta += (long) (next - n) * (handled + 1);
                n = next;
                for (int c : label) {
                    if (c < n) {
                        delta++;
                    } else if (c == n) {
                        digits(out, delta, bias);
                        bias = adapt(delta, handled + 1, handled == basic);
                        delta = 0;
                        handled++;
                    }
                }
                delta++;
            }
            return out.toString();
        }

        /**
         * The inverse of {@link #encode}; empty if no label has this text. Takes quadratic time in the length of the
         * text.
         */
        static Optional<String> decode(String text) {
            if (text.chars().anyMatch(c -> c >= INITIAL_N)) {
                return Optional.empty();
            }
            int delimiter = text.lastIndexOf('-');
            StringBuilder out = new StringBuilder(text.substring(0, Math.max(0, delimiter)));
            int points = out.length();
            long n = INITIAL_N;
            long i = 0;
            int bias = INITIAL_BIAS;
            for (int in = delimiter + 1; in < text.length();) {
                long before = i;
                long weight = 1;
                boolean last = false;
                for (int k = BASE; !last; k += BASE) {
                    int digit = in < text.length() ? value(text.charAt(in++)) : -1;
                    if (digit < 0 || i > Integer.MAX_VALUE) {
                        return Optional.empty();
                    }
                    int t = Math.clamp(k - bias, T_MIN, T_MAX);
                    i += digit * weight;
                    weight *= BASE - t;
                    last = digit < t;
                }
                points++;
                bias = adapt(i - before, points, before == 0);
                n += i / points;
                if (n > Character.MAX_CODE_POINT || n >= Character.MIN_SURROGATE && n <= Character.MAX_SURROGATE) {
                    return Optional.empty();
                }
                i %= points;
                out.insert(out.offsetByCodePoints(0, (int) i++), Character.toString((int) n));
            }
            // Several texts decode to one label; only one of them is canonical.
            return Optional.of(out.toString()).filter(label -> encode(label.codePoints().toArray()).equals(text));
        }

        private static int smallestFrom(int[] label, int n) {
            int smallest = Integer.MAX_VALUE;
            for (int c : label) {
                smallest = c >= n && c < smallest ? c : smallest;
            }
            return smallest;
        }

        /** Writes a number in digits whose base varies with their place. */
        private static void digits(StringBuilder out, long delta, int bias) {
            long q = delta;
            for (int k = BASE;; k += BASE) {
                int t = Math.clamp(k - bias, T_MIN, T_MAX);
                if (q < t) {
                    out.append(digit(q));
                    return;
                }
                out.append(digit(t + (q - t) % (BASE - t)));
                q = (q - t) / (BASE - t);
            }
        }

        private static char digit(long value) {
            return (char) (value < 26 ? 'a' + value : '0' + value - 26);
        }

        private static int value(char digit) {
            return digit >= 'a' && digit <= 'z' ? digit - 'a' : digit >= '0' && digit <= '9' ? digit - '0' + 26 : -1;
        }

        private static int adapt(long delta, int points, boolean first) {
            long d = first ? delta / DAMP : delta / 2;
            d += d / points;
            int k = 0;
            for (; d > (BASE - T_MIN) * T_MAX / 2; k += BASE) {
                d /= BASE - T_MIN;
            }
            return (int) (k + (BASE - T_MIN + 1) * d / (d + SKEW));
        }
    }
}
