package io.trawl.downloader.fetch.budget;

import com.sun.management.UnixOperatingSystemMXBean;
import io.trawl.memory.HeapShares;
import io.trawl.module.SlotCount.Bound;
import io.trawl.settings.Settings;
import java.lang.management.ManagementFactory;

/**
 * How many exchanges a downloader may have in flight. One that waits for its first byte costs a connection: some heap
 * and a file descriptor. So there are as many as the heap has room for and the process may open, and fewer only by
 * setting. Bodies are limited apart, when they arrive ({@link BodyMemory}).
 *
 * @param slots exchanges in flight
 * @param connections open connections, in use or kept for the next request of a host
 * @param by what decides
 */
public record SlotLimit(int slots, int connections, Bound by) {
    /** The heap that an open connection takes, measured: 27 KB. */
    static final int CONNECTION = 28 * 1024;
    /** Connections that may be kept in any case, if there are that many. */
    private static final int KEPT = 512;
    /** Descriptors for all else: files of logs, an embedded broker, Kafka, Redis, calls. */
    private static final int OTHER_DESCRIPTORS = 1024;

    /** The limit of this process. The JVM has raised its soft limit of descriptors to the hard one when it started. */
    public static SlotLimit of(Settings.DownloaderSettings settings) {
        long descriptors = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Integer.MAX_VALUE;
        return of(settings.concurrency().orElse(Integer.MAX_VALUE), HeapShares.ofThisJvm().connections(), descriptors);
    }

    /** What decides, for people. */
    public String reason() {
        return switch (by) {
            case SETTING -> "TRAWL_DOWNLOADER_CONCURRENCY, or --concurrency, sets it";
            case MEMORY -> "the heap has room for as many connections";
            case DESCRIPTORS -> "the process may not open more files; raise its limit (ulimit -n, LimitNOFILE)";
        };
    }

    /**
     * The limit of a process.
     *
     * @param cap the largest number of slots
     * @param heap bytes for connections
     * @param descriptors that the process may open, for all its uses
     */
    static SlotLimit of(int cap, long heap, long descriptors) {
        long byHeap = heap / CONNECTION;
        long byDescriptors = Math.max(descriptors / 2, descriptors - OTHER_DESCRIPTORS);
        int all = Math.clamp(Math.min(byHeap, byDescriptors), 2, Integer.MAX_VALUE);
        int slots = all - Math.min(KEPT, all / 2);
        return cap <= slots
                ? new SlotLimit(cap, Math.min(all, cap + KEPT), Bound.SETTING)
                : new SlotLimit(slots, all, byHeap <= byDescriptors ? Bound.MEMORY : Bound.DESCRIPTORS);
    }
}
