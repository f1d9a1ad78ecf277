package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.SeenRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Politeness by address within one downloader, as the servers behind names of several domains have recorded it; the
 * requests are in several partitions.
 */
class AddressPolitenessIT {
    private static final Duration DELAY = Duration.ofMillis(200);
    private static final int ADDRESSES = 3;
    private static final int PAGES = 5;

    @Test
    void namesOfDifferentDomainsAtOneAddressAreNeverAskedCloserThanTheDelay() throws Exception {
        try (FakeWeb web = FakeWeb.start(ADDRESSES); Fleet fleet = new Fleet(Map.of("trawl.politeness-key", "ip"), 4)) {
            fleet.crawl(DELAY);
            Set<String> urls = backlog(web, fleet);
            fleet.start();
            await().pollInterval(Duration.ofMillis(200)).until(() -> fleet.uncommitted() == 0);
            assertThat(fleet.responses()).filteredOn(r -> r.outcome() instanceof Outcome.Success)
                    .extracting(Response::url).containsExactlyInAnyOrderElementsOf(urls);
            List<String> trouble = new ArrayList<>();
            for (FakeHost address : web.hosts()) {
                List<SeenRequest> visits = web.visits(address);
                trouble.addAll(PolitenessIT.trouble(visits, DELAY));
                assertThat(visits).filteredOn(v -> v.path().equals("/robots.txt")).as("one per name")
                        .hasSize(names(address).size());
            }
            assertThat(trouble).isEmpty();
            assertThat(fleet.fixture().records(fleet.fixture().topics().requests(1, 0)).stream().map(r -> r.partition())
                    .distinct()).as("record keys are those of hosts").hasSizeGreaterThan(1);
        }
    }

    private static List<String> names(FakeHost address) {
        return List.of(TestNames.below("www", address.address()), TestNames.below("docs", address.address()),
                TestNames.beside("shop", address.address()), TestNames.beside("blog", address.address()));
    }

    private static Set<String> backlog(FakeWeb web, Fleet fleet) {
        Set<String> urls = new TreeSet<>();
        for (FakeHost address : web.hosts()) {
            for (int page = 0; page < PAGES; page++) {
                for (String name : names(address)) {
                    String path = "/" + name + "/" + page;
                    address.page(path, "page " + page);
                    String url = "http://" + name + ":" + address.port() + path;
                    fleet.submit(page % 3, url);
                    urls.add(url);
                }
            }
        }
        fleet.flush();
        return urls;
    }
}
