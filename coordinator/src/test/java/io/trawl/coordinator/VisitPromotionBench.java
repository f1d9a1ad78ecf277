package io.trawl.coordinator;

import static org.awaitility.Awaitility.await;

import com.sun.management.OperatingSystemMXBean;
import io.trawl.codec.Codec;
import io.trawl.control.CrawlState;
import io.trawl.model.ChangeRate;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.worker.Worker;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Run by hand ({@code -Dit.test=VisitPromotionBench}): the CPU time that the leader takes for each visit which becomes
 * a request, or is carried over, by the operating system's account of this process, with the clients of Kafka and Redis
 * and the embedded broker, if it is in this process; and what stays in the heap. {@code -Dvisits} says how many.
 */
class VisitPromotionBench {
    private static final int VISITS = Integer.getInteger("visits", 300_000);
    private static final int TOGETHER = 10_000;
    private static final Duration LIMIT = Duration.ofHours(1);

    private static Request visit(Request seed, int number) {
        return Fleet.found(seed, "https://example.org/" + number, 0)
                .with(copy -> copy.id(new RequestId(1_000_000_000L + number))
                        .visit(Optional.of(VisitBuilder.builder().number(1).state(PageState.STORED)
                                .etag(Optional.of("\"" + number + "\"")).visited(1_700_000_000)
                                .rate(Optional.of(new ChangeRate(100_000, 3))).build())));
    }

    private static long cpu() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    @Test
    void measure() throws Exception {
        for (String which : new String[]{"all", "none"}) {
            try (Fleet fleet = new Fleet()) {
                JumpingTime time = new JumpingTime();
                Worker coordinator = fleet.leader(time);
                fleet.put(coordinator, "docs", "?start=true&refresh=true", Fleet.definition("https://example.org/"));
                Request seed = fleet.theRequest();
                for (int from = 0; from < VISITS; from += TOGETHER) {
                    fleet.kafka.produce(fleet.kafka.topics().visits(),
                            IntStream.range(from, Math.min(VISITS, from + TOGETHER)).mapToObj(
                                    number -> new String(Codec.encode(visit(seed, number)), StandardCharsets.UTF_8))
                                    .toList());
                }
                fleet.answer(seed, OutcomeKind.PAGE, "200");
                await().until(() -> fleet.crawl(coordinator, "docs").end().isPresent());
                long heap = heap();
                long begin = cpu();
                fleet.ask(coordinator, "POST",
                        "/api/v1/crawls/docs/refresh" + (which.equals("all") ? "" : "?match=/no/such"), "");
                await().atMost(LIMIT).ignoreExceptions().until(() -> fleet.crawl(coordinator, "docs"),
                        crawl -> crawl.epoch() == 2 && crawl.state() == CrawlState.STARTED);
                long took = cpu() - begin;
                System.out.printf("%d visits, %s made: %.1f us of CPU time each, heap %+.1f MiB%n", VISITS, which,
                        took / 1000.0 / VISITS, (heap() - heap) / 1048576.0);
            }
        }
    }
}
