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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Run by hand ({@code -Dit.test=VisitPromotionBench}): how long the leader takes to start while so many visits wait
 * ({@code -Dvisits}) and none, and what stays in the heap; then the CPU time that it takes for each visit which becomes
 * a request ({@code all}), or is carried over ({@code none}; {@code -Dkinds}), by the operating system's account of
 * this process, with the clients of Kafka and Redis and the embedded broker, if it is in this process. After
 * {@code -Dminutes} the figures are those of the visits until then.
 */
class VisitPromotionBench {
    private static final int VISITS = Integer.getInteger("visits", 300_000);
    private static final List<String> KINDS = List.of(System.getProperty("kinds", "all,none").split(","));
    private static final int TOGETHER = 10_000;
    private static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("minutes", 60));
    private static final int PRIORITIES = 3;
    private static final double MIB = 1 << 20;
    private final JumpingTime time = new JumpingTime();

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

    private static double heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB;
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void measure() throws Exception {
        for (String kind : KINDS) {
            try (Fleet fleet = new Fleet()) {
                Worker leader = restarted(fleet, fleet.leader(time), "no visits");
                fleet.put(leader, "docs", "?start=true&refresh=true", Fleet.definition("https://example.org/"));
                Request seed = fleet.theRequest();
                fill(fleet, seed);
                fleet.answer(seed, OutcomeKind.PAGE, "200");
                Worker first = leader;
                await().until(() -> fleet.crawl(first, "docs").end().isPresent());
                promote(fleet, restarted(fleet, leader, VISITS + " visits"), kind);
            }
        }
    }

    private static void fill(Fleet fleet, Request seed) {
        for (int from = 0; from < VISITS; from += TOGETHER) {
            fleet.kafka.produce(fleet.kafka.topics().visits(),
                    IntStream.range(from, Math.min(VISITS, from + TOGETHER))
                            .mapToObj(number -> new String(Codec.encode(visit(seed, number)), StandardCharsets.UTF_8))
                            .toList());
        }
    }

    private Worker restarted(Fleet fleet, Worker former, String waiting) throws InterruptedException {
        former.stop(Duration.ofMinutes(1));
        long begin = time.nanos();
        Worker leader = fleet.leader(time);
        System.out.printf("%s: the leader has started in %.1f s, heap %.1f MiB%n", waiting,
                (time.nanos() - begin) / 1e9, heap());
        return leader;
    }

    private void promote(Fleet fleet, Worker leader, String kind) throws Exception {
        double heap = heap();
        long before = written(fleet);
        long begin = time.nanos();
        long cpu = cpu();
        fleet.ask(leader, "POST", "/api/v1/crawls/docs/refresh" + (kind.equals("all") ? "" : "?match=/no/such"), "");
        await().atMost(LIMIT.plusMinutes(1)).pollInterval(Duration.ofSeconds(1)).ignoreExceptions()
                .until(() -> time.nanos() - begin > LIMIT.toNanos()
                        || fleet.crawl(leader, "docs").state() == CrawlState.STARTED);
        long promoted = written(fleet) - before;
        double seconds = (time.nanos() - begin) / 1e9;
        System.out.printf("%s of %d visits: %d promoted, %.0f a second, %.1f us of CPU time each, heap %+.1f MiB%n",
                kind, VISITS, promoted, promoted / seconds, (cpu() - cpu) / 1000.0 / promoted, heap() - heap);
    }

    /** How many records stand where a promotion writes, with the markers of its transactions. */
    private static long written(Fleet fleet) throws Exception {
        List<String> topics = Stream
                .concat(Stream.of(fleet.kafka.topics().visits()),
                        IntStream.range(0, PRIORITIES).mapToObj(priority -> fleet.kafka.topics().requests(1, priority)))
                .toList();
        try (Admin admin = fleet.kafka.kafka().admin()) {
            Map<TopicPartition, OffsetSpec> ends = admin.describeTopics(topics).allTopicNames().get().values().stream()
                    .flatMap(topic -> topic.partitions().stream()
                            .map(partition -> new TopicPartition(topic.name(), partition.partition())))
                    .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream().mapToLong(end -> end.offset()).sum();
        }
    }
}
