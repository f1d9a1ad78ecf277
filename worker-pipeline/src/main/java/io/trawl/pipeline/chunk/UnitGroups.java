package io.trawl.pipeline.chunk;

import java.util.stream.IntStream;

/**
 * Puts neighbouring units together. A boundary is cut if what lies between the nearest stronger ones on both sides does
 * not fit into a chunk: the leaves of a treap (R. Seidel and C. Aragon, Randomized search trees, 1996) that fit. Its
 * strength is its kind, and among those of one kind a hash of the characters behind it. So a sentence, a paragraph or a
 * section that fits is never cut, and an edit moves no boundary farther away than a chunk is long. Then small chunks
 * are put to a neighbour, over the weakest boundaries first. Takes time in proportion to n log n. Stateless.
 */
final class UnitGroups {
    /**
     * Characters behind a boundary that decide about it. Those before do not, so that a new paragraph before another
     * one leaves the strength of that one as it is.
     */
    private static final int WINDOW = 16;
    /** A chunk is small up to this part of the largest one. All that fit together would move one another. */
    private static final int SMALL_PART = 4;
    private static final int INDEX_BITS = 27;
    private static final int KIND_SHIFT = 59;
    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    private UnitGroups() {}

    /** What a part of units takes. */
    @FunctionalInterface
    interface PartSize {
        /** Its tokens. @param first of its units @param last of its units */
        int of(int first, int last);
    }

    /** The first unit of each group, in their order. @param most the largest size of a group of several units */
    static int[] of(String text, Units units, PartSize size, int most) {
        if (units.size() == 0) {
            return new int[0];
        }
        long[] strengths = strengths(text, units);
        int[] parts = cut(strengths, size, most);
        return joined(parts, strengths, size, most);
    }

    /** Of the boundary before each unit the kind, the hash, and the unit, so that no two are equal. */
    private static long[] strengths(String text, Units units) {
        long[] strengths = new long[units.size()];
        strengths[0] = Long.MAX_VALUE;
        for (int unit = 1; unit < strengths.length; unit++) {
            strengths[unit] = (long) units.boundary(unit) << KIND_SHIFT
                    | (hash(text, units.start(unit)) & 0xffff_ffffL) << INDEX_BITS | unit;
        }
        return strengths;
    }

    private static int[] cut(long[] strengths, PartSize size, int most) {
        int n = strengths.length;
        int[] left = new int[n];
        boolean[] cut = new boolean[n];
        int[] stack = new int[n];
        int depth = 0;
        for (int unit = 0; unit <= n; unit++) {
            while (depth > 0 && (unit == n || strengths[stack[depth - 1]] < strengths[unit])) {
                int weaker = stack[--depth];
                cut[weaker] = size.of(left[weaker], unit - 1) > most;
            }
            if (unit < n) {
                left[unit] = depth == 0 ? 0 : stack[depth - 1];
                stack[depth++] = unit;
            }
        }
        cut[0] = true;
        fit(cut, strengths, size, most);
        return IntStream.range(0, n).filter(unit -> cut[unit]).toArray();
    }

    /**
     * A part may take more than a larger one around it, which has the closing fence that is added to the part: it is
     * cut, too.
     */
    private static void fit(boolean[] cut, long[] strengths, PartSize size, int most) {
        for (int first = 0; first < cut.length;) {
            int next = first + 1;
            while (next < cut.length && !cut[next]) {
                next++;
            }
            while (next > first + 1 && size.of(first, next - 1) > most) {
                int strongest = first + 1;
                for (int unit = first + 2; unit < next; unit++) {
                    strongest = strengths[unit] > strengths[strongest] ? unit : strongest;
                }
                cut[strongest] = true;
                next = strongest;
            }
            first = next;
        }
    }

    /** @param parts the first units of what was cut */
    private static int[] joined(int[] parts, long[] strengths, PartSize size, int most) {
        int n = parts.length;
        int[] begin = IntStream.range(0, n).toArray();
        int[] end = begin.clone();
        boolean[] gone = new boolean[n];
        long[] order = IntStream.range(1, n).mapToLong(i -> strengths[parts[i]] & ~INDEX_MASK | i).sorted().toArray();
        for (long boundary : order) {
            int right = (int) (boundary & INDEX_MASK);
            int first = parts[begin[right - 1]];
            int middle = parts[right];
            int last = end[right] + 1 < n ? parts[end[right] + 1] - 1 : strengths.length - 1;
            boolean small = Math.min(size.of(first, middle - 1), size.of(middle, last)) <= most / SMALL_PART;
            if (small && size.of(first, last) <= most) {
                int from = begin[right - 1];
                int to = end[right];
                end[from] = to;
                begin[to] = from;
                gone[right] = true;
            }
        }
        return IntStream.range(0, n).filter(i -> !gone[i]).map(i -> parts[i]).toArray();
    }

    /** FNV-1a (G. Fowler, L. Noll and K.-P. Vo) of the text, without white space, with MurmurHash3's finalizer. */
    private static int hash(String text, int at) {
        int hash = 0x811c9dc5;
        int found = 0;
        for (int i = at; i < text.length() && found < WINDOW && i - at < 4 * WINDOW; i++) {
            char c = text.charAt(i);
            if (!TokenCount.isSpace(c)) {
                hash = (hash ^ c) * 0x01000193;
                found++;
            }
        }
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }
}
