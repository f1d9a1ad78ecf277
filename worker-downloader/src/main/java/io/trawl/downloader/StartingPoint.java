package io.trawl.downloader;

import io.trawl.downloader.answer.Outage;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.LogPartition;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.BitSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the reading of one partition begins.
 *
 * @param offset what is committed
 * @param end where the partition ended when it was assigned: nobody before us has answered anything above
 * @param answered the offsets from {@code offset} on that are answered already; bit 0 is {@code offset}
 */
record StartingPoint(TopicPartition partition, LogPartition log, long offset, long end, BitSet answered) {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final int BLOCK = 65_536;

    StartingPoint(TopicPartition partition, LogPartition log, long offset, long end) {
        this(partition, log, offset, end, new BitSet());
    }

    /**
     * The same with the marks, read in pieces of a block; waits while Redis is away.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    StartingPoint withMarks(AnsweredMarks marks, Outage outage, Time time) throws InterruptedException {
        BitSet all = new BitSet();
        for (long at = offset; at < end;) {
            try {
                int count = (int) Math.min(BLOCK - at % BLOCK, end - at);
                int base = (int) (at - offset);
                marks.answered(log, at, count).stream().forEach(bit -> all.set(base + bit));
                at += count;
                outage.end();
            } catch (LedgerUnavailable e) {
                outage.begin(e);
                time.pause(PAUSE);
            }
        }
        return new StartingPoint(partition, log, offset, end, all);
    }
}
