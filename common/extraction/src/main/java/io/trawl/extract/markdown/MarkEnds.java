package io.trawl.extract.markdown;

import static io.trawl.extract.markdown.StyledText.CODE;
import static io.trawl.extract.markdown.StyledText.DELETED;
import static io.trawl.extract.markdown.StyledText.EMPHASIS;
import static io.trawl.extract.markdown.StyledText.LINK;
import static io.trawl.extract.markdown.StyledText.OBJECT;
import static io.trawl.extract.markdown.StyledText.STRONG;

/**
 * Moves the ends of marks to where their signs have an effect: white space at the ends of a mark is outside of it, and
 * punctuation at the ends of emphasis, if a letter beside it would make the signs plain characters.
 */
final class MarkEnds {
    private static final int FLANKED = STRONG | EMPHASIS | DELETED;
    private final String text;
    private final int[] styles;

    private MarkEnds(String text, int[] styles) {
        this.text = text;
        this.styles = styles;
    }

    /** @param styles of the characters; changed */
    static void trim(String text, int[] styles) {
        MarkEnds ends = new MarkEnds(text, styles);
        int last = text.length() - 1;
        for (int i = 0; i <= last; i++) {
            ends.trimSpace(i, i == 0 ? 0 : styles[i - 1]);
        }
        for (int i = last; i >= 0; i--) {
            ends.trimSpace(i, i == last ? 0 : styles[i + 1]);
        }
        for (int i = 1; i <= last; i++) {
            ends.movePunctuationOut(i, i - 1);
        }
        for (int i = last - 1; i >= 0; i--) {
            ends.movePunctuationOut(i, i + 1);
        }
    }

    private void trimSpace(int i, int neighbour) {
        if (styles[i] != 0 && styles[i] != neighbour && InlinePieces.isSpace(text.charAt(i))) {
            int bits = styles[i] & neighbour & (LINK - 1);
            styles[i] = styles[i] / LINK == neighbour / LINK ? bits | neighbour / LINK * LINK : bits;
        }
    }

    private void movePunctuationOut(int i, int neighbour) {
        int ends = styles[i] & ~styles[neighbour] & FLANKED;
        if (ends != 0 && (styles[i] & (CODE | OBJECT)) == 0 && InlinePieces.isPunctuation(text.charAt(i))
                && wordBeside(i, neighbour)) {
            styles[i] &= ~ends;
        }
    }

    private boolean wordBeside(int i, int neighbour) {
        return (styles[neighbour] & (CODE | OBJECT)) == 0 && styles[neighbour] / LINK == styles[i] / LINK
                && InlinePieces.isWord(text.charAt(neighbour));
    }
}
