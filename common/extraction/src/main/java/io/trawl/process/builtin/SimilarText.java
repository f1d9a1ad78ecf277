package io.trawl.process.builtin;

import java.util.Optional;

/**
 * The SimHash (Charikar 2002) of a text: 64 bits, of which few differ between texts that differ in few places. Its
 * features are three words in a row, without regard to case and punctuation; an ideogram is a word. Pure.
 */
public final class SimilarText {
    /** A shorter text has no hash: a few common words would make it similar to others. */
    private static final int LEAST_WORDS = 20;
    private static final int IN_A_ROW = 3;
    /** So many bits differ between similar texts, as in {@link io.trawl.ledger.FirstItemStore}. */
    private static final int MOST_BITS = 3;

    private SimilarText() {}

    /** The hash; empty if the text is too short. */
    public static Optional<Long> hash(String text) {
        Features features = new Features();
        long word = 0;
        for (int i = 0; i < text.length();) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            boolean letter = Character.isLetterOrDigit(point);
            boolean ideogram = Character.isIdeographic(point);
            if (word != 0 && (!letter || ideogram)) {
                features.add(word);
                word = 0;
            }
            if (ideogram) {
                features.add(mixed(point));
            } else if (letter) {
                word = mixed(word * 31 + Character.toLowerCase(point)) | 1;
            }
        }
        if (word != 0) {
            features.add(word);
        }
        return features.words < LEAST_WORDS ? Optional.empty() : Optional.of(features.hash());
    }

    /** Whether the texts with these hashes are similar. */
    public static boolean similar(long one, long other) {
        return Long.bitCount(one ^ other) <= MOST_BITS;
    }

    /** A bijection that spreads a change of one bit over all (the end of SplitMix64). */
    private static long mixed(long value) {
        long z = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** Sums of bits over the features so far. */
    private static final class Features {
        private final int[] sums = new int[Long.SIZE];
        private final long[] last = new long[IN_A_ROW];
        private int words;

        void add(long word) {
            last[words % IN_A_ROW] = word;
            words++;
            if (words >= IN_A_ROW) {
                long feature = 0;
                for (int i = 0; i < IN_A_ROW; i++) {
                    feature = mixed(feature * 31 + last[(words + i) % IN_A_ROW]);
                }
                for (int bit = 0; bit < Long.SIZE; bit++) {
                    sums[bit] += (int) ((feature >>> bit & 1) * 2) - 1;
                }
            }
        }

        long hash() {
            long hash = 0;
            for (int bit = 0; bit < Long.SIZE; bit++) {
                hash |= sums[bit] > 0 ? 1L << bit : 0;
            }
            return hash;
        }
    }
}
