package io.trawl.downloader.frontier.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class OffsetQueueTest {
    /** The reference: an ordinary queue of numbers. */
    @Property(tries = 300)
    void isAQueueOfNumbers(@ForAll long seed) {
        Random random = new Random(seed);
        OffsetQueue queue = new OffsetQueue();
        Deque<Long> reference = new ArrayDeque<>();
        long near = random.nextInt(1000);
        for (int i = 0; i < 500; i++) {
            near = switch (random.nextInt(20)) {
                case 0 -> random.nextLong() >>> random.nextInt(1, 64);
                case 1 -> Math.max(0, near - random.nextInt(100_000));
                default -> near + random.nextInt(300);
            };
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    queue.addLast(near);
                    reference.addLast(near);
                }
                case 3 -> {
                    queue.addFirst(near);
                    reference.addFirst(near);
                }
                default -> {
                    if (!reference.isEmpty()) {
                        queue.removeFirst();
                        reference.removeFirst();
                    }
                }
            }
            assertThat(queue.size()).isEqualTo(reference.size());
            if (!reference.isEmpty()) {
                assertThat(queue.first()).isEqualTo(reference.getFirst());
                int most = random.nextInt(1, 20);
                assertThat(queue.next(most, 500)).containsExactly(next(reference, most, 500));
            }
        }
        while (!reference.isEmpty()) {
            assertThat(queue.first()).isEqualTo(reference.removeFirst());
            queue.removeFirst();
        }
        assertThat(queue.isEmpty()).isTrue();
        assertThatThrownBy(queue::first).isInstanceOf(IllegalStateException.class);
    }

    private static long[] next(Deque<Long> reference, int most, long span) {
        List<Long> next = new ArrayList<>();
        for (long offset : reference) {
            if (next.size() == most
                    || !next.isEmpty() && (offset <= next.getLast() || offset - next.getFirst() > span)) {
                break;
            }
            next.add(offset);
        }
        return next.stream().mapToLong(Long::longValue).toArray();
    }

    @Test
    void fiveMillionOffsetsOfOneHostTakeLittleMoreThanAByteEach() {
        OffsetQueue queue = new OffsetQueue();
        Random random = new Random(1);
        long offset = 0;
        for (int i = 0; i < 5_000_000; i++) {
            offset += 1 + random.nextInt(3);
            queue.addLast(offset);
        }
        assertThat(queue.memory()).isLessThan(6_500_000);
    }

    @Test
    void fiftyOffsetsOfASmallHostAmongManyTakeLessThanFourBytesEach() {
        OffsetQueue queue = new OffsetQueue();
        Random random = new Random(1);
        long offset = 0;
        for (int i = 0; i < 50; i++) {
            offset += 1 + random.nextInt(40_000);
            queue.addLast(offset);
        }
        assertThat(queue.memory()).isLessThan(4 * 50);
    }

    @Test
    void removedOffsetsFreeTheirMemory() {
        OffsetQueue queue = new OffsetQueue();
        long[] last = {0};
        for (int i = 0; i < 100_000; i++) {
            queue.addLast(i);
            queue.addLast(i + 50L);
            queue.removeFirst();
            if (i > 100) {
                queue.removeFirst();
            }
            last[0] = Math.max(last[0], queue.memory());
        }
        assertThat(last[0]).isLessThan(2000);
        assertThat(Arrays.stream(queue.next(3, 100)).count()).isPositive();
    }
}
