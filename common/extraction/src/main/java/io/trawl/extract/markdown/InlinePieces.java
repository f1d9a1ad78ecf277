package io.trawl.extract.markdown;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an inline text. Signs of emphasis that would be plain characters where they stand (CommonMark 0.31,
 * section 6.2) are left out, in pairs, and code on both sides of left out signs is one span.
 */
final class InlinePieces {
    /** A part. */
    private sealed interface Piece {
        /** Its first or last character, as it is written. */
        char edge(boolean last);
    }

    /** Text as it is written. */
    private record Written(String text) implements Piece {
        @Override
        public char edge(boolean last) {
            return text.charAt(last ? text.length() - 1 : 0);
        }
    }

    /** Code. */
    private record Span(String text) implements Piece {
        @Override
        public char edge(boolean last) {
            return '`';
        }
    }

    /** A sign of emphasis. */
    static final class Sign implements Piece {
        private final String text;
        private final boolean opens;
        private @Nullable Sign partner;

        private Sign(String text, boolean opens) {
            this.text = text;
            this.opens = opens;
        }

        @Override
        public char edge(boolean last) {
            return text.charAt(0);
        }
    }

    private final List<Piece> pieces = new ArrayList<>();
    private int signs;

    /** Adds what is written as it is; must not be empty. */
    void text(String written) {
        pieces.add(new Written(written));
    }

    void code(String text) {
        pieces.add(new Span(text));
    }

    Sign open(String text) {
        Sign sign = new Sign(text, true);
        pieces.add(sign);
        signs++;
        return sign;
    }

    void close(Sign opening) {
        Sign sign = new Sign(opening.text, false);
        sign.partner = opening;
        opening.partner = sign;
        pieces.add(sign);
    }

    String write() {
        while (signs > 0 && dropPlainSigns()) {
            signs--;
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < pieces.size(); i++) {
            switch (pieces.get(i)) {
                case Written(String text) -> out.append(text);
                case Sign sign -> out.append(sign.text);
                case Span(String code) -> {
                    StringBuilder whole = new StringBuilder(code);
                    while (i + 1 < pieces.size() && pieces.get(i + 1) instanceof Span(String more)) {
                        whole.append(more);
                        i++;
                    }
                    code(out, whole.toString());
                }
            }
        }
        return out.toString();
    }

    /** Leaves out one pair of signs that have no effect where they stand. @return whether there was one */
    private boolean dropPlainSigns() {
        int open = 0;
        for (int from = 0; from < pieces.size(); from++) {
            if (!(pieces.get(from) instanceof Sign first)) {
                continue;
            }
            int to = from;
            int opened = 0;
            int closed = 0;
            while (to < pieces.size() && pieces.get(to) instanceof Sign sign && sign.edge(true) == first.edge(true)) {
                opened += sign.opens ? 1 : 0;
                closed += sign.opens ? 0 : 1;
                to++;
            }
            // Within a word a sign may open and close, so that it would end what is open around it.
            boolean alone = opened + closed == 1 && open + opened == 1;
            if (opened > 0 && closed > 0 || !flanks(from, to, opened > 0, alone)) {
                drop(to - 1);
                return true;
            }
            open += opened - closed;
            from = to - 1;
        }
        return false;
    }

    /**
     * @param open whether the signs from a piece to another open emphasis
     * @param both whether they may close it, too
     */
    private boolean flanks(int from, int to, boolean open, boolean both) {
        char before = from == 0 ? ' ' : pieces.get(from - 1).edge(true);
        char after = to == pieces.size() ? ' ' : pieces.get(to).edge(false);
        return open
                ? flanks(before, after) && (both || !mayFlank(after, before))
                : flanks(after, before) && (both || !mayFlank(before, after));
    }

    /** Half of a pair of surrogates may be of a letter or of a symbol, which is punctuation: neither is relied on. */
    private static boolean flanks(char outside, char inside) {
        return !isSpace(inside) && (isWord(inside) && !Character.isSurrogate(inside) || !isWord(outside));
    }

    /** The same, where either is possible. */
    private static boolean mayFlank(char outside, char inside) {
        return !isSpace(inside) && (isWord(inside) || !isWord(outside) || Character.isSurrogate(outside));
    }

    private void drop(int piece) {
        Piece sign = pieces.remove(piece);
        pieces.remove(((Sign) sign).partner);
    }

    private static void code(StringBuilder out, String code) {
        int length = 1;
        while (hasRun(code, length)) {
            length++;
        }
        boolean padded = code.startsWith("`") || code.endsWith("`");
        out.repeat('`', length).append(padded ? " " : "").append(code).append(padded ? " " : "").repeat('`', length);
    }

    /** Whether a code has a run of exactly so many backticks. */
    private static boolean hasRun(String code, int length) {
        int run = 0;
        for (int i = 0; i <= code.length(); i++) {
            if (i < code.length() && code.charAt(i) == '`') {
                run++;
            } else if (run == length) {
                return true;
            } else {
                run = 0;
            }
        }
        return false;
    }

    /** Whether CommonMark counts a character as white space. */
    static boolean isSpace(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** Whether the character is neither white space nor punctuation. */
    static boolean isWord(char c) {
        return !isSpace(c) && !isPunctuation(c);
    }

    /** Whether CommonMark counts a character as punctuation. */
    static boolean isPunctuation(char c) {
        return switch (Character.getType(c)) {
            case Character.CONNECTOR_PUNCTUATION, Character.DASH_PUNCTUATION, Character.START_PUNCTUATION,
                    Character.END_PUNCTUATION, Character.INITIAL_QUOTE_PUNCTUATION, Character.FINAL_QUOTE_PUNCTUATION,
                    Character.OTHER_PUNCTUATION, Character.MATH_SYMBOL, Character.CURRENCY_SYMBOL,
                    Character.MODIFIER_SYMBOL, Character.OTHER_SYMBOL ->
                true;
            default -> false;
        };
    }
}
