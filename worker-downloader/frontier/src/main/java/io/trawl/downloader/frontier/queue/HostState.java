package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.frontier.fairness.SlotShares.SlotStage;
import io.trawl.downloader.frontier.fairness.SlotTime;

/** The state of a host. */
public enum HostState {
    /** No requests. */
    IDLE,
    /**
     * Must be left alone until {@link HostQueue#since}; if the body of its best request is not in memory, until it must
     * be read.
     */
    WAITING,
    /** May be asked now or soon, but the body of its best request is not in memory. */
    UNREAD,
    /** Like {@link #UNREAD}, and the body is being read. */
    READING,
    /** May be asked now; its best request has not been looked up in the ledger, or matched with robots.txt. */
    DUE,
    /** May be asked now; the ledger lookup, or the match with robots.txt, is in flight. */
    ASKING,
    /** May be asked now; the addresses of its name are being looked up, which takes no slot. */
    RESOLVING,
    /** May be asked now; all about its best request is known. */
    READY,
    /** May be asked now or soon, but its domain, run or group uses its part of the slots. */
    LIMITED,
    /** The limit of requests in flight is reached. */
    BUSY;

    /** What a host in this state wants of the slots. */
    SlotStage stage(HostQueue host, long since) {
        return switch (this) {
            // Names without an answer are as many as hosts: none of them keeps a slot from others.
            case IDLE, RESOLVING -> SlotStage.NOTHING;
            case WAITING -> since == Long.MAX_VALUE ? SlotStage.NOTHING : SlotStage.LATER;
            case BUSY -> host.empty() ? SlotStage.LAST : SlotStage.BUSY;
            case UNREAD, READING, DUE, ASKING, READY -> SlotStage.TURN;
            case LIMITED -> SlotStage.SHARE;
        };
    }

    /** The slots that a host wants: all of one if it waits for nothing else, or as many as it uses on average. */
    int load(HostQueue host, long since) {
        return switch (this) {
            case DUE, ASKING, READY -> SlotTime.WHOLE;
            case IDLE, WAITING, UNREAD, READING, RESOLVING, LIMITED, BUSY ->
                host.slotTime().load(host.pace().restBefore(since));
        };
    }
}
