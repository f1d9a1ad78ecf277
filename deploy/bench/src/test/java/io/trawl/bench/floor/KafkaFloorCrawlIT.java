package io.trawl.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaFloorCrawlIT {
    private static final int PAGES = 30;
    private static final Set<String> HOSTS = Set.of(Loopback.address(0), Loopback.address(1));

    @TempDir
    private Path folder = Path.of("");

    @Test
    void storesEachPageOnceAsTheFloorInMemoryDoes() throws IOException, InterruptedException {
        Path inMemory = folder.resolve("memory.jsonl");
        Path onKafka = folder.resolve("kafka.jsonl");
        try (LoopbackWeb web = LoopbackWeb.start(0, new GeneratedSites(HOSTS.size(), PAGES), Time.system())) {
            List<String> seeds = List.of(web.url(0, GeneratedSites.path(0)), web.url(1, GeneratedSites.path(0)));
            assertThat(new FloorCrawl(HOSTS).run(seeds, inMemory)).isEqualTo(HOSTS.size() * PAGES);
            assertThat(KafkaFloorCrawl.run(HOSTS, seeds, onKafka, folder.resolve("data")))
                    .isEqualTo(HOSTS.size() * PAGES);
        }
        assertThat(items(onKafka)).hasSize(HOSTS.size() * PAGES).containsExactlyInAnyOrderElementsOf(items(inMemory));
    }

    private static List<Map<?, ?>> items(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .<Map<?, ?>>map(line -> Json.read(line.getBytes(StandardCharsets.UTF_8), Map.class))
                .collect(Collectors.toList());
    }

    @Test
    void aPageThatCannotBeFetchedEndsItWithTheReason() {
        assertThatThrownBy(() -> KafkaFloorCrawl.run(HOSTS, List.of("http://127.1.0.0:1/"),
                folder.resolve("pages.jsonl"), folder.resolve("data"))).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the crawl has failed").hasMessageContaining("127.1.0.0");
    }
}
