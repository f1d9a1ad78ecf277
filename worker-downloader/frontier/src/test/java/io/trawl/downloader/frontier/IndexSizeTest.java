package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.fairness.RunWeights;
import io.trawl.downloader.frontier.queue.Assignment;
import io.trawl.downloader.frontier.queue.BodyBudget;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.frontier.fairness.PriorityShares;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.HostKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The memory of a million offsets: one host with half of them, ten thousand with fifty each, mixed in one partition.
 */
class IndexSizeTest {
    private static final int HOSTS = 10_000;
    private static final int EACH = 50;

    @Test
    void anOffsetOfALargeHostTakesAByteAndOneOfASmallHostFew() {
        HostTable hostTable = new HostTable(3, new BodyBudget(0), PriorityShares.strict(), RunWeights.equal(), 4, 1);
        Assignment assignment = new Assignment(new RequestPartition(1, 0), 1, 0);
        HostQueue large = hostTable.host(new HostKey("large"));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < HOSTS * EACH; i++) {
            order.add(i % HOSTS);
            order.add(HOSTS);
        }
        Collections.shuffle(order, new Random(7));
        for (int offset = 0; offset < order.size(); offset++) {
            HostQueue host = order.get(offset) == HOSTS
                    ? large
                    : hostTable.host(new HostKey("small" + order.get(offset)));
            host.append(assignment, Optional.of(World.RUN), offset);
            assignment.offsets().delivered(offset);
        }
        long small = hostTable.hosts().stream().filter(host -> host != large).mapToLong(HostQueue::memory).sum();
        assertThat((double) large.memory() / HOSTS / EACH).as("bytes per offset of the large host").isLessThan(1.3);
        assertThat((double) small / HOSTS / EACH).as("bytes per offset of a small host").isLessThan(4);
    }
}
