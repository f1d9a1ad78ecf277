package io.trawl.charset;

import static io.trawl.charset.ByteSequences.at;
import static io.trawl.charset.ByteSequences.found;
import static io.trawl.charset.ByteSequences.malformed;
import static io.trawl.charset.ByteSequences.sequence;

import io.trawl.charset.EncodingIndex.Pointers;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The encodings of several bytes, each in the order and with the numbers of its section in the Encoding standard.
 * Thread-safe.
 */
final class EastAsian {
    private static final int HALF_WIDTH = 0xFF61 - 0xA1;
    /** Of two characters, by what is beyond {@link ByteSequences#PAIRS}. */
    static final String[] PAIRS = {"\u00CA\u0304", "\u00CA\u030C", "\u00EA\u0304", "\u00EA\u030C"};

    private EastAsian() {}

    private static boolean within(int b, int from, int to) {
        return b >= from && b <= to;
    }

    /** Big5 with the extensions of ETEN and Hong Kong. */
    static final class Big5 implements ByteSequences {
        private static final int EXTENSIONS = (0xA1 - 0x81) * 157;
        private final EncodingIndex index = EncodingIndex.of("big5");
        private final Pointers pointers = index.pointers(pointer -> pointer >= EXTENSIONS);

        @Override
        public long read(ByteBuffer in, int i) {
            int lead = at(in, i);
            int trail = at(in, i + 1);
            if (!within(lead, 0x81, 0xFE)) {
                return malformed(1);
            }
            if (trail < 0) {
                return MORE;
            }
            boolean valid = within(trail, 0x40, 0x7E) || within(trail, 0xA1, 0xFE);
            int pointer = valid ? (lead - 0x81) * 157 + trail - (trail < 0x7F ? 0x40 : 0x62) : -1;
            int pair = pointer == 1133 ? 0 : pointer == 1135 ? 1 : pointer == 1164 ? 2 : pointer == 1166 ? 3 : -1;
            return pair >= 0 ? sequence(2, ByteSequences.PAIRS + pair) : found(2, index.codePoint(pointer), trail);
        }

        @Override
        public long write(int codePoint) {
            // Of these the standard takes the last pointer.
            int pointer = switch (codePoint) {
                case 0x2550 -> 18991;
                case 0x255E -> 18975;
                case 0x2561 -> 18977;
                case 0x256A -> 18976;
                case 0x5341 -> 5512;
                case 0x5345 -> 5599;
                default -> pointers.of(codePoint);
            };
            int trail = pointer % 157;
            return pointer < 0 ? -1 : (long) (pointer / 157 + 0x81) << 8 | trail + (trail < 0x3F ? 0x40 : 0x62);
        }
    }

    /** EUC-JP. */
    static final class EucJp implements ByteSequences {
        private final EncodingIndex index = EncodingIndex.of("jis0208");
        private final EncodingIndex further = EncodingIndex.of("jis0212");
        private final Pointers pointers = index.pointers(pointer -> pointer < 94 * 94);

        @Override
        public long read(ByteBuffer in, int i) {
            int lead = at(in, i);
            int second = at(in, i + 1);
            if (lead != 0x8E && lead != 0x8F && !within(lead, 0xA1, 0xFE)) {
                return malformed(1);
            }
            if (second < 0) {
                return MORE;
            }
            if (lead == 0x8E && within(second, 0xA1, 0xDF)) {
                return sequence(2, HALF_WIDTH + second);
            }
            if (lead == 0x8F && within(second, 0xA1, 0xFE)) {
                int third = at(in, i + 2);
                return third < 0 ? MORE : found(3, further.codePoint(pointer(second, third)), third);
            }
            return found(2, index.codePoint(lead < 0xA1 ? -1 : pointer(lead, second)), second);
        }

        private static int pointer(int lead, int trail) {
            return within(trail, 0xA1, 0xFE) ? (lead - 0xA1) * 94 + trail - 0xA1 : -1;
        }

        @Override
        public long write(int codePoint) {
            if (codePoint == 0xA5 || codePoint == 0x203E) {
                return codePoint == 0xA5 ? 0x5C : 0x7E;
            }
            if (within(codePoint, 0xFF61, 0xFF9F)) {
                return 0x8E00 | codePoint - HALF_WIDTH;
            }
            int pointer = pointers.of(codePoint == 0x2212 ? 0xFF0D : codePoint);
            return pointer < 0 ? -1 : (long) (pointer / 94 + 0xA1) << 8 | pointer % 94 + 0xA1;
        }
    }

    /** EUC-KR with the extensions of Windows. */
    static final class EucKr implements ByteSequences {
        private final EncodingIndex index = EncodingIndex.of("euc-kr");
        private final Pointers pointers = index.pointers(_ -> true);

        @Override
        public long read(ByteBuffer in, int i) {
            int lead = at(in, i);
            int trail = at(in, i + 1);
            if (!within(lead, 0x81, 0xFE)) {
                return malformed(1);
            }
            return trail < 0
                    ? MORE
                    : found(2, index.codePoint(within(trail, 0x41, 0xFE) ? (lead - 0x81) * 190 + trail - 0x41 : -1),
                            trail);
        }

        @Override
        public long write(int codePoint) {
            int pointer = pointers.of(codePoint);
            return pointer < 0 ? -1 : (long) (pointer / 190 + 0x81) << 8 | pointer % 190 + 0x41;
        }
    }

    /** Shift_JIS with the extensions of Windows. */
    static final class ShiftJis implements ByteSequences {
        private static final int FIRST_PRIVATE = 8836;
        private static final int LAST_PRIVATE = 10715;
        private final EncodingIndex index = EncodingIndex.of("jis0208");
        private final Pointers pointers = index.pointers(pointer -> !within(pointer, 8272, 8835));

