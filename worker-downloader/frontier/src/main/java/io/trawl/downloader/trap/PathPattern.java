package io.trawl.downloader.trap;

/**
 * Paths that only grow: the shapes that Heritrix rejects (PathologicalPathDecideRule, TooManyPathSegmentsDecideRule).
 */
final class PathPattern {
    private static final int MOST_SEGMENTS = 20;
    private static final int REPETITIONS = 3;

    private PathPattern() {}

    /**
     * Whether the path has more than {@value #MOST_SEGMENTS} segments, or the same segments {@value #REPETITIONS} times
     * in a row, as in {@code /a/b/a/b/a/b}.
     *
     * @param url in normal form
     */
    static boolean endless(String url) {
        int[] segments = new int[MOST_SEGMENTS];
        int count = 0;
        int hash = 0;
        int length = 0;
        for (int i = url.indexOf('/', url.indexOf("//") + 2); i >= 0 && i <= url.length(); i++) {
            char c = i == url.length() ? '?' : url.charAt(i);
            if (c == '/' || c == '?') {
                if (length > 0 && count == MOST_SEGMENTS) {
                    return true;
                }
                if (length > 0) {
                    segments[count++] = hash;
                }
                hash = 0;
                length = 0;
                if (c == '?') {
                    break;
                }
            } else {
                hash = 31 * hash + c;
                length++;
            }
        }
        return repeats(segments, count);
    }

    private static boolean repeats(int[] segments, int count) {
        for (int period = 1; period * REPETITIONS <= count; period++) {
            int equal = 0;
            for (int i = period; i < count; i++) {
                equal = segments[i] == segments[i - period] ? equal + 1 : 0;
                if (equal == period * (REPETITIONS - 1)) {
                    return true;
                }
            }
        }
        return false;
    }
}
