package io.trawl.analyzer.metadata;

import java.util.Arrays;

/**
 * What the classes of an element say that it shows: {@code post-author}, {@code byline__name}, {@code entry-date}. A
 * class counts whose last word is one of those, or that and {@code name}, {@code link} and the like: {@code author-bio}
 * is about an author, but is no name. One pass without objects, since the classes of all elements of a page are asked.
 */
final class BylineClasses {
    /** The name of an author. */
    static final int AUTHOR = 1;
    /** A date. */
    static final int DATE = 2;
    /** A date, or the words around one, of the last change. */
    static final int CHANGED = 4;
    private static final int SUFFIX = 8;
    private static final int LONGEST = 10;
    private static final String[][] WORDS = new String[LONGEST + 1][];
    private static final int[][] KINDS = new int[LONGEST + 1][];

    static {
        Arrays.fill(WORDS, new String[0]);
        word(AUTHOR, "byline", "author", "authors", "authorname", "username", "creator");
        word(DATE, "date", "published", "pubdate", "datetime", "dateline", "timestamp", "posted");
        word(CHANGED, "updated", "modified");
        word(SUFFIX, "name", "link", "fn", "text", "title", "on", "display");
    }

    private BylineClasses() {}

    private static void word(int kind, String... words) {
        for (String word : words) {
            int length = word.length();
            String[] known = WORDS[length];
            WORDS[length] = Arrays.copyOf(known, known.length + 1);
            WORDS[length][known.length] = word;
            KINDS[length] = known.length == 0 ? new int[]{kind} : Arrays.copyOf(KINDS[length], known.length + 1);
            KINDS[length][known.length] = kind;
        }
    }

    /** The kinds, added. */
    static int kinds(String classes) {
        int kinds = 0;
        int kind = 0;
        int begin = -1;
        for (int i = 0; i <= classes.length(); i++) {
            char c = i < classes.length() ? classes.charAt(i) : ' ';
            if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') {
                begin = begin < 0 ? i : begin;
                continue;
            }
            if (begin >= 0) {
                int word = kind(classes, begin, i - begin);
                kind = word == SUFFIX ? kind : word == DATE && kind == CHANGED ? CHANGED : word;
                begin = -1;
            }
            if (c != '-' && c != '_') {
                kinds |= kind;
                kind = 0;
            }
        }
        return kinds;
    }

    private static int kind(String classes, int begin, int length) {
        if (length > LONGEST) {
            return 0;
        }
        String[] words = WORDS[length];
        for (int i = 0; i < words.length; i++) {
            if (classes.regionMatches(true, begin, words[i], 0, length)) {
                return KINDS[length][i];
            }
        }
        return 0;
    }
}
