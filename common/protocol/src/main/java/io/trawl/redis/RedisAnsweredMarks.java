package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LogPartition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Answered marks as one bitmap per partition and block of 65,536 offsets (8 KB). Redis also stores the range of blocks
 * that may exist, so that dropping needs no search and finds blocks that an earlier process left or a paused one wrote
 * late. A call is one round trip, but for those that drop blocks.
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
        Map<Long, List<Long>> byBlock = offsets.stream()
                .collect(Collectors.groupingBy(offset -> offset >>> BLOCK_BITS, TreeMap::new, Collectors.toList()));
        List<String> keys = new ArrayList<>(List.of(range(partition)));
        List<byte[]> arguments = new ArrayList<>();
        byBlock.forEach((block, of) -> {
            ByteBuffer packed = ByteBuffer.allocate(of.size() * 5);
            of.forEach(offset -> PackedFacts.writeOffset(offset, packed));
            keys.add(redisKeys.marks(partition) + block);
            arguments.add(packed.array());
        });
        redis.number(RedisScript.MARK, keys, arguments.toArray(byte[][]::new));
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
        long last = from + count - 1;
        byte[] bits = redis.bytes(RedisScript.ANSWERED, blocks(partition, from >>> BLOCK_BITS, last >>> BLOCK_BITS),
                text(firstByte), text(last >>> 3));
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
        List<String> none = List.of(range(partition));
        for (long first = redis.number(RedisScript.DROP, none, text(stays), text(0)); first >= 0;) {
            List<String> keys = new ArrayList<>(none);
            keys.addAll(blocks(partition, first, Math.min(stays, first + DROPPED_AT_A_TIME) - 1));
            first = redis.number(RedisScript.DROP, keys, text(stays), text(first));
        }
        dropped.merge(partition, stays, Math::max);
    }

    private String range(LogPartition partition) {
        return redisKeys.marks(partition) + "blocks";
    }

    private List<String> blocks(LogPartition partition, long first, long last) {
        return LongStream.rangeClosed(first, last).mapToObj(block -> redisKeys.marks(partition) + block).toList();
    }
}
