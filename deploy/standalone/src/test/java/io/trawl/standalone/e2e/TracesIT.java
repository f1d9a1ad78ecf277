package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.TraceCollector;
import io.trawl.testkit.TraceCollector.Told;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One query shows all hops of a URL: the trace of the writer of a seed continues to its item, and the traces of its
 * links refer to it.
 */
class TracesIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String WRITER = "b7ad6b7169203331";
    private static final CrawlId CRAWL = new CrawlId("traced");
    @TempDir
    private Path out;

    @Test
    void theTraceOfASeedLeadsToItsItemAndPagesThatItNamesLinkToIt() throws Exception {
        try (TraceCollector collector = TraceCollector.start();
                ProbeFleet fleet = new ProbeFleet(1, out,
                        Map.of("trawl.traces.endpoint", collector.endpoint(), "trawl.traces.share", "1"))) {
            FakeHost host = fleet.web.host(0);
            host.redirect("/", "/home").page("/home", "<a href=/a>a</a> <a href=/b>b</a>").page("/a", "A").page("/b",
                    "B");
            fleet.crawl(CRAWL.value(),
                    Map.of("scope", Map.of("domains", List.of(host.address())), "fetch", Map.of("delay", "0ms")));
            seed(fleet, CRAWL, host.url("/"));
            await().until(() -> finished(fleet, CRAWL));
            // Seven of the seed and its redirect, four of each page that was found; each process exports in its own
            // time.
            await().untilAsserted(() -> assertThat(collector.spans()).hasSize(15));

            Told home = theTraceOfTheSeed(collector, host);
            assertThat(parent(item(fleet, host.url("/home")))).isEqualTo("00-" + TRACE + "-" + home.id() + "-01");
            for (String page : List.of("/a", "/b")) {
                List<Told> admitted = collector.spans().stream()
                        .filter(s -> s.url().equals(host.url(page)) && s.name().equals("admission")).toList();
                assertThat(admitted).hasSize(1);
                assertThat(admitted.getFirst().links()).containsExactly(home.id());
                assertThat(admitted.getFirst().parent()).isEmpty();
                assertThat(chain(collector, admitted.getFirst().trace(), "")).extracting(Told::name)
                        .containsExactly("admission", "download", "analysis", "storing");
                assertThat(parent(item(fleet, host.url(page)))).contains(admitted.getFirst().trace());
            }

            collector.close();
            CrawlId untold = new CrawlId("untold");
            fleet.crawl(untold.value(),
                    Map.of("scope", Map.of("domains", List.of(host.address())), "fetch", Map.of("delay", "0ms")));
            seed(fleet, untold, host.url("/"));
            await().alias("a crawl works without a collector").until(() -> finished(fleet, untold));
            assertThat(fleet.fixture.records(fleet.fixture.topics().items())).hasSize(6)
                    .allSatisfy(item -> assertThat(parent(item)).as("sampled").matches(".*-0[13]"));
        }
    }

    /** Each step is the child of the one before; returns the analysis of the page at its end. */
    private static Told theTraceOfTheSeed(TraceCollector collector, FakeHost host) {
        List<Told> chain = chain(collector, TRACE, WRITER);
        assertThat(chain).extracting(Told::name).containsExactly("admission", "download", "analysis", "admission",
                "download", "analysis", "storing");
        assertThat(chain).extracting(Told::service).containsExactly("trawl-coordinator", "trawl-downloader",
                "trawl-analyzer", "trawl-analyzer", "trawl-downloader", "trawl-analyzer", "trawl-pipeline");
        assertThat(chain.subList(0, 3)).extracting(Told::url).containsOnly(host.url("/"));
        assertThat(chain.subList(3, 7)).extracting(Told::url).containsOnly(host.url("/home"));
        assertThat(chain.get(4).attributes()).containsEntry("trawl.outcome", "PAGE")
                .containsEntry("http.response.status_code", "200").containsEntry("trawl.run", CRAWL + "/1");
        return chain.get(5);
    }

    private static List<Told> chain(TraceCollector collector, String trace, String parent) {
        List<Told> all = collector.spans().stream().filter(span -> span.trace().equals(trace)).toList();
        List<Told> chain = new ArrayList<>();
        String last = parent;
        for (int i = 0; i < all.size(); i++) {
            String before = last;
            List<Told> next = all.stream().filter(span -> span.parent().equals(before)).toList();
            assertThat(next).as("the steps after %s of %s", chain, all).hasSize(1);
            chain.add(next.getFirst());
            last = next.getFirst().id();
        }
        return chain;
    }

    private static void seed(ProbeFleet fleet, CrawlId crawl, String url) {
        try (Producer<byte[], byte[]> producer = fleet.fixture.producer()) {
            ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(fleet.fixture.topics().seeds(),
                    Codec.encode(Seed.of(crawl, url, Optional.empty())));
            record.headers().add("traceparent",
                    ("00-" + TRACE + "-" + WRITER + "-01").getBytes(StandardCharsets.UTF_8));
            producer.send(record);
            producer.flush();
        }
    }

    private static boolean finished(ProbeFleet fleet, CrawlId crawl) throws IOException, InterruptedException {
        return fleet.get("/api/v1/crawls/" + crawl).body().at("/end/reason").asText().equals("FINISHED");
    }

    private static ConsumerRecord<byte[], byte[]> item(ProbeFleet fleet, String url) {
        return fleet.fixture.records(fleet.fixture.topics().items()).stream()
                .filter(record -> Codec.item(record.value()).url().equals(url)).findFirst().orElseThrow();
    }

    private static String parent(ConsumerRecord<byte[], byte[]> item) {
        return new String(item.headers().lastHeader("traceparent").value(), StandardCharsets.UTF_8);
    }
}
