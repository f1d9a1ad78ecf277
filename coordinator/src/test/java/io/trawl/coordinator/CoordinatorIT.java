package io.trawl.coordinator;

import static io.trawl.coordinator.Fleet.problem;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.model.PolitenessKey;
import io.trawl.model.Request;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.redis.RedisStore;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Definitions by REST, and what the first coordinator of a deployment settles; on a real broker and a real
 * redis-server.
 */
class CoordinatorIT {
    private final Fleet fleet = new Fleet();

    @AfterEach
    void stop() {
        fleet.close();
    }

    @Test
    void aDefinitionIsWrittenItsSeedsAdmittedAndTheCrawlStarted() throws Exception {
        Worker coordinator = fleet.leader();
        Fleet.Answer answer = fleet.put(coordinator, "docs", "?start=true",
                Fleet.definition("https://a.example.org/x", "http://127.0.0.1:8080/"));
        assertThat(answer.status()).isEqualTo(201);
        CrawlSummary summary = answer.summary();
        assertThat(summary.state()).isEqualTo(CrawlState.STARTED);
        assertThat(summary.domains()).containsExactly("127.0.0.1", "example.org");
        await().untilAsserted(() -> assertThat(fleet.requests()).extracting(Request::url)
                .containsExactlyInAnyOrder("https://a.example.org/x", "http://127.0.0.1:8080/"));
        assertThat(fleet.requests()).allMatch(r -> r.seed() && r.depth() == 0 && r.priority() == 1 && r.domains() == 1);
        await().untilAsserted(() -> assertThat(fleet.crawl(coordinator, "docs").totals().waiting()).isEqualTo(2));
        assertThat(fleet.states("docs")).containsExactly(CrawlState.INITIALIZING, CrawlState.INITIALIZED,
                CrawlState.STARTING, CrawlState.STARTED);
    }

    @Test
    void aDefinitionIsOneTransaction() throws Exception {
        fleet.put(fleet.leader(), "docs", "", Fleet.definition("https://a.example.org/x"));
        List<Long> offsets = fleet.kafka.records(fleet.kafka.topics().control()).stream()
                .filter(record -> new String(record.key(), StandardCharsets.UTF_8).endsWith("/docs"))
                .map(ConsumerRecord::offset).toList();
        long first = offsets.getFirst();
        assertThat(offsets).as("the marker of a commit has an offset, too").containsExactly(first, first + 1,
                first + 2);
    }

    @Test
    void theDomainsOfADefinitionAreInRedisBeforeTheyChange() throws Exception {
        fleet.put(fleet.leader(), "docs", "", Fleet.definition("https://a.example.org/x"));
        await().until(() -> domainsInRedis(new CrawlRun(new CrawlId("docs"), 1)).contains("example.org"));
    }

