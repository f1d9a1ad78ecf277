package io.trawl.downloader.fetch.coding;

import java.util.Arrays;

/**
 * The first block of a deflate stream, without its content (RFC 1951 section 3.2). The library does not tell where
 * blocks end. Decodes bit by bit, after {@code puff.c} of zlib: for damaged bodies only. Used once, by one thread.
 */
final class DeflateBlock {
    private static final int LONGEST = 15;
    private static final int END = 256;
    private static final int LITERALS = 288;
    private static final int DISTANCES = 30;
    /** In this order the code gives the lengths of its own code. */
    private static final int[] ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    /** The bytes end within the block, or are none. */
    private static final class Incomplete extends Exception {
        Incomplete() {
            super("no whole block", null, false, false);
        }
    }

    private final byte[] in;
    private long at;

    DeflateBlock(byte[] in) {
        this.in = in;
    }

    /** Whether the bytes begin with a whole block. */
    boolean isWhole() {
        try {
            bits(1);
            switch (bits(2)) {
                case 0 -> stored();
                case 1 -> symbols(fixed(), new Code(filled(DISTANCES, 5)));
                case 2 -> dynamic();
                default -> throw new Incomplete();
            }
            return true;
        } catch (Incomplete e) {
            return false;
        }
    }

    private int bits(int count) throws Incomplete {
        int value = 0;
        for (int i = 0; i < count; i++, at++) {
            if (at >= 8L * in.length) {
                throw new Incomplete();
            }
            value |= (in[(int) (at >> 3)] >> (at & 7) & 1) << i;
        }
        return value;
    }

    private void stored() throws Incomplete {
        at = (at + 7) & ~7L;
        int length = bits(16);
        if (length != (~bits(16) & 0xffff) || at + 8L * length > 8L * in.length) {
            throw new Incomplete();
        }
    }

    private static Code fixed() throws Incomplete {
        int[] lengths = filled(LITERALS, 8);
        Arrays.fill(lengths, 144, 256, 9);
        Arrays.fill(lengths, 256, 280, 7);
        return new Code(lengths);
    }

    private static int[] filled(int count, int length) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, length);
        return lengths;
    }

    private void dynamic() throws Incomplete {
        int literals = bits(5) + 257;
        int distances = bits(5) + 1;
        int[] own = new int[ORDER.length];
        for (int i = 0, count = bits(4) + 4; i < count; i++) {
            own[ORDER[i]] = bits(3);
        }
        int[] lengths = new int[literals + distances];
        Code code = new Code(own);
        for (int i = 0; i < lengths.length;) {
            int symbol = symbol(code);
            int value = symbol < 16 ? symbol : symbol == 16 && i > 0 ? lengths[i - 1] : 0;
            int times = switch (symbol) {
                case 16 -> 3 + bits(2);
                case 17 -> 3 + bits(3);
                case 18 -> 11 + bits(7);
                default -> 1;
            };
            if (i + times > lengths.length) {
                throw new Incomplete();
            }
            Arrays.fill(lengths, i, i += times, value);
        }
        symbols(new Code(Arrays.copyOf(lengths, literals)),
                new Code(Arrays.copyOfRange(lengths, literals, lengths.length)));
    }

    private void symbols(Code literals, Code distances) throws Incomplete {
        for (int symbol = symbol(literals); symbol != END; symbol = symbol(literals)) {
            if (symbol > END) {
                bits(symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4);
                int distance = symbol(distances);
                bits(distance < 4 ? 0 : distance / 2 - 1);
            }
        }
    }

    private int symbol(Code code) throws Incomplete {
        int value = 0;
        int first = 0;
        int index = 0;
        for (int length = 1; length <= LONGEST; length++) {
            value |= bits(1);
            int count = code.counts[length];
            if (value - count < first) {
                return code.symbols[index + value - first];
            }
            index += count;
            first = first + count << 1;
            value <<= 1;
        }
        throw new Incomplete();
    }

    /** A canonical Huffman code: the number of symbols of each length, and the symbols in their order. */
    private static final class Code {
        private final int[] counts = new int[LONGEST + 1];
        private final int[] symbols;

        Code(int[] lengths) throws Incomplete {
            symbols = new int[lengths.length];
            for (int length : lengths) {
                counts[length]++;
            }
            counts[0] = 0;
            int[] next = new int[LONGEST + 2];
            int left = 1;
            for (int length = 1; length <= LONGEST; length++) {
                next[length + 1] = next[length] + counts[length];
                left = (left << 1) - counts[length];
                if (left < 0) {
                    throw new Incomplete();
                }
            }
            for (int symbol = 0; symbol < lengths.length; symbol++) {
                if (lengths[symbol] != 0) {
                    symbols[next[lengths[symbol]]++] = symbol;
                }
            }
        }
    }
}
