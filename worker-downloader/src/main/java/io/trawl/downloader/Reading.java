package io.trawl.downloader;

import io.trawl.downloader.frontier.Lane;
import io.trawl.ledger.LogPartition;
import java.util.BitSet;
import org.apache.kafka.common.TopicPartition;

/** One request partition while it is served. Belongs to the reading thread. */
final class Reading {
    private final Lane lane;
    private final TopicPartition partition;
    private final LogPartition log;
    private final long tenure;
    private final long start;
    private BitSet answered;
    private long position;
    private long low;
    private long committed;
    private long trimmed;

    /**
     * @param start where reading begins: what is committed
     * @param answered which offsets from there on are answered already
     */
    Reading(Lane lane, TopicPartition partition, LogPartition log, long tenure, long start, BitSet answered) {
        this.lane = lane;
        this.partition = partition;
        this.log = log;
        this.tenure = tenure;
        this.start = start;
        this.answered = answered;
        this.position = start;
        this.low = start;
        this.committed = start;
        this.trimmed = start;
    }

    Lane lane() {
        return lane;
    }

    TopicPartition partition() {
        return partition;
    }

    LogPartition log() {
        return log;
    }

    long tenure() {
        return tenure;
    }

    long start() {
        return start;
    }

    /** The offset up to which everything has been handed on. */
    long position() {
        return position;
    }

    /** Reading begins again at an offset that was handed on before. */
    void back(long offset) {
        position = Math.min(position, offset);
    }

    /** Whether an answer to this offset was acknowledged before we came. */
    boolean answered(long offset) {
        long bit = offset - start;
        return bit < answered.length() && answered.get((int) bit);
    }

    /** Reading has come this far; true if it is further than before. */
    boolean reached(long next) {
        boolean further = next > position;
        position = Math.max(position, next);
        if (further && position - start >= answered.length()) {
            answered = new BitSet(0);
        }
        return further;
    }

    void low(long offset) {
        low = Math.max(low, offset);
    }

    long low() {
        return low;
    }

    boolean uncommitted() {
        return low > committed;
    }

    void committed(long offset) {
        committed = Math.max(committed, offset);
    }

    long committed() {
        return committed;
    }

    /** How many records could be deleted since that was done last. */
    long trimmable() {
        return committed - trimmed;
    }

    void trimmed() {
        trimmed = committed;
    }
}
