package io.trawl.downloader.robots;

/**
 * Matches one path with patterns of robots.txt (RFC 9309 section 2.2.3) and counts the steps. A pattern takes time
 * linear in its length and that of the path: what stands between two wildcards is taken where it occurs first (no later
 * occurrence can match more), which the algorithm of Knuth, Morris and Pratt finds without going back in the path. Not
 * thread-safe.
 */
final class PathMatcher {
    private final String path;
    private int[] borders = {};
    private int left;

    /** @param steps the permitted number of steps */
    PathMatcher(String path, int steps) {
        this.path = path;
        this.left = steps;
    }

    /** The steps that are left. Negative: more were needed than permitted, and the last answer counts for nothing. */
    int left() {
        return left;
    }

    /** Whether the pattern that stands in a text from {@code from} to {@code to} matches the path. */
    boolean matches(String text, int from, int to) {
        boolean whole = to > from && text.charAt(to - 1) == '$';
        int end = whole ? to - 1 : to;
        int at = from;
        int position = 0;
        left--;
        while (at < end && text.charAt(at) != '*') {
            left--;
            if (position == path.length() || text.charAt(at) != path.charAt(position)) {
                return false;
            }
            at++;
            position++;
        }
        return at < end ? matchesAfterStar(text, at + 1, end, position, whole) : !whole || position == path.length();
    }

    private boolean matchesAfterStar(String text, int from, int end, int position, boolean whole) {
        int begin = from;
        int reached = position;
        while (begin < end && left >= 0) {
            // A longer piece than the rest of the path cannot match, so no more of the pattern is looked at.
            int star = text.indexOf('*', begin, Math.min(end, begin + path.length() - reached + 1));
            int piece = (star < 0 ? end : star) - begin;
            left -= Math.min(piece, path.length()) + 1;
            if (piece > path.length() - reached) {
                return false;
            }
            if (star < 0 && whole) {
                return path.regionMatches(path.length() - piece, text, begin, piece);
            }
            reached = piece == 0 ? reached : find(text, begin, piece, reached);
            if (reached < 0 || star < 0) {
                return reached >= 0;
            }
            begin = star + 1;
        }
        return true;
    }

    /** Where the first occurrence of a piece at or after a position ends; -1 if there is none. */
    private int find(String text, int begin, int piece, int position) {
        boolean bordersFound = false;
        int matched = 0;
        int at = position;
        while (matched < piece && at < path.length()) {
            left--;
            if (matched == 0) {
                int first = path.indexOf(text.charAt(begin), at);
                left -= (first < 0 ? path.length() : first) - at;
                matched = first < 0 ? 0 : 1;
                at = first < 0 ? path.length() : first + 1;
            } else if (text.charAt(begin + matched) == path.charAt(at)) {
                matched++;
                at++;
            } else if (matched == 1) {
                matched = 0;
            } else {
                if (!bordersFound) {
                    findBorders(text, begin, piece);
                    bordersFound = true;
                }
                matched = borders[matched - 1];
            }
        }
        return matched == piece ? at : -1;
    }

    /** For each prefix of the piece, the length of the longest shorter prefix that is also its end. */
    private void findBorders(String text, int begin, int piece) {
        borders = borders.length == 0 ? new int[path.length()] : borders;
        borders[0] = 0;
        for (int i = 1; i < piece; i++) {
            int length = borders[i - 1];
            while (length > 0 && text.charAt(begin + length) != text.charAt(begin + i)) {
                length = borders[length - 1];
                left--;
            }
            borders[i] = text.charAt(begin + length) == text.charAt(begin + i) ? length + 1 : length;
            left--;
        }
    }
}
