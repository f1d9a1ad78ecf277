package io.trawl.downloader.frontier.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A queue of bodies, offsets and retried requests against a plain list. */
class RunQueueTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private final Assignment assignment = new Assignment(new RequestPartition(0, 0), 1, 0);

    private PendingRequest request(long offset) {
        return new PendingRequest(assignment, offset,
                RequestBuilder.builder().id(new RequestId(offset)).run(RUN).url("http://a/" + offset)
                        .host(new HostKey("a")).depth(1).domains(1).options(FetchOptions.NONE).build(),
                100);
    }

    @Property(tries = 300)
    void firstInFirstOutHoweverBodiesComeAndGo(@ForAll @Size(max = 200) List<@IntRange(max = 4) Integer> steps) {
        RunQueue queue = new RunQueue(Optional.of(RUN));
        List<Long> model = new ArrayList<>();
        long offsets = 0;
        for (int step : steps) {
            switch (step) {
                case 0 -> {
                    queue.append(assignment, offsets);
                    model.add(offsets++);
                }
                case 1 -> {
                    PendingRequest retried = request(offsets);
                    retried.attempt();
                    queue.append(retried);
                    model.add(offsets++);
                }
                case 2 -> queue.unread().ifPresent(unread -> {
                    queue.addLast(request(unread.offsets().first()));
                    queue.removeFirstUnread();
                });
                case 3 -> queue.unload();
                default -> queue.removeFirst().ifPresent(p -> assertThat(p.offset()).isEqualTo(model.removeFirst()));
            }
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
        }
        while (!queue.isEmpty()) {
            Optional<PendingRequest> first = queue.removeFirst();
            if (first.isPresent()) {
                assertThat(first.get().offset()).isEqualTo(model.removeFirst());
            } else {
                queue.addLast(request(queue.unread().orElseThrow().offsets().first()));
                queue.removeFirstUnread();
            }
        }
        assertThat(model).isEmpty();
    }
}
