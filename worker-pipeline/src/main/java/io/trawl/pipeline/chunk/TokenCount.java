package io.trawl.pipeline.chunk;

import java.lang.Character.UnicodeBlock;

/**
 * The number of tokens of a text, by a rule and without a vocabulary: a Latin word counts one for each 8 letters that
 * it begins, a word of another alphabet one for each 4, digits one for each 3, an ideograph, a kana or a syllable of
 * Hangul one, and a run of the same other character one for each 16; white space counts nothing. On English prose that
 * is within 15 % of cl100k_base and o200k_base (docs/adr/0121-chunks.md). The parts of a text that is cut anywhere
 * count at least as much as the text. Stateless.
 */
final class TokenCount {
    private static final int LATIN = 8;
    private static final int OTHER_LETTERS = 4;
    private static final int DIGITS = 3;
    private static final int RUN = 16;
    private static final char ASCII = 0x80;
    /** The letters of Latin alphabets are below, but for rare ones. */
    private static final char FIRST_OTHER = '\u0370';
    private static final char FIRST_IDEOGRAPH = '\u1100';

    private TokenCount() {}

    /** The tokens of a part of a text. */
    static int of(CharSequence text, int from, int to) {
        int tokens = 0;
        for (int i = from; i < to;) {
            char c = text.charAt(i);
            int end = i + 1;
            if (isSpace(c)) {
                i = end;
                continue;
            }
            int piece = piece(c);
            if (piece == 0) {
                for (; end < to && text.charAt(end) == c; end++) {
                    // A run of one mark.
                }
                tokens += (end - i + RUN - 1) / RUN;
            } else if (piece == 1) {
                tokens += Character.isLowSurrogate(c) ? 0 : 1;
            } else {
                for (; end < to && piece(text.charAt(end)) == piece; end++) {
                    // A word, or a number.
                }
                tokens += (end - i + piece - 1) / piece;
            }
            i = end;
        }
        return tokens;
    }

    /** White space, as that between words. */
    static boolean isSpace(char c) {
        return c <= ' ' || c == '\u00a0' || c > '\u167f' && Character.isWhitespace(c);
    }

    /** How many characters of the kind of this one are a token; 0: any number, if they are equal. */
    private static int piece(char c) {
        if (c < ASCII) {
            int letter = c | ' ';
            return letter >= 'a' && letter <= 'z' ? LATIN : c >= '0' && c <= '9' ? DIGITS : 0;
        }
        if (c < FIRST_OTHER) {
            return Character.isLetter(c) ? LATIN : Character.isDigit(c) ? DIGITS : 0;
        }
        if (Character.isSurrogate(c)) {
            return 1;
        }
        if (c >= FIRST_IDEOGRAPH && isSyllable(c)) {
            return 1;
        }
        return switch (Character.getType(c)) {
            case Character.UPPERCASE_LETTER, Character.LOWERCASE_LETTER, Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER, Character.OTHER_LETTER, Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK ->
                OTHER_LETTERS;
            case Character.DECIMAL_DIGIT_NUMBER -> DIGITS;
            default -> 0;
        };
    }

    private static boolean isSyllable(char c) {
        if (Character.isIdeographic(c)) {
            return true;
        }
        UnicodeBlock block = UnicodeBlock.of(c);
        return block == UnicodeBlock.HIRAGANA || block == UnicodeBlock.KATAKANA
                || block == UnicodeBlock.HANGUL_SYLLABLES || block == UnicodeBlock.HANGUL_JAMO;
    }
}
