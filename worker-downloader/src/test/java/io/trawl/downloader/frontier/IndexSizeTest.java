package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a million offsets take: one host with half of them, ten thousand with fifty each, mixed in one lane. */
class IndexSizeTest {
    private static final int HOSTS = 10_000;
    private static final int EACH = 50;

    @Test
    void anOffsetOfALargeHostTakesAByteAndOneOfASmallHostFew() {
        HostBoard board = new HostBoard(3, new BodyRoom(0), Shares.strict());
        Tenure tenure = new Tenure(new Lane(1, 0), 1, 0);
        HostQueue large = board.host(new HostKey("large"));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < HOSTS * EACH; i++) {
            order.add(i % HOSTS);
            order.add(HOSTS);
        }
        Collections.shuffle(order, new Random(7));
        for (int offset = 0; offset < order.size(); offset++) {
            HostQueue host = order.get(offset) == HOSTS ? large : board.host(new HostKey("small" + order.get(offset)));
            host.append(tenure, offset);
            tenure.offsets().delivered(offset);
        }
        long small = board.hosts().stream().filter(host -> host != large).mapToLong(HostQueue::room).sum();
        assertThat((double) large.room() / HOSTS / EACH).as("bytes per offset of the large host").isLessThan(1.3);
        assertThat((double) small / HOSTS / EACH).as("bytes per offset of a small host").isLessThan(4);
    }
}
