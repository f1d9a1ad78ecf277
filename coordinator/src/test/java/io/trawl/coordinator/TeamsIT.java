package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several people share a deployment: each operates crawls of one prefix within its quotas, and events tell who did
 * what.
 */
class TeamsIT {
    private static final String ANN = "ann-token-0123456789";
    private static final String SHOP = "shop-token-0123456789";
    private static final String SEED = "{\"seeds\":[\"https://example.org/\"]}";
    private static final String TEAM = """
            {"tokens":[{"name":"ann","role":"administer","token":"%s"},
                       {"name":"shop","role":"operate","prefix":"shop-","token":"%s"}],
             "quotas":[{"prefix":"shop-","crawls":2,"waiting":3,"pagesPerDay":1}]}""".formatted(ANN, SHOP);
    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir
    Path folder;

    private HttpResponse<String> ask(Worker at, String token, String method, String path, String type, String body)
            throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + "/api/v1/" + path))
                .header("Authorization", "Bearer " + token).header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> ask(Worker at, String token, String method, String path, String body)
            throws IOException, InterruptedException {
        return ask(at, token, method, path, "application/json", body);
    }

    private static void refused(HttpResponse<String> answer, int status, String word, String... parts) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains("urn:trawl:problem:" + word).contains(parts);
    }

    private Fleet fleet() throws IOException {
        Path file = Files.writeString(folder.resolve("tokens.json"), TEAM);
        return new Fleet(Map.of("trawl.api.tokens-file", file.toString(), "trawl.api.internal-key", "internal-key-0001",
                "trawl.api.anonymous", "read"));
    }

    private List<JsonNode> events(Worker at, String crawl, String type) throws IOException, InterruptedException {
        return Json.mapper().readTree(ask(at, ANN, "GET", "events?crawl=" + crawl, "").body()).valueStream()
                .filter(event -> event.path("type").asText().equals(type)).toList();
    }

    @Test
    void anOperatorChangesItsPrefixWithinItsQuotas() throws Exception {
        try (Fleet fleet = fleet()) {
            Worker leader = fleet.leader();
            refused(ask(leader, SHOP, "PUT", "crawls/docs", SEED), 403, "access", "begins with 'shop-'");
            refused(ask(leader, SHOP, "POST", "stop-sign", ""), 403, "access", "begins with 'shop-'");
            refused(ask(leader, SHOP, "PATCH", "settings", "{}"), 403, "access", "begins with 'shop-'");
            assertThat(ask(leader, SHOP, "PUT", "crawls/shop-a?start=true", SEED).statusCode()).isEqualTo(201);
            assertThat(ask(leader, SHOP, "PUT", "crawls/shop-b", "{}").statusCode()).isEqualTo(201);
            refused(ask(leader, SHOP, "PUT", "crawls/shop-c", "{}"), 403, "quota", "quotas.shop-.crawls", "at most 2");
            assertThat(ask(leader, ANN, "PUT", "crawls/docs", "{}").statusCode()).as("another prefix").isEqualTo(201);
            assertThat(ask(leader, SHOP, "PUT", "crawls/shop-a", SEED).statusCode()).as("exists already")
                    .isEqualTo(200);
            await().until(() -> fleet.crawl(leader, "shop-a").totals().waiting() == 1);
            String three = "[\"https://example.org/1\",\"https://example.org/2\",\"https://example.org/3\"]";
            refused(ask(leader, SHOP, "POST", "crawls/shop-b/seeds", three), 429, "quota", "quotas.shop-.waiting",
                    "\"value\":\"1\"", "at most 3");
            fleet.answer(fleet.theRequest(), OutcomeKind.PAGE, "200");
            await().until(() -> fleet.crawl(leader, "shop-a").state() != CrawlState.STARTED);
            HttpResponse<String> start = ask(leader, SHOP, "POST", "crawls/shop-b/start", "");
            refused(start, 429, "quota", "quotas.shop-.pagesPerDay", "\"value\":\"1\"", "at most 1");
            assertThat(start.headers().firstValueAsLong("Retry-After").orElseThrow()).isBetween(1L, 86_401L);
        }
    }

    @Test
    void aCrawlThatHasSpentThePagesOfTheDayIsStopped() throws Exception {
        try (Fleet fleet = fleet()) {
            Worker leader = fleet.leader();
            String two = "{\"seeds\":[\"https://example.org/\",\"https://example.org/2\"]}";
            assertThat(ask(leader, SHOP, "PUT", "crawls/shop-a?start=true", two).statusCode()).isEqualTo(201);
            await().until(() -> fleet.requests().size() == 2);
            fleet.answer(fleet.requests().getFirst(), OutcomeKind.PAGE, "200");
            await().until(() -> !events(leader, "shop-a", "crawl.stopping").isEmpty());
            JsonNode stopping = events(leader, "shop-a", "crawl.stopping").getFirst();
            assertThat(stopping.path("reason").asText()).isEqualTo("QUOTA");
            assertThat(stopping.has("by")).as("no call did it").isFalse();
        }
    }

    @Test
    void eventsTellWhoDidWhatWhicheverCoordinatorWasAsked() throws Exception {
        try (Fleet fleet = fleet()) {
            Worker first = fleet.leader();
            Worker second = fleet.startCoordinator();
            fleet.awaitStable(first, second);
            for (Worker worker : List.of(first, second)) {
                await().until(() -> ask(worker, SHOP, "PUT", "crawls/shop-a?start=true", SEED).statusCode() < 300);
            }
            for (Worker worker : List.of(first, second)) {
                String delay = worker == first ? "5s" : "6s";
                assertThat(ask(worker, ANN, "PATCH", "crawls/shop-a", "application/merge-patch+json",
                        "{\"fetch\":{\"delay\":\"" + delay + "\"}}").statusCode()).isEqualTo(200);
            }
            assertThat(ask(second, ANN, "PUT", "crawls/shop-a/domains/other.net", "").statusCode()).isEqualTo(200);
            assertThat(ask(second, SHOP, "POST", "crawls/shop-a/stop", "").statusCode()).isEqualTo(200);
            await().until(() -> !events(first, "shop-a", "crawl.stopping").isEmpty());
            assertThat(events(first, "shop-a", "crawl.changed")).hasSize(3)
                    .allMatch(event -> event.path("by").asText().equals("ann"));
            for (String type : List.of("crawl.initialized", "crawl.started", "crawl.stopping")) {
                assertThat(events(first, "shop-a", type)).singleElement()
                        .matches(event -> event.path("by").asText().equals("shop"), type);
            }
        }
    }
}
