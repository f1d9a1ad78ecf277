package io.trawl.model;

import java.util.stream.IntStream;

/** The edit distance of names, to suggest what a user may have meant. Pure. */
public final class EditDistance {
    private EditDistance() {}

    /** The number of letters to insert, delete or replace (Levenshtein), ignoring case. Time and memory grow with the product of the lengths. */
    public static int between(String one, String other) {
        int[] row = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                boolean same = Character.toLowerCase(one.charAt(i - 1)) == Character.toLowerCase(other.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
