package io.trawl.downloader.trap;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What the latest pages of one host in one run had in common. A page is sampled as a set of shingles, runs of 32
 * characters of its text (Broder, On the resemblance and containment of documents, 1997), which the Gear hash finds in
 * one pass (Xia et al., FastCDC, USENIX ATC 2016). Digits and tags do not count, so that the pages of a calendar are
 * equal. A page repeats earlier ones if nearly all of its shingles have been seen, or if its path only grows. The
 * shingles seen are in two generations of a Bloom filter with one hash function, so that old ones are forgotten and
 * memory is bounded. Not thread-safe.
 */
final class PageHistory {
    /** Small sites end before this costs anything. */
    static final int FIRST_PAGES = 16;
    /** After so many pages only some are looked at. */
    private static final int ALL_PAGES = 256;
    private static final int SOME = 4;
    /** One shingle in 32 is looked at: those whose hash begins with five zero bits. */
    private static final int SAMPLED = Integer.SIZE - 5;
    private static final int MOST_SHINGLES = 512;
    private static final int MOST_BYTES = 64 << 10;
    /** A page with at most one new shingle in this many is a repetition. */
    private static final int NEARLY_ALL = 128;
    private static final int BITS_LOG = 14;
    private static final int BITS = 1 << BITS_LOG;
    private static final int GENERATION = BITS / 8;
    private static final int WINDOW = 64;
    private static final int TRAP = 58;
    private static final int NO_TRAP = 32;
    private static final long[] NONE = {};
    /** A random number for each byte, the same for upper and lower case; 0 for digits. */
    private static final int[] GEAR = gear();
    private long[] seen = NONE;
    private long[] seenBefore = NONE;
    private int added;
    private int pages;
    private int judged;
    private long repetitions;
    private volatile boolean trap;

    /** Whether the latest pages repeat each other. */
    boolean trap() {
        return trap;
    }

    /** How many of the last {@value #WINDOW} pages were repetitions. */
    int repetitions() {
        return Long.bitCount(repetitions);
    }

    /**
     * A page was fetched. Its host is a trap when {@value #TRAP} of {@value #WINDOW} pages are repetitions, until they
     * are {@value #NO_TRAP} at most.
     *
     * @param html whether the body has text that can be compared
     * @return whether {@link #trap} has changed
     */
    boolean add(String url, byte[] body, boolean html) {
        pages++;
        if (pages <= FIRST_PAGES || !trap && pages > ALL_PAGES && url.hashCode() % SOME != 0) {
            return false;
        }
        boolean repeats = PathPattern.endless(url);
        if (html) {
            repeats |= repeats(body);
        } else if (!repeats) {
            return false;
        }
        repetitions = repetitions << 1 | (repeats ? 1 : 0);
        judged = Math.min(WINDOW, judged + 1);
        boolean was = trap;
        trap = judged == WINDOW && repetitions() > (trap ? NO_TRAP : TRAP - 1);
        return trap != was;
    }

    private boolean repeats(byte[] body) {
        int[] shingles = new int[MOST_SHINGLES];
        int count = sample(body, shingles);
        int fresh = 0;
        for (int i = 0; i < count; i++) {
            fresh += look(shingles[i]) ? 0 : 1;
        }
        return fresh <= count / NEARLY_ALL;
    }

    /** Whether a shingle was seen; it is from now on. */
    private boolean look(int shingle) {
        if (seen.length == 0 || added == GENERATION) {
            seenBefore = seen;
            seen = new long[BITS / Long.SIZE];
            added = 0;
        }
        int at = shingle * 0x9E3779B1 >>> Integer.SIZE - BITS_LOG;
        long bit = 1L << at;
        int word = at / Long.SIZE;
        if ((seen[word] & bit) != 0) {
            return true;
        }
        seen[word] |= bit;
        added++;
        return seenBefore.length > 0 && (seenBefore[word] & bit) != 0;
    }

    /** Samples the shingles of a page; a page of little text is one shingle. */
    private static int sample(byte[] body, int[] shingles) {
        int end = Math.min(body.length, MOST_BYTES);
        int count = 0;
        int hash = 0;
        for (int i = 0; i < end && count < MOST_SHINGLES; i++) {
            byte b = body[i];
            int gear = GEAR[b & 0xff];
            if (b == '<') {
                i = endOfTag(body, i, end);
            } else if (gear != 0) {
                hash = (hash << 1) + gear;
                if (hash >>> SAMPLED == 0) {
                    shingles[count++] = hash;
                }
            }
        }
        if (count == 0) {
            shingles[count++] = hash;
        }
        return count;
    }

    private static int endOfTag(byte[] body, int start, int end) {
        int i = start;
        while (i < end && body[i] != '>') {
            i++;
        }
        return i;
    }

    private static int[] gear() {
        SplittableRandom random = new SplittableRandom(1);
        int[] gear = new int[256];
        for (int b = 0; b < gear.length; b++) {
            gear[b] = random.nextInt() | 1;
        }
        for (int b = 'A'; b <= 'Z'; b++) {
            gear[b] = gear[b | 0x20];
        }
        Arrays.fill(gear, '0', '9' + 1, 0);
        return gear;
    }
}
