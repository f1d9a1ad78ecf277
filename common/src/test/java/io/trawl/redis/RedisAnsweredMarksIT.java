package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.LogPartition;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RedisAnsweredMarksIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final String NAMESPACE = TestRedis.namespace();
    private static final RedisStore STORE = REDIS.store(NAMESPACE);
    private static final int BLOCK = 65_536;
    private static int topics;
    private final LogPartition partition = new LogPartition("requests.g1.p" + ++topics, "id", 3);
    private final AnsweredMarks marks = STORE.marks();

    @AfterAll
    static void close() {
        STORE.close();
    }

    @Test
    void marksAreABitSetAcrossBlocks() {
        Random random = new Random(42);
        BitSet model = new BitSet();
        for (int round = 0; round < 20; round++) {
            List<Long> offsets = random.longs(random.nextInt(200), 0, 4 * BLOCK).boxed().toList();
            marks.mark(partition, offsets);
            offsets.forEach(offset -> model.set(offset.intValue()));
        }
        for (int round = 0; round < 200; round++) {
            int from = random.nextInt(4 * BLOCK);
            int count = random.nextInt(round % 2 == 0 ? 40 : 3 * BLOCK);
            assertThat(marks.answered(partition, from, count)).as("%d from %d", count, from)
                    .isEqualTo(model.get(from, from + count));
        }
    }

    @Test
    void theEndsOfBlocksAndOfTheRangeOfOffsetsAreExact() {
        long last = (1L << 40) - 1;
        marks.mark(partition, List.of(0L, BLOCK - 1L, (long) BLOCK, 3L * BLOCK + 7, last));
        assertThat(marks.answered(partition, 0, 1).cardinality()).isEqualTo(1);
        assertThat(marks.answered(partition, 1, BLOCK - 2).isEmpty()).isTrue();
        assertThat(marks.answered(partition, BLOCK - 1, 2).cardinality()).isEqualTo(2);
        assertThat(marks.answered(partition, 3L * BLOCK + 7, 1).cardinality()).isEqualTo(1);
        assertThat(marks.answered(partition, last - 9, 10).stream().boxed()).containsExactly(9);
        assertThat(marks.answered(partition, 5, 0).isEmpty()).isTrue();
    }

    @Test
    void eachCallIsOneRoundTrip() {
        marks.mark(partition, List.of(1L));
        marks.answered(partition, 0, 10);
        long before = REDIS.calls("evalsha");
        marks.mark(partition, LongStream.range(0, 1000).map(i -> i * 777).boxed().toList());
        marks.answered(partition, 1, 5 * BLOCK);
        assertThat(REDIS.calls("evalsha") - before).isEqualTo(2);
    }

    @Test
    void onlyWholeBlocksBelowTheOffsetAreDropped() {
        marks.mark(partition, List.of(5L, BLOCK + 5L, 2L * BLOCK + 5, 2L * BLOCK + 900));
        marks.dropBelow(partition, 2L * BLOCK + 800);
        assertThat(blocks()).containsExactly("2", "blocks");
        assertThat(marks.answered(partition, 0, 3 * BLOCK).stream().boxed()).containsExactly(2 * BLOCK + 5,
                2 * BLOCK + 900);
    }

    @Test
    void anotherProcessDropsTheMarksOfThisOne() {
        marks.mark(partition, List.of(5L, 70L * BLOCK));
        AnsweredMarks afterARestart = STORE.marks();
        afterARestart.dropBelow(partition, 70L * BLOCK);
        assertThat(blocks()).containsExactly("70", "blocks");
    }

    @Test
    void marksThatAPausedProcessWritesLateAreDroppedWithTheNextBlock() {
        marks.mark(partition, List.of(5L, 9L * BLOCK));
        marks.dropBelow(partition, 8L * BLOCK);
        marks.mark(partition, List.of(3L * BLOCK));
        marks.dropBelow(partition, 9L * BLOCK);
        assertThat(blocks()).containsExactly("9", "blocks");
    }

    @Test
    void aCompletelyDroppedPartitionLeavesNoKey() {
        marks.mark(partition, IntStream.of(0, 1, 2500, 2501).mapToObj(block -> (long) block * BLOCK).toList());
        marks.dropBelow(partition, Long.MAX_VALUE);
        assertThat(blocks()).isEmpty();
        STORE.marks().dropBelow(partition, Long.MAX_VALUE);
        marks.mark(partition, List.of(1L));
        assertThat(marks.answered(partition, 0, 3).stream().boxed()).containsExactly(1);
    }

    @Test
    void aTopicThatIsCreatedAgainHasNoMarks() {
        marks.mark(partition, List.of(1L));
        assertThat(marks.answered(new LogPartition(partition.topic(), "other", 3), 0, 10).isEmpty()).isTrue();
        assertThat(marks.answered(new LogPartition(partition.topic(), "id", 4), 0, 10).isEmpty()).isTrue();
    }

    private List<String> blocks() {
        return REDIS.keys(NAMESPACE + "marks:" + partition.topic() + ":*").stream()
                .map(key -> key.substring(key.lastIndexOf(':') + 1)).toList();
    }
}
