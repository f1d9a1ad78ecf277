package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.budget.SlotLimit;
import io.trawl.model.Outcome;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.testkit.FakeWeb;
import io.trawl.worker.Worker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A downloader on a real broker whose responses are not analyzed until the test does so. */
class BackPressureIT {
    private static final Logger LOG = LoggerFactory.getLogger(BackPressureIT.class);
    private static final StageState HOLDING = new HoldingFor(HoldReason.ANALYZERS);

    @Test
    void aDownloaderHoldsWhileAnalyzersAreBehindAndResumesWithoutLoss() throws Exception {
        int hosts = 4;
        int pages = 600;
        try (FakeWeb web = FakeWeb.start(hosts);
                Fleet fleet = new Fleet(Map.of("trawl.downloader.response-backlog", "50"))) {
            List<String> urls = IntStream.range(0, pages)
                    .mapToObj(i -> web.host(i % hosts).page("/" + i, "page " + i).url("/" + i)).toList();
            // 4 hosts with 20 ms after each answer: less than 200 pages a second.
            fleet.crawl(Duration.ofMillis(20));
            urls.forEach(url -> fleet.submit(1, url));
            fleet.flush();
            Worker worker = fleet.start();
            int holds = 0;
            while (fleet.responses().size() < pages) {
                await().until(() -> worker.stage().state().equals(HOLDING) || fleet.responses().size() == pages);
                if (fleet.responses().size() < pages) {
                    holds++;
                    holdsStill(worker, fleet);
                }
                analyse(fleet);
                await().until(() -> worker.stage().state() == Phase.RUNNING);
            }
            await().until(() -> fleet.uncommitted() == 0);
            LOG.info("{} pages with {} holds", pages, holds);
            assertThat(holds).isGreaterThanOrEqualTo(2);
            assertThat(fleet.responses()).hasSize(pages).allMatch(r -> r.outcome() instanceof Outcome.Success);
            assertThat(new HashSet<>(fleet.responses().stream().map(r -> r.url()).toList())).hasSize(pages);
            assertThat(urls).allMatch(url -> web.count(url) == 1);
        }
    }

    /** The exchanges in flight are answered, then no more responses arrive; the process is always ready. */
    private static void holdsStill(Worker worker, Fleet fleet) throws Exception {
        await().until(() -> Map.of("total", SlotLimit.of(fleet.fixture().settings().downloader()).slots(), "used", 0)
                .equals(worker.summary().extra().get("slots"))
                && Integer.valueOf(0).equals(worker.summary().extra().get("answering")));
        int held = fleet.responses().size();
        assertThat(held).isGreaterThan(50);
        await().during(Duration.ofMillis(1500)).until(() -> fleet.responses().size() == held);
        assertThat(worker.summary().state()).isEqualTo(HOLDING);
        assertThat(worker.summary().extra()).containsEntry("holding", true);
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI ready = URI.create("http://" + worker.mid().address() + "/health/ready");
            assertThat(http.send(HttpRequest.newBuilder(ready).build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
    }

    /** Simulates analyzers that have handled everything. */
    private static void analyse(Fleet fleet) throws Exception {
        String topic = fleet.fixture().topics().responses();
        try (Admin admin = fleet.fixture().kafka().admin()) {
            Map<TopicPartition, OffsetSpec> asked = Map.of(new TopicPartition(topic, 0), OffsetSpec.latest(),
                    new TopicPartition(topic, 1), OffsetSpec.latest());
            Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
            admin.listOffsets(asked).all().get()
                    .forEach((p, info) -> offsets.put(p, new OffsetAndMetadata(info.offset())));
            admin.alterConsumerGroupOffsets(fleet.fixture().topics().analyzerGroup(), offsets).all().get();
        }
    }
}
