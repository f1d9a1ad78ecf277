package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LogPartition;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answered marks as one bitmap per partition and block of 65,536 offsets (8 KB). Redis also stores the range of blocks
 * that may exist, so that dropping needs no search and finds blocks that an earlier process left or a paused one wrote
 * late. Every call is one round trip.
 */
final class RedisAnsweredMarks implements AnsweredMarks {
    private static final int BLOCK_BITS = 16;
    private static final int DROPPED_AT_A_TIME = 1000;

    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    /** The block below which this process has dropped: most commits stay inside a block and need no call. */
    private final Map<LogPartition, Long> dropped = new ConcurrentHashMap<>();

    RedisAnsweredMarks(RedisConnection redis, RedisKeys redisKeys) {
        this.redis = redis;
        this.redisKeys = redisKeys;
    }

    @Override
    public void mark(LogPartition partition, Collection<Long> offsets) {
        if (offsets.isEmpty()) {
            return;
        }
        ByteBuffer packed = ByteBuffer.allocate(offsets.size() * 5);
        offsets.forEach(offset -> PackedFacts.writeOffset(offset, packed));
        redis.number(RedisScript.MARK, redisKeys.marks(partition), packed.array());
    }

    @Override
    public BitSet answered(LogPartition partition, long from, int count) {
        if (from < 0 || count < 0) {
            throw new IllegalArgumentException("from " + from + ", count " + count);
        }
        if (count == 0) {
            return new BitSet();
        }
        long firstByte = from >>> 3;
        byte[] bits = redis.bytes(RedisScript.ANSWERED, redisKeys.marks(partition), text(firstByte),
                text(from + count - 1 >>> 3));
        for (int i = 0; i < bits.length; i++) {
            // Redis counts the bits of a byte from the highest, BitSet from the lowest.
            bits[i] = (byte) (Integer.reverse(bits[i]) >>> 24);
        }
        int skipped = (int) (from - (firstByte << 3));
        return BitSet.valueOf(bits).get(skipped, skipped + count);
    }

    @Override
    public void dropBelow(LogPartition partition, long offset) {
        long stays = offset >>> BLOCK_BITS;
        if (dropped.getOrDefault(partition, 0L) >= stays) {
            return;
        }
        long left = 1;
        while (left == 1) {
            left = redis.number(RedisScript.DROP, redisKeys.marks(partition), text(stays), text(DROPPED_AT_A_TIME));
        }
        dropped.merge(partition, stays, Math::max);
    }
}
