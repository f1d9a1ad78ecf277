package io.trawl.admission;

/** The encoder of RFC 3492, in its names. */
final class Punycode {
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