        @Override
        public long read(ByteBuffer in, int i) {
            int lead = at(in, i);
            if (lead == 0x80 || within(lead, 0xA1, 0xDF)) {
                return sequence(1, lead == 0x80 ? 0x80 : HALF_WIDTH + lead);
            }
            if (lead == 0xA0 || lead > 0xFC) {
                return malformed(1);
            }
            int trail = at(in, i + 1);
            if (trail < 0) {
                return MORE;
            }
            boolean valid = within(trail, 0x40, 0x7E) || within(trail, 0x80, 0xFC);
            int pointer = valid
                    ? (lead - (lead < 0xA0 ? 0x81 : 0xC1)) * 188 + trail - (trail < 0x7F ? 0x40 : 0x41)
                    : -1;
            return within(pointer, FIRST_PRIVATE, LAST_PRIVATE)
                    ? sequence(2, 0xE000 - FIRST_PRIVATE + pointer)
                    : found(2, index.codePoint(pointer), trail);
        }

        @Override
        public long write(int codePoint) {
            if (codePoint == 0x80) {
                return 0x80;
            }
            if (codePoint == 0xA5 || codePoint == 0x203E) {
                return codePoint == 0xA5 ? 0x5C : 0x7E;
            }
            if (within(codePoint, 0xFF61, 0xFF9F)) {
                return codePoint - HALF_WIDTH;
            }
            int pointer = pointers.of(codePoint == 0x2212 ? 0xFF0D : codePoint);
            int lead = pointer / 188;
            int trail = pointer % 188;
            return pointer < 0
                    ? -1
                    : (long) (lead + (lead < 0x1F ? 0x81 : 0xC1)) << 8 | trail + (trail < 0x3F ? 0x40 : 0x41);
        }
    }

    /** gb18030, and GBK, which is read in the same way and has no sequences of four bytes. */
    static final class Gb18030 implements ByteSequences {
        private final EncodingIndex index = EncodingIndex.of("gb18030");
        private final EncodingIndex ranges = EncodingIndex.of("gb18030-ranges");
        private final Pointers pointers = index.pointers(_ -> true);
        /**
         * Places for private use that have other characters since 2022, in order, and their pointers: encoders still
         * know them.
         */
        private static final int[] PRIVATE = {0xE78D, 0xE78E, 0xE78F, 0xE790, 0xE791, 0xE792, 0xE793, 0xE794, 0xE795,
                0xE796, 0xE81E, 0xE826, 0xE82B, 0xE82C, 0xE832, 0xE843, 0xE854, 0xE864};
        private static final int[] PRIVATE_POINTERS = {7182, 7183, 7184, 7185, 7186, 7187, 7188, 7201, 7202, 7208,
                23775, 23783, 23788, 23789, 23795, 23812, 23829, 23845};
        private final boolean gbk;

        Gb18030(boolean gbk) {
            this.gbk = gbk;
        }

        @Override
        public long read(ByteBuffer in, int i) {
            int lead = at(in, i);
            if (lead == 0x80 || lead == 0xFF) {
                return lead == 0x80 ? sequence(1, 0x20AC) : malformed(1);
            }
            int second = at(in, i + 1);
            if (second < 0) {
                return MORE;
            }
            if (within(second, 0x30, 0x39)) {
                return four(in, i, lead, second);
            }
            boolean valid = within(second, 0x40, 0x7E) || within(second, 0x80, 0xFE);
            return found(2, index.codePoint(valid ? (lead - 0x81) * 190 + second - (second < 0x7F ? 0x40 : 0x41) : -1),
                    second);
        }

        private long four(ByteBuffer in, int i, int lead, int second) {
            int third = at(in, i + 2);
            int fourth = at(in, i + 3);
            if (third >= 0 && !within(third, 0x81, 0xFE) || fourth >= 0 && !within(fourth, 0x30, 0x39)) {
                return malformed(1);
            }
            if (fourth < 0) {
                return MORE;
            }
            int pointer = (lead - 0x81) * 12_600 + (second - 0x30) * 1_260 + (third - 0x81) * 10 + fourth - 0x30;
            if (within(pointer, 39_420, 188_999) || pointer > 1_237_575) {
                return malformed(4);
            }
            return sequence(4, pointer == 7_457 ? 0xE7C7 : ranged(pointer, 0));
        }

        /**
         * Ranges are pairs of a pointer and a code point; finds by one of them what belongs to it on the other side.
         */
        private int ranged(int wanted, int side) {
            int low = 0;
            int high = ranges.size() / 2 - 1;
            while (low < high) {
                int middle = (low + high + 1) / 2;
                if (ranges.codePoint(2 * middle + side) <= wanted) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return ranges.codePoint(2 * low + 1 - side) + wanted - ranges.codePoint(2 * low + side);
        }

        @Override
        public long write(int codePoint) {
            if (codePoint == 0xE5E5) {
                return -1;
            }
            if (gbk && codePoint == 0x20AC) {
                return 0x80;
            }
            int known = Arrays.binarySearch(PRIVATE, codePoint);
            int pointer = known >= 0 ? PRIVATE_POINTERS[known] : pointers.of(codePoint);
            if (pointer >= 0) {
                int trail = pointer % 190;
                return (long) (pointer / 190 + 0x81) << 8 | trail + (trail < 0x3F ? 0x40 : 0x41);
            }
            return gbk ? -1 : fourBytes(codePoint == 0xE7C7 ? 7_457 : ranged(codePoint, 1));
        }

        private static long fourBytes(int pointer) {
            return (long) (pointer / 12_600 + 0x81) << 24 | (long) (pointer / 1_260 % 10 + 0x30) << 16
                    | (long) (pointer / 10 % 126 + 0x81) << 8 | pointer % 10 + 0x30;
        }
    }
}
