package io.trawl.downloader.frontier;

/**
 * How far ahead it pays to look at one host. Requests that are answered without a fetch, or put aside, come in long rows (the links that every page
 * repeats, the requests of a stopped crawl): each doubles the reach, so that they are passed at the speed of a scan; each fetch halves it, since a
 * verdict or a body would grow old before its turn. Belongs to the frontier's thread.
 */
final class Reach {
    private static final int LEAST_JUDGED = 2;
    private static final int MOST_JUDGED = 64;
    private static final int LEAST_READ = 8;
    private static final int MOST_READ = 1024;
    private short judging = LEAST_JUDGED;
    private short reading = LEAST_READ;

    /** One is passed without a fetch. */
    void widen() {
        judging = (short) Math.min(MOST_JUDGED, judging * 2);
        reading = (short) Math.min(MOST_READ, reading * 2);
    }

    /** One is put aside without a question to the ledger. */
    void skipped() {
        reading = (short) Math.min(MOST_READ, reading * 2);
    }

    /** One is fetched. */
    void narrow() {
        judging = (short) Math.max(LEAST_JUDGED, judging / 2);
        reading = (short) Math.max(LEAST_READ, reading / 2);
    }

    /** How many requests to ask the ledger about at once. */
    int judging() {
        return judging;
    }

    /** How many bodies to read at once. */
    int reading() {
        return reading;
    }
}
