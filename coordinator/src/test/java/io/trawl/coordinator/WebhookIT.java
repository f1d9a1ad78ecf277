package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.definition.PageChange;
import io.trawl.model.CrawlerError;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events reach real receivers, signed, in order and at least once. */
class WebhookIT {
    private static final String KEY = Base64.getEncoder()
            .encodeToString("0123456789abcdef01234567".getBytes(StandardCharsets.UTF_8));
    private static final String SECRET = "whsec_" + KEY;
    private final Receiver receiver = new Receiver();
    private final Fleet fleet = new Fleet(
            Map.of("trawl.webhook.url", receiver.url("/all"), "trawl.webhook.secret", SECRET));

    @AfterEach
    void stop() {
        fleet.close();
        receiver.server.stop(0);
    }

    @Test
    void aReceiverThatFailsTwiceGetsEverythingInOrderAndSigned() throws Exception {
        receiver.refuse.set(2);
        Worker coordinator = fleet.leader();
        assertThat(fleet.put(coordinator, "docs", "?start=true", Fleet.definition("https://example.org/")).status())
                .isEqualTo(201);
        await().untilAsserted(
                () -> assertThat(receiver.types("/all")).containsExactly("crawl.initialized", "crawl.started"));
        assertThat(receiver.refused).hasSize(2);
        assertThat(receiver.refused).extracting(Call::id).as("the same event, until it is accepted")
                .containsOnly(receiver.taken.getFirst().id());
        assertThat(receiver.taken).allMatch(Call::genuine);
        assertThat(fleet.ask(coordinator, "GET", "/metrics", "").body())
                .contains("trawl_webhook_deliveries_total{result=\"failed\"} 2.0");
    }

    @Test
    void theNextLeaderResumesWhereTheFirstEnded() throws Exception {
        Worker first = fleet.leader();
        fleet.put(first, "docs", "", Fleet.definition("https://example.org/"));
        await().until(() -> receiver.types("/all").equals(List.of("crawl.initialized")));
        receiver.refuse.set(Integer.MAX_VALUE);
        fleet.ask(first, "POST", "/api/v1/crawls/docs/start", "");
        await().until(() -> !receiver.refused.isEmpty());
        first.stop(Duration.ofSeconds(5));
        receiver.refuse.set(0);
        Worker next = fleet.leader();
        fleet.ask(next, "POST", "/api/v1/crawls/docs/stop", "");
        await().untilAsserted(() -> assertThat(receiver.types("/all").stream().distinct().toList())
                .startsWith("crawl.initialized", "crawl.started", "crawl.stopping"));
        assertThat(receiver.types("/all")).as("events accepted a second before the change are not sent again")
                .containsOnlyOnce("crawl.started");
    }

    /** Positions in the deleted one are none in the new one, also if one is committed late. */
    @Test
    void aTopicThatIsMadeAgainIsDeliveredFromItsBeginningByThisLeaderAndTheNext() throws Exception {
        Worker first = fleet.leader();
        fleet.put(first, "before", "", Fleet.definition("https://example.org/"));
        await().until(() -> receiver.types("/all").equals(List.of("crawl.initialized")));
        receiver.refuse.set(Integer.MAX_VALUE);
        fleet.ask(first, "POST", "/api/v1/crawls/before/start", "");
        await().until(() -> !receiver.refused.isEmpty());
        String events = fleet.kafka.topics().events();
        fleet.deleteAndAwait(events);
        receiver.refuse.set(0);
        fleet.put(first, "after", "", Fleet.definition("https://example.org/"));
        await().untilAsserted(() -> assertThat(typesOf("after")).containsExactly("crawl.initialized"));
        await().untilAsserted(
                () -> assertThat(typesOf("before")).as("what was read is delivered").endsWith("crawl.started"));
        String group = fleet.kafka.topics().webhookGroup();
        await("the leader has committed").until(() -> fleet.kafka.committed(group, new TopicPartition(events, 0))
                .filter(position -> position.offset() > 0).isPresent());
        first.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader();
        fleet.ask(next, "POST", "/api/v1/crawls/after/start", "");
        await().untilAsserted(() -> assertThat(typesOf("after")).containsExactly("crawl.initialized", "crawl.started"));
    }

    private List<String> typesOf(String crawl) {
        return receiver.taken.stream()
                .map(call -> Json.read(call.body().getBytes(StandardCharsets.UTF_8), JsonNode.class))
                .filter(event -> event.path("data").path("crawl").asText().equals(crawl))
                .map(event -> event.path("type").asText()).toList();
    }

