package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.SeenRequest;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Politeness by registered domain, with two downloaders and partitions that move, as the servers of all hosts of a
 * domain have recorded it.
 */
class DomainPolitenessIT {
    private static final Duration DELAY = Duration.ofMillis(200);
    private static final int DOMAINS = 4;
    private static final List<String> HOSTS = List.of("www", "docs", "blog");
    private static final int PAGES = 10;

    @Test
    void hostsOfADomainAreNeverAskedCloserThanTheDelayAndEachHasItsOwnRobots() throws Exception {
        try (FakeWeb web = FakeWeb.start(DOMAINS);
                Fleet fleet = new Fleet(Map.of("trawl.politeness-key", "domain"), 4)) {
            fleet.crawl(DELAY);
            Set<String> urls = backlog(web, fleet);
            Worker first = fleet.start();
            await().until(() -> web.visits().size() > DOMAINS * 3);
            Worker second = fleet.start();
            await().until(() -> PolitenessIT.served(first) == 2 && PolitenessIT.served(second) == 2);
            await().pollInterval(Duration.ofMillis(200)).until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).filteredOn(r -> r.outcome() instanceof Outcome.Success)
                    .extracting(Response::url).containsExactlyInAnyOrderElementsOf(urls);
            List<String> trouble = new ArrayList<>();
            for (FakeHost domain : web.hosts()) {
                List<SeenRequest> visits = web.visits(domain);
                trouble.addAll(PolitenessIT.trouble(visits, DELAY));
                assertThat(visits).filteredOn(v -> v.path().equals("/robots.txt")).as("one per host")
                        .hasSize(HOSTS.size());
            }
            assertThat(trouble).isEmpty();
            assertThat(keysOfResponses(fleet)).as("responses are keyed by host, unlike requests")
                    .hasSize(DOMAINS * HOSTS.size())
                    .contains(TestNames.below("www", web.host(0).address()) + ":" + web.host(0).port());
        }
    }

    private static Set<String> keysOfResponses(Fleet fleet) {
        return fleet.fixture().records(fleet.fixture().topics().responses()).stream()
                .map(r -> new String(r.key(), StandardCharsets.UTF_8)).collect(Collectors.toSet());
    }

    private static Set<String> backlog(FakeWeb web, Fleet fleet) {
        Set<String> urls = new TreeSet<>();
        for (FakeHost domain : web.hosts()) {
            for (int page = 0; page < PAGES; page++) {
                for (String host : HOSTS) {
                    String path = "/" + host + "/" + page;
                    domain.page(path, "page " + page);
                    String url = "http://" + TestNames.below(host, domain.address()) + ":" + domain.port() + path;
                    fleet.submit(page % 3, url);
                    urls.add(url);
                }
            }
        }
        fleet.flush();
        return urls;
    }
}
