package io.trawl.coordinator;

import static java.util.Objects.requireNonNull;
import static io.trawl.coordinator.Fleet.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import io.trawl.time.Time;
import io.trawl.testkit.ListedControl;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.redis.RedisModuleStore;
import io.trawl.model.CrawlRun;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.admission.AcceptedDomains;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlerError;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.worker.Worker;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Seeds are admitted, or refused and reported; the test acts for the other stages. */
class SeedsIT {
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aBadSeedIsReportedOnceAndGoodSeedsBecomeRequests() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "", Fleet.definition("https://example.org/"));
        fleet.writeSeeds("{broken", "{\"crawl\":\"docs\"}", "{\"crawl\":\"none\",\"url\":\"https://example.org/1\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/2\",\"priority\":3}",
                "{\"crawl\":\"docs\",\"url\":\"https://other.net/\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/\"}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/3\",\"headers\":{\"X\":\"a\\r\\nb\"}}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/good\",\"priority\":2}",
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/good\"}");
        await().untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url)
                .containsExactlyInAnyOrder("https://example.org/", "https://example.org/good"));
        await().untilAsserted(() -> assertThat(fleet.errors()).extracting(CrawlerError::kind).containsExactlyInAnyOrder(
                "MALFORMED", "NO_URL", "UNKNOWN_CRAWL", "PRIORITY_OUT_OF_INDEX", "DOMAIN", "MALFORMED"));
        assertThat(fleet.errors()).allMatch(
                e -> fleet.kafka.topics().seeds().equals(e.source().get("topic")) && e.source().containsKey("offset"));
        await().untilAsserted(
                () -> assertThat(fleet.crawl(coordinator, "docs").refusals()).containsExactlyInAnyOrderEntriesOf(
                        Map.of(RefusalReason.NO_URL, 1L, RefusalReason.PRIORITY_OUT_OF_INDEX, 1L, RefusalReason.DOMAIN,
                                1L, RefusalReason.SEEN, 2L, RefusalReason.MALFORMED, 1L)));
    }

    @Test
    void aSeedThatIsTooLargeForKafkaBlocksNoOther() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "", Fleet.definition("https://example.org/"));
        await().until(() -> fleet.requests().size() == 1);
        fleet.kafka.configure(fleet.kafka.topics().requests(1, 1), Map.of("max.message.bytes", "8000"));
        fleet.writeSeeds(Fleet.seedWithMetadata("docs", "https://example.org/before", 10),
                Fleet.seedWithMetadata("docs", "https://example.org/large", 30_000),
                Fleet.seedWithMetadata("docs", "https://example.org/huge", 990_000),
                Fleet.seedWithMetadata("docs", "https://example.org/after", 10));
        await().untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url).containsExactlyInAnyOrder(
                "https://example.org/", "https://example.org/before", "https://example.org/after"));
        await().untilAsserted(() -> assertThat(fleet.errors()).extracting(CrawlerError::kind)
                .containsExactly("MALFORMED", "MALFORMED"));
        await().untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").refusals())
                .containsEntry(RefusalReason.MALFORMED, 2L));
    }

    @Test
    void theFirstSeedOfACrawlWithoutSeedsSetsItsDomain() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "open", "?start=true", Fleet.definition());
        Fleet.Answer answer = fleet.ask(coordinator, "POST", "/api/v1/crawls/open/seeds",
                "[{\"url\":\"https://a.example.org/\"},{\"url\":\"https://other.net/\"}]");
        assertThat(answer.status()).isEqualTo(202);
        await().untilAsserted(
                () -> assertThat(fleet.requests()).extracting(Request::url).containsExactly("https://a.example.org/"));
        assertThat(fleet.crawl(coordinator, "open").domains()).containsExactly("example.org");
        assertThat(fleet.crawl(coordinator, "open").state()).isEqualTo(CrawlState.STARTED);
        problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/open/seeds", "[{\"url\":\"nonsense\"}]"), 400,
                "seeds[0].url");
        problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/open/seeds", "{}"), 400, "seeds[0].url");
    }

    @Test
    void theDomainsOfSeedsAreInRedisAgainWhenItHasLostThem() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.ask(coordinator, "PUT", "/api/v1/crawls/many?start=true", "{\"scope\":{\"domains\":\"seeds\"}}");
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/crawls/many/seeds",
                "[\"https://a.example.org/\",\"https://b.net/\",\"https://c.example.org/\"]").body())
                .isEqualTo("{\"seeds\":3}");
        assertThat(fleet.crawl(coordinator, "many").domains()).containsExactly("seeds");
        problem(fleet.ask(coordinator, "PUT", "/api/v1/crawls/many/domains/other.org", ""), 400, "submit a seed");
        CrawlRun run = fleet.crawl(coordinator, "many").run();
        try (RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fleet.kafka.settings().redis()),
                fleet.kafka.topics().namespace(), Time.system()); Admin admin = fleet.kafka.kafka().admin()) {
            String responses = fleet.kafka.topics().responses();
            RedisStore store = redis.store(admin.describeCluster().clusterId().get(),
                    requireNonNull(admin.describeTopics(List.of(responses)).allTopicNames().get().get(responses))
                            .topicId().toString());
            await().until(() -> store.seedDomains().version(run) == 2);
            redis.clear();
            await().until(() -> store.seedDomains().version(run) == 2);
            CrawlDefinition definition = CrawlDefinition.of(List.of());
            AcceptedDomains domains = store.acceptedDomains(new ListedControl().read(CrawlStatus.of(run, 1,
                    definition.withScope(definition.scope().withDomains(List.of("seeds"))), CrawlState.STARTED)));
            assertThat(domains.ask(run, Set.of("example.org", "b.net", "other.org"), 2).accepted())
                    .containsExactlyInAnyOrder("example.org", "b.net");
        }
    }
}
