package io.trawl.downloader.frontier.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class OpenOffsetsTest {
    /** The reference: a sorted set and the position. */
    @Property(tries = 300)
    void theLowWaterMarkIsTheLowestOpenOffsetElseThePosition(@ForAll long seed) {
        Random random = new Random(seed);
        long next = random.nextInt(5);
        OpenOffsets offsets = new OpenOffsets(next);
        TreeSet<Long> open = new TreeSet<>();
        List<Long> ever = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            if (random.nextInt(5) < 3) {
                long offset = next + random.nextInt(3);
                offsets.delivered(offset);
                open.add(offset);
                ever.add(offset);
                next = offset + 1;
            } else if (random.nextInt(10) == 0) {
                next += random.nextInt(3);
                offsets.reached(next);
            } else if (!ever.isEmpty()) {
                long offset = ever.get(random.nextInt(ever.size()));
                offsets.answered(offset);
                open.remove(offset);
            }
            assertThat(offsets.lowWater()).isEqualTo(open.isEmpty() ? next : open.first());
            assertThat(offsets.open()).isEqualTo(open.size());
        }
    }
}
