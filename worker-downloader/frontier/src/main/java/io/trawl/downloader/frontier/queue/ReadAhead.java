package io.trawl.downloader.frontier.queue;

/**
 * How far to read ahead at one host. Requests that are answered without a fetch, or parked, come in long runs (links
 * that every page repeats, requests of a stopped crawl). Each of them doubles the distance, so that they are passed at
 * the speed of a scan. Each fetch halves it, since facts and bodies would be outdated before their turn. Belongs to the
 * frontier's thread.
 */
public final class ReadAhead {
    private static final int LEAST_LOOK_UPS = 2;
    private static final int MOST_LOOK_UPS = 64;
    private static final int LEAST_READ = 8;
    private static final int MOST_READ = 1024;
    private short lookUps = LEAST_LOOK_UPS;
    private short reading = LEAST_READ;

    /** A request was answered without a fetch. */
    public void widen() {
        lookUps = (short) Math.min(MOST_LOOK_UPS, lookUps * 2);
        reading = (short) Math.min(MOST_READ, reading * 2);
    }

    /** A request was parked without a ledger lookup. */
    public void skipped() {
        reading = (short) Math.min(MOST_READ, reading * 2);
    }

    /** A request is fetched. */
    public void narrow() {
        lookUps = (short) Math.max(LEAST_LOOK_UPS, lookUps / 2);
        reading = (short) Math.max(LEAST_READ, reading / 2);
    }

    /** The number of requests per ledger lookup. */
    int lookUps() {
        return lookUps;
    }

    /** The number of bodies per read. */
    public int reading() {
        return reading;
    }
}