    private Set<String> domainsInRedis(CrawlRun run) throws Exception {
        String responses = fleet.kafka.topics().responses();
        try (Admin admin = fleet.kafka.kafka().admin();
                RedisStore redis = RedisStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
                        fleet.kafka.topics().namespace(), admin.describeCluster().clusterId().get(),
                        requireNonNull(admin.describeTopics(List.of(responses)).allTopicNames().get().get(responses))
                                .topicId().toString(),
                        Time.system())) {
            return redis.acceptedDomains(new ListedControl()).ask(run, Set.of("example.org"), 1).accepted();
        }
    }

    @Test
    void aSecondPutAttachesChangesOptionsAndRefusesAnotherIdentity() throws Exception {
        Worker coordinator = fleet.leader();
        CrawlDefinition definition = Fleet.definition("https://example.org/", "https://example.org/b");
        fleet.put(coordinator, "docs", "", definition);
        Fleet.Answer again = fleet.put(coordinator, "docs", "?start=true",
                Fleet.definition("https://example.org/b", "https://EXAMPLE.org/#f")
                        .withLimits(CrawlLimits.DEFAULT.withMaxPages(Optional.of(7L))));
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.summary().definition().limits().maxPages()).contains(7L);
        assertThat(again.summary().state()).isEqualTo(CrawlState.STARTED);
        Fleet.Answer other = fleet.put(coordinator, "docs", "",
                definition.withLimits(definition.limits().withDepth(9)));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.type()).isEqualTo("application/problem+json");
        assertThat(other.body()).contains("another depth");
        Fleet.Answer posted = fleet.put(coordinator, "docs", "",
                definition.with(d -> d.seeds(definition.seeds().stream()
                        .map(seed -> seed.with().method(Optional.of("POST")).body(Optional.of("q=1")).build())
                        .toList())));
        assertThat(posted.status()).isEqualTo(409);
        assertThat(posted.body()).contains("other seeds");
    }

    @Test
    void everyErrorIsAProblemDocument() throws Exception {
        Worker coordinator = fleet.leader();
        problem(fleet.ask(coordinator, "GET", "/api/v1/crawls/none", ""), 404, "there is no crawl none");
        problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/none/start", ""), 404, "there is no crawl none");
        problem(fleet.ask(coordinator, "GET", "/nowhere", ""), 404, "nowhere");
        problem(fleet.ask(coordinator, "POST", "/api/v1/crawls", ""), 405, "api/v1/crawls");
        problem(fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", "{nonsense"), 400, "cannot be read");
        problem(fleet.ask(coordinator, "PUT", "/api/v1/crawls/DOCS", "{}"), 400, "crawl");
        problem(fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=yes", "{}"), 400, "one of false, true");
        Fleet.Answer faults = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs",
                "{\"seeds\":[{\"url\":\"ftp://x/\"},{}],\"limits\":{\"depth\":-2,\"maxPages\":0},\"fetch\":{\"delay\":\"2h\",\"userAgent\":\" \"},\"priority\":3,\"scope\":{\"domains\":[\"http://x/\"]}}");
        problem(faults, 400, "faults");
        assertThat(faults.body()).contains("seeds[0].url", "seeds[1].url", "\"limits.depth\"", "\"limits.maxPages\"",
                "\"fetch.delay\"", "\"priority\"", "\"fetch.userAgent\"", "domains[0]");
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        problem(fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", ""), 409,
                "crawl docs is started: it can be started only while it is not started");
        problem(fleet.put(coordinator, "docs", "?fresh=true", Fleet.definition("https://example.org/")), 409,
                "only while it is not started");
    }

    @Test
    void topicsAreCreatedOnceAndAPortInUseIsNamed() throws Exception {
        Worker coordinator = fleet.leader();
        assertThat(fleet.ask(coordinator, "GET", "/", "").body()).contains("api/v1/crawls");
        assertThat(fleet.ask(coordinator, "GET", "/summary", "").body()).contains("\"leading\":true");
        assertThat(fleet.ask(coordinator, "GET", "/metrics", "").body()).contains("trawl_coordinator_leading 1");
        assertThat(fleet.ask(coordinator, "GET", "/health/ready", "").status()).isEqualTo(200);
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/summary", "").body())
                .contains("\"leader\":\"" + coordinator.mid());

        // From here on, the second coordinator may become the leader.
        fleet.startCoordinator();
        assertThat(fleet.control().stream().filter(Channels.class::isInstance))
                .containsExactly(ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build());
        Map<String, String> taken = Map.of("trawl.http.port", Integer.toString(coordinator.mid().port()));
        assertThatThrownBy(() -> Coordinator.factory().endpoint(SettingsReader.from(taken),
                SettingsReader.from(taken).http().port())).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("TRAWL_HTTP_PORT");
    }

    @Test
    void existingTopicsGetTheConfigurationOfTheTableExceptForSettingsOfTheOperator() throws Exception {
        fleet.leader().stop(Duration.ofSeconds(5));
        TopicNames topicNames = fleet.kafka.topics();
        Map<String, String> oneDay = Map.of("retention.ms", "86400000", "segment.bytes", "1073741824");
        List.of(topicNames.seeds(), topicNames.requests(1, 2), topicNames.ledger(), topicNames.errors())
                .forEach(topic -> fleet.kafka.configure(topic, oneDay));
        fleet.kafka.configure(topicNames.responses(), Map.of("max.message.bytes", "1000000"));
        fleet.kafka.configure(topicNames.items(), Map.of("max.message.bytes", "15000000"));
        fleet.startCoordinator();
        for (String topic : List.of(topicNames.seeds(), topicNames.requests(1, 2))) {
            assertThat(fleet.kafka.configuration(topic)).containsEntry("retention.ms", "-1")
                    .containsEntry("segment.bytes", "16777216");
        }
        assertThat(fleet.kafka.configuration(topicNames.ledger())).containsEntry("retention.ms", "-1");
        assertThat(fleet.kafka.configuration(topicNames.errors())).containsAllEntriesOf(oneDay);
        assertThat(fleet.kafka.configuration(topicNames.responses())).containsEntry("max.message.bytes", "9437184");
        assertThat(fleet.kafka.configuration(topicNames.items())).containsEntry("max.message.bytes", "15000000");
    }

    @Test
    void sharedSettingsStayAsTheFirstCoordinatorSetThem() throws Exception {
        try (Fleet byDomain = new Fleet(Map.of("trawl.politeness-key", "domain", "trawl.topics.capacity", "500"))) {
            Worker first = byDomain.leader();
            first.stop(Duration.ofSeconds(5));
            Worker second = byDomain.startCoordinator(Map.of("trawl.politeness-key", "host"));
            await().until(() -> Fleet.leads(second));
            assertThat(byDomain.ask(second, "GET", "/api/v1/settings", "").body())
                    .contains("\"politenessKey\":\"domain\"", "\"capacity\":500,");
            assertThat(byDomain.ask(second, "GET", "/api/v1/queue", "").body()).contains("\"capacity\":500,");
            byDomain.put(second, "docs", "?start=true", Fleet.definition("https://a.example.org/x"));
            await().untilAsserted(() -> assertThat(byDomain.kafka.records(byDomain.kafka.topics().requests(1, 1)))
                    .singleElement().satisfies(r -> assertThat(r.key()).asString().isEqualTo("example.org")));
            assertThat(byDomain.control().stream().filter(Channels.class::isInstance))
                    .containsExactly(ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                            .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build());
        }
    }

    @Test
    void aNamespaceIsClearedWhenNoModuleIsRegistered() throws Exception {
        Worker first = fleet.leader();
        fleet.put(first, "docs", "?start=true", Fleet.definition("https://example.org/"));
        fleet.theRequest();
        String namespace = fleet.kafka.topics().namespace();
        try (RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fleet.kafka.settings().redis()),
                namespace, Time.system());
                Admin admin = fleet.kafka.kafka().admin();
                NamespaceReset reset = NamespaceReset.open(fleet.kafka.settings(), Time.system())) {
            assertThatExceptionOfType(NamespaceReset.NamespaceInUseException.class)
                    .isThrownBy(() -> reset.clear(Set.of())).withMessageContaining(first.mid().toString());
            assertThat(fleet.crawl(first, "docs").totals().emitted()).isEqualTo(1);
            first.stop(Duration.ofSeconds(5));
            NamespaceReset.Deletion deletion = reset.clear(Set.of());
            assertThat(deletion.topics()).isEqualTo(14);
            assertThat(deletion.keys()).isPositive();
            await().until(
                    () -> admin.listTopics().names().get().stream().noneMatch(topic -> topic.startsWith(namespace)));
            assertThat(redis.clear()).as("nothing is left").isZero();
        }
        Worker second = fleet.leader();
        assertThat(second.mid().serial()).isEqualTo(1);
        assertThat(fleet.ask(second, "GET", "/api/v1/crawls/docs", "").status()).isEqualTo(404);
        assertThat(fleet.put(second, "docs", "", Fleet.definition("https://example.org/")).summary().run().epoch())
                .isEqualTo(1);
    }
}
