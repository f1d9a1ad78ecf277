package io.trawl.codec;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the name that a misspelt one was meant to be. Pure. */
public final class NearestName {
    /** How many typing errors a name has at most. */
    public static final int MOST_TYPOS = 2;
    /** The distance to a longer name costs time and is not small. */
    private static final int LONGEST = 80;

    private NearestName() {}

    /**
     * The nearest of the known names, of those that are at most {@value #MOST_TYPOS} typing errors away; the first of
     * several.
     */
    public static Optional<String> of(String written, Stream<String> known) {
        return known.filter(name -> typos(written, name) <= MOST_TYPOS)
                .min(Comparator.comparingInt(name -> typos(written, name)));
    }

    /** The same as the end of a rule: {@code "; did you mean depth?"}, or nothing. */
    public static String hint(String written, Stream<String> known) {
        return of(written, known).map(name -> "; did you mean " + name + "?").orElse("");
    }

    /** The edit distance (Levenshtein), ignoring case; {@link Integer#MAX_VALUE} for a name that is far too long. */
    public static int typos(String written, String wanted) {
        if (written.length() > LONGEST) {
            return Integer.MAX_VALUE;
        }
        int[] row = IntStream.rangeClosed(0, wanted.length()).toArray();
        for (int i = 1; i <= written.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= wanted.length(); j++) {
                boolean same = Character.toLowerCase(written.charAt(i - 1)) == Character
                        .toLowerCase(wanted.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[wanted.length()];
    }
}