    @Test
    void aCrawlHasItsOwnReceiversAndAnUnreachableOneBlocksNoOther() throws Exception {
        Worker coordinator = fleet.leader();
        String own = Json.text(Map.of("seeds",
                List.of(Map.of("url", "https://hush@example.org/", "cookie", "hush", "headers",
                        Map.of("X-Auth", "hush", "X-Key", "hush"))),
                "fetch", Map.of("proxy", "http://u:${env:TRAWL_SECRET_P}@p:3128"), "webhooks",
                List.of(Map.of("url", receiver.url("/own"), "secret", SECRET),
                        Map.of("url", receiver.url("/gone?token=hush"), "secret", SECRET))));
        assertThat(fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true", own).status()).isEqualTo(201);
        await().untilAsserted(
                () -> assertThat(receiver.types("/own")).containsExactly("crawl.initialized", "crawl.started"));
        await().untilAsserted(() -> assertThat(fleet.errors()).extracting(CrawlerError::kind).containsOnly("WEBHOOK"));
        assertThat(fleet.errors()).noneMatch(e -> e.cause().contains("hush"));
        for (String path : List.of("/api/v1/crawls/docs", "/api/v1/crawls", "/api/v1/summary",
                "/api/v1/crawls/docs?format=text", "/summary", "/api/v1/events", "/api/v1/errors", "/metrics",
                "/api/v1/explain?crawl=docs&url=https%3A%2F%2Fexample.org%2F")) {
            assertThat(fleet.ask(coordinator, "GET", path, "").body()).as(path).doesNotContain(KEY)
                    .doesNotContain("hush");
        }
        JsonNode shown = Json.mapper().readTree(fleet.ask(coordinator, "GET", "/api/v1/crawls/docs", "").body())
                .path("definition");
        assertThat(shown.path("webhooks").get(0).path("url").asText()).as("paths and queries may be secrets")
                .isEqualTo(receiver.url("/(hidden)"));
        Fleet.Answer again = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", Json.text(shown));
        assertThat(again.status()).as("a shown definition can be sent back: " + again.body()).isEqualTo(200);
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "");
        await().until(() -> receiver.types("/own").contains("crawl.stopped"));
        Fleet.Answer fresh = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs?start=true&fresh=true",
                Json.text(shown));
        assertThat(fresh.status()).as("a fresh run keeps the secrets, too: " + fresh.body()).isEqualTo(200);
        await().untilAsserted(
                () -> assertThat(receiver.types("/own")).containsOnlyOnce("crawl.stopped").endsWith("crawl.started"));
        assertThat(receiver.taken).allMatch(Call::genuine);
    }

    @Test
    void aReceiverThatNeverAcceptsHasTheNextLeaderRepeatNothingToOthers() throws Exception {
        Worker first = fleet.leader();
        String own = Json.text(Map.of("seeds", List.of(Map.of("url", "https://example.org/")), "webhooks",
                List.of(Map.of("url", receiver.url("/broken"), "secret", SECRET))));
        assertThat(fleet.ask(first, "PUT", "/api/v1/crawls/docs?start=true", own).status()).isEqualTo(201);
        await().until(() -> receiver.types("/all").equals(List.of("crawl.initialized", "crawl.started")));
        await().ignoreExceptions().until(() -> {
            String metadata = fleet.committed(fleet.kafka.topics().webhookGroup()).values().iterator().next()
                    .metadata();
            JsonNode progress = Json.mapper().readTree(metadata);
            JsonNode behind = progress.path("behind");
            // A commit that was made before the other receiver had accepted both events names it, too.
            return behind.size() == 1 && progress.path("read").asLong() - behind.elements().next().asLong() > 1;
        });
        first.stop(Duration.ofSeconds(5));
        Worker next = fleet.leader();
        fleet.ask(next, "POST", "/api/v1/crawls/docs/stop", "");
        await().until(() -> receiver.types("/all").contains("crawl.stopped"));
        assertThat(receiver.types("/all")).containsExactly("crawl.initialized", "crawl.started", "crawl.stopping",
                "crawl.stopped");
    }

    @Test
    void aSlowReceiverOfPagesGetsEachChangeInOrderAndDelaysNoEventOfACrawl() throws Exception {
        Worker coordinator = fleet.leader();
        receiver.held = Optional.of(new CountDownLatch(1));
        String own = Json.text(Map.of("seeds", List.of(Map.of("url", "https://example.org/")), "refresh",
                Map.of("events", true), "webhooks",
                List.of(Map.of("url", receiver.url("/held"), "secret", SECRET, "events", List.of("page.changed")),
                        Map.of("url", receiver.url("/quick"), "secret", SECRET, "events",
                                List.of("page.changed", "crawl.stopped")))));
        Fleet.Answer put = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", own);
        assertThat(put.status()).as(put.body()).isEqualTo(201);
        List<String> ids = IntStream.range(0, 2500).mapToObj(i -> "item" + i).toList();
        fleet.kafka.produce(fleet.kafka.topics().changes(), ids.stream().map(WebhookIT::change).toList());
        await().untilAsserted(() -> assertThat(receiver.ids("/quick")).containsExactlyElementsOf(ids));
        assertThat(receiver.ids("/held")).isEmpty();
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/start", "");
        fleet.ask(coordinator, "POST", "/api/v1/crawls/docs/stop", "");
        await().until(() -> receiver.types("/all").contains("crawl.stopped")
                && receiver.types("/quick").contains("crawl.stopped"));
        assertThat(receiver.ids("/held")).isEmpty();
        receiver.held.orElseThrow().countDown();
        await().untilAsserted(() -> assertThat(receiver.ids("/held")).as("more than the memory of a receiver holds")
                .containsExactlyElementsOf(ids));
        assertThat(receiver.types("/all")).doesNotContain("page.changed");
        assertThat(Json.mapper().readTree(receiver.taken.getLast().body()).path("data"))
                .isEqualTo(((ObjectNode) Json.mapper().readTree(change("item2499"))).without("schema"));
        assertThat(fleet.errors()).isEmpty();
    }

    private static String change(String id) {
        Item item = new Item(id, "key-" + id, "docs/2", ItemKind.PAGE, "https://example.org/",
                Map.of("change", "changed", "visit", 2));
        return new String(Codec.encode(PageChange.of(item, Instant.parse("2026-01-02T03:04:05.678Z"))),
                StandardCharsets.UTF_8);
    }

    @Test
    void eventsOfPagesAreForCrawlsThatWriteThem() throws Exception {
        Worker coordinator = fleet.leader();
        Fleet.Answer answer = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", Json.text(Map.of("webhooks",
                List.of(Map.of("url", "http://x/", "secret", SECRET, "events", List.of("page.changed"))))));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("webhooks[0].events", "refresh.events: true");
        assertThat(fleet
                .ask(coordinator, "PUT", "/api/v1/crawls/docs",
                        Json.text(
                                Map.of("webhooks", List.of(Map.of("url", "http://x/", "events", List.of("page.new"))))))
                .body()).contains("webhooks[0].events[0]", "page.new", "one of crawl.initialized");
    }

    @Test
    void aReceiverWithoutASecretOrWithABadUrlIsRefused() throws Exception {
        Worker coordinator = fleet.leader();
        Fleet.Answer answer = fleet.ask(coordinator, "PUT", "/api/v1/crawls/docs", Json.text(Map.of("webhooks",
                List.of(Map.of("url", "ftp://x/"), Map.of("url", "http://x/", "secret", "whsec_c2hvcnQ=")))));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("webhooks[0].url", "webhooks[0].secret", "webhooks[1].secret")
                .doesNotContain("c2hvcnQ");
    }

    private record Call(String path, String id, String timestamp, String signature, String body) {
        boolean genuine() {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
                byte[] expected = mac.doFinal((id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8));
                return signature.equals("v1," + Base64.getEncoder().encodeToString(expected));
            } catch (java.security.GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Accepts calls, after it has refused a given number. */
    private static final class Receiver {
        final HttpServer server;
        final AtomicInteger refuse = new AtomicInteger();
        volatile Optional<CountDownLatch> held = Optional.empty();
        final List<Call> taken = new CopyOnWriteArrayList<>();
        final List<Call> refused = new CopyOnWriteArrayList<>();

        Receiver() {
            try {
                server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.createContext("/", this::take);
            server.start();
        }

        String url(String path) {
            return "http://127.0.0.1:" + server.getAddress().getPort() + path;
        }

        private void take(HttpExchange exchange) throws IOException {
            try (exchange) {
                var headers = exchange.getRequestHeaders();
                Call call = new Call(exchange.getRequestURI().getPath(), headers.getFirst("webhook-id"),
                        headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"),
                        new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                if (call.path().equals("/held")) {
                    held.orElseThrow().await();
                }
                int status = call.path().equals("/gone")
                        ? 410
                        : call.path().equals("/broken")
                                ? 500
                                : refuse.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? 503 : 204;
                if (status == 204) {
                    taken.add(call);
                } else if (status == 503) {
                    refused.add(call);
                }
                exchange.sendResponseHeaders(status, -1);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        List<String> ids(String path) {
            return taken.stream().filter(call -> call.path().equals(path)).map(Call::id)
                    .filter(id -> id.startsWith("item")).distinct().toList();
        }

        List<String> types(String path) throws IOException {
            List<String> types = new java.util.ArrayList<>();
            for (Call call : taken) {
                if (call.path().equals(path)) {
                    types.add(Json.mapper().readTree(call.body()).path("type").asText());
                }
            }
            return types;
        }
    }
}
