package io.trawl.memory;

/**
 * The one place that divides the heap of a process: what depends on its size is derived here. {@code docs/security.md}
 * has the table. The shares are such that all stages and an embedded broker fit into one heap of 256 MiB together; from
 * 1 GiB on, buffers are as large as if there were no limit. Immutable.
 *
 * @param heap the largest size of the heap, in bytes
 */
public record HeapShares(long heap) {
    private static final long MIB = 1 << 20;
    /** What a process holds that does no work: classes, clients, the caches of an embedded broker. */
    private static final long BASE = 64 * MIB;

    /** The shares of this JVM. */
    public static HeapShares ofThisJvm() {
        return new HeapShares(Runtime.getRuntime().maxMemory());
    }

    private long forWork() {
        return Math.max(heap - BASE, heap / 2);
    }

    /** Bytes for the bodies that a downloader receives, decodes and writes. */
    public long bodies() {
        return forWork() / 4;
    }

    /** Bytes for the answers that a downloader keeps for pages that ask for the same again. */
    public long answers() {
        return forWork() / 32;
    }

    /** Bytes for the open connections of a downloader, in use or kept. */
    public long connections() {
        return forWork() / 5;
    }

    /** Bytes for the pages that an analyzer parses. */
    public long parsing() {
        return forWork() / 4;
    }

    /** Bytes for the bodies of calls and what is made of them. */
    public long calls() {
        return forWork() / 4;
    }

    /** Entries of 17 bytes in the cache of facts about URLs. */
    public int facts() {
        return Math.clamp(forWork() / 64 / 17, 1, Integer.MAX_VALUE);
    }

    /** Bytes of the records that one poll of a consumer returns; what is made of them takes several times as much. */
    public long poll() {
        return Math.max(MIB, forWork() / 32);
    }

    /** Bytes that a consumer fetches from a broker at a time; a larger record is fetched alone. */
    public int fetch() {
        return Math.clamp(forWork() / 16, (int) MIB, 50 * (int) MIB);
    }

    /**
     * Bytes of the records that a producer has not sent yet.
     *
     * @param largestRecord in bytes: it always fits
     */
    public long unsent(int largestRecord) {
        return Math.max(largestRecord, Math.min(forWork() / 24, 32 * MIB));
    }
}
