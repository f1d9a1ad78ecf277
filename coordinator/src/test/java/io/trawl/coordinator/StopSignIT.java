package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.model.MID;
import io.trawl.module.Deal;
import io.trawl.module.Deal.Oldest;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StopSignHistory.Dealt;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stop signs through REST; the coordinator is real, and the test acts for the downloader. */
class StopSignIT {
    private static final MID DOWNLOADER = MID.parse("D1|127.0.0.1:9");
    private static final Counts NOTHING = new Counts(0, 0, 0, 0, 0, 0);
    private final Fleet fleet = new Fleet();
    private final RedisModuleStore modules = RedisModuleStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
            fleet.kafka.topics().namespace(), Time.system());

    @AfterEach
    void stop() {
        modules.close();
        fleet.close();
    }

    @Test
    void theFleetsStopSignNamesWaitingModulesIsCompleteWhenAllHaveDrainedAndItsResetResumes() throws Exception {
        Worker coordinator = fleet.leader();
        downloaderDeals(Map.of());
        assertThat(ask(coordinator, "GET", "/api/v1/stop-signs")).singleElement().satisfies(sign -> {
            assertThat(sign.has("crawl")).isFalse();
            assertThat(sign.get("signed").asBoolean()).isFalse();
        });
        JsonNode signed = ask(coordinator, "POST", "/api/v1/stop-sign");
        assertThat(signed.get("first").asBoolean()).isTrue();
        assertThat(signed.get("signed").asBoolean()).isTrue();
        assertThat(mids(signed.get("waiting"))).contains(DOWNLOADER.toString());
        assertThat(ask(coordinator, "POST", "/api/v1/stop-sign").get("first").asBoolean()).isFalse();

        await().until(() -> mids(theSign(coordinator).get("deals")).contains(coordinator.mid().toString()));
        JsonNode waiting = theSign(coordinator);
        assertThat(mids(waiting.get("waiting"))).containsExactly(DOWNLOADER.toString());
        assertThat(waiting.at("/waiting/0").has("inFlight")).as("it has not reported the sign").isFalse();
        long version = signed.get("version").asLong();
        register(Registration.of(DOWNLOADER, 0, NOTHING, Instant.EPOCH,
                List.of(Deal.waiting("stop/*", version, 1,
                        Optional.of(new Oldest("http://x/", Duration.ofSeconds(6))))),
                Phase.RUNNING, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty()));
        JsonNode why = theSign(coordinator).at("/waiting/0");
        assertThat(why.get("inFlight").asInt()).isOne();
        assertThat(why.at("/oldest/url").asText()).isEqualTo("http://x/");
        assertThat(why.at("/oldest/age").asText()).isEqualTo("6s");
        assertThat(waiting.get("dealTotal").asInt()).isEqualTo(1);
        assertThat(waiting.get("complete").asBoolean()).isFalse();

        downloaderDeals(Map.of("stop/*", signed.get("version").asLong() - 1));
        assertThat(theSign(coordinator).get("complete").asBoolean()).as("an older sign").isFalse();
        downloaderDeals(Map.of("stop/*", signed.get("version").asLong()));
        JsonNode complete = theSign(coordinator);
        assertThat(complete.get("complete").asBoolean()).isTrue();
        assertThat(complete.get("dealTotal").asInt()).isEqualTo(2);
        assertThat(mids(complete.get("deals"))).contains(DOWNLOADER.toString());
        modules.stopSignHistory()
                .add(new Dealt("stop/*", version, Instant.now(), DOWNLOADER, Duration.ofMillis(70), 3));
        modules.registrar().unregister(DOWNLOADER);
        JsonNode left = theSign(coordinator);
        assertThat(left.get("dealTotal").asInt()).as("a module that has left stays counted").isEqualTo(2);
        JsonNode deal = StreamSupport.stream(left.get("deals").spliterator(), false)
                .filter(d -> !d.get("live").asBoolean()).findFirst().orElseThrow();
        assertThat(deal.get("took").asText()).isEqualTo("70ms");
        assertThat(deal.get("inFlight").asInt()).isEqualTo(3);

        JsonNode reset = ask(coordinator, "DELETE", "/api/v1/stop-sign");
        assertThat(reset.get("signed").asBoolean()).isFalse();
        assertThat(reset.get("version").asLong()).isGreaterThan(signed.get("version").asLong());
        assertThat(ask(coordinator, "DELETE", "/api/v1/stop-sign")).as("again").isEqualTo(reset);
        assertThat(ask(coordinator, "POST", "/api/v1/stop-sign").get("first").asBoolean()).as("after a reset").isTrue();
        await().until(() -> ask(coordinator, "GET", "/api/v1/stop-sign").get("history").size() == 3);
        JsonNode history = ask(coordinator, "GET", "/api/v1/stop-sign").get("history");
        assertThat(history.get(1).get("signed").asBoolean()).isFalse();
        assertThat(history.get(2).get("deals").asInt()).as("of the coordinator and the downloader").isEqualTo(2);
        assertThat(history.get(2).has("slowest")).isTrue();
    }

    @Test
    void onlyOneOfManyConcurrentCallersIsTheFirst() throws Exception {
        Worker coordinator = fleet.leader();
        Callable<JsonNode> signing = () -> ask(coordinator, "POST", "/api/v1/stop-sign");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<JsonNode>> answers = callers.invokeAll(java.util.Collections.nCopies(20, signing));
            int first = 0;
            for (Future<JsonNode> answer : answers) {
                first += answer.get().get("first").asBoolean() ? 1 : 0;
            }
            assertThat(first).isEqualTo(1);
        }
    }

    @Test
    void aHostAndAModuleHaveSignsThatOthersNeedNotDealWith() throws Exception {
        Worker coordinator = fleet.leader();
        downloaderDeals(Map.of());
        JsonNode host = ask(coordinator, "POST", "/api/v1/stop-sign?host=Example.ORG");
        assertThat(host.get("host").asText()).isEqualTo("example.org");
        assertThat(mids(host.get("waiting"))).as("only downloaders fetch").containsExactly(DOWNLOADER.toString());
        JsonNode module = ask(coordinator, "POST", "/api/v1/stop-sign?module=D1");
        assertThat(module.get("module").asText()).isEqualTo(DOWNLOADER.toString());
        assertThat(ask(coordinator, "GET", "/api/v1/stop-signs")).as("with the fleet's").hasSize(3);
        downloaderDeals(Map.of("stop/host:example.org", 1L, "stop/module:" + DOWNLOADER, 1L));
        assertThat(ask(coordinator, "GET", "/api/v1/stop-sign?host=example.org").get("complete").asBoolean()).isTrue();
        assertThat(ask(coordinator, "GET", "/api/v1/stop-sign?module=D1").get("complete").asBoolean()).isTrue();
        assertThat(theSign(coordinator).get("signed").asBoolean()).as("that of the fleet").isFalse();

        modules.registrar().unregister(DOWNLOADER);
        assertThat(ask(coordinator, "DELETE", "/api/v1/stop-sign?host=example.org").get("signed").asBoolean())
                .isFalse();
        ask(coordinator, "POST", "/api/v1/stop-sign?host=other.org:8080");
        assertThat(ask(coordinator, "GET", "/api/v1/stop-signs")).as("that of a module that has left is reset")
                .hasSize(2);
        for (String bad : List.of("host=a/b", "host=example.org&module=D1")) {
            assertThat(fleet.ask(coordinator, "POST", "/api/v1/stop-sign?" + bad, "").status()).as(bad).isEqualTo(400);
        }
        assertThat(fleet.ask(coordinator, "POST", "/api/v1/stop-sign?module=D9", "").status()).isEqualTo(404);
        String own = "/api/v1/stop-sign?module=" + coordinator.mid().instance();
        Fleet.problem(fleet.ask(coordinator, "POST", own, ""), 409, "only coordinator");
    }

    @Test
    void aStoppingCrawlWaitsForItsOwnStopSign() throws Exception {
        Worker coordinator = fleet.leader();
        downloaderDeals(Map.of());
        fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/"));
        JsonNode before = ask(coordinator, "GET", "/api/v1/crawls/docs/stop-sign");
        assertThat(before.get("signed").asBoolean()).isFalse();
        assertThat(before.get("crawl").asText()).isEqualTo("docs");
        assertThat(fleet.ask(coordinator, "GET", "/api/v1/crawls/none/stop-sign", "").status()).isEqualTo(404);

        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "");
        JsonNode sign = ask(coordinator, "GET", "/api/v1/crawls/docs/stop-sign");
        assertThat(sign.get("signed").asBoolean()).isTrue();
        assertThat(mids(sign.get("waiting"))).contains(DOWNLOADER.toString());
        assertThat(ask(coordinator, "GET", "/api/v1/stop-signs")).hasSize(2);
        downloaderDeals(Map.of("stop/docs", sign.get("version").asLong()));
        await().until(() -> fleet.crawl(coordinator, "docs").state() == CrawlState.STOPPED);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", "");
        assertThat(ask(coordinator, "GET", "/api/v1/crawls/docs/stop-sign").get("signed").asBoolean()).isFalse();
    }

    private void downloaderDeals(Map<String, Long> deals) {
        register(new Registration(DOWNLOADER, 0, NOTHING, Instant.EPOCH, deals, Phase.RUNNING));
    }

    private void register(Registration registration) {
        modules.registrar().register(registration, Duration.ofMinutes(1));
    }

    private JsonNode theSign(Worker coordinator) throws Exception {
        return ask(coordinator, "GET", "/api/v1/stop-signs").get(0);
    }

    private JsonNode ask(Worker coordinator, String method, String path) throws Exception {
        Fleet.Answer answer = fleet.ask(coordinator, method, path, "");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return Json.mapper().readTree(answer.body());
    }

    private static List<String> mids(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(one -> one.get("mid").asText()).toList();
    }
}
