package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.worker.Worker;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Seeds as a stream of lines. */
class SeedStreamIT {
    /** Room for all seeds of a test but one, also if the leader takes none of them in meanwhile. */
    private final Fleet fleet = new Fleet(Map.of("trawl.topics.capacity", "100000"));
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        fleet.close();
        http.close();
    }

    @Test
    void aFollowerAcceptsTwentyThousandSeedsInOneRequest() throws Exception {
        Worker follower = follower();
        HttpResponse<String> answer = post(follower, new Endless(20_000));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("{\"seeds\":20000}");
        await().until(() -> fleet.crawl(follower, "docs").totals().emitted() == 20_000);
        assertThat(fleet.errors()).isEmpty();
    }

    /** The leader reads on to the end of the list. */
    @Test
    void aFollowerReportsTheLineThatIsMalformed() throws Exception {
        String lines = IntStream.rangeClosed(1, 2500).mapToObj(SeedStreamIT::seed).collect(Collectors.joining("\n"));
        byte[] broken = (lines + "\n{broken\n").getBytes(StandardCharsets.UTF_8);
        HttpResponse<String> answer = post(follower(),
                new SequenceInputStream(new ByteArrayInputStream(broken), new Endless(100_000)));
        problem(answer, 400, 2500, "line 2501");
    }

    private Worker follower() throws Exception {
        Worker first = fleet.startCoordinator();
        await().until(() -> Fleet.leads(first));
        Worker second = fleet.startCoordinator();
        fleet.awaitMembers(first, second);
        fleet.put(first, "docs", "", Fleet.definition());
        return Fleet.leads(first) ? second : first;
    }

    @Test
    void aMalformedLineIsNamedAndTheSeedsBeforeItAreAccepted() throws Exception {
        Worker coordinator = leading();
        String lines = IntStream.rangeClosed(1, 2500).mapToObj(SeedStreamIT::seed).collect(Collectors.joining("\n"));
        problem(post(coordinator, lines + "\n\n{broken\n" + seed(9999)), 400, 2500, "line 2502");
        problem(post(coordinator, lines.replace("\"https://example.org/1700\"", "\"ftp://x/\"")), 400, 1699,
                "line 1700.url");
        problem(post(coordinator, seed(1) + "\r\n" + " ".repeat(200_000)), 400, 1, "line 2");
        assertThat(post(coordinator, "\r\n \n").body()).isEqualTo("{\"seeds\":0}");
        await().until(() -> fleet.crawl(coordinator, "docs").totals().emitted() == 2500);
    }

    @Test
    void allFaultsAreNamedAndTheSeedsBeforeTheFirstAreTaken() throws Exception {
        Worker coordinator = leading();
        String lines = "https://example.org/1\nftp://x/\n" + "https://example.org/2\n".repeat(1500)
                + "https://example.org/3 # a remark\nnonsense\n";
        HttpResponse<String> answer = post(coordinator, lines);
        problem(answer, 400, 1, "line 2.url");
        assertThat(answer.body()).contains("line 1503\"", "line 1504.url");
        assertThat(Json.mapper().readTree(answer.body()).path("faults")).hasSize(3);
        answer = post(coordinator, "https://example.org/4\n" + "nonsense\n".repeat(150));
        problem(answer, 400, 1, "line 101.url");
        assertThat(Json.mapper().readTree(answer.body()).path("more").asInt()).isEqualTo(50);
        await().until(() -> fleet.crawl(coordinator, "docs").totals().emitted() == 2);
    }

    @Test
    void theAnswerSaysHowManySeedsAreRefusedAndWhy() throws Exception {
        Worker coordinator = leading();
        assertThat(post(coordinator, "https://example.org/1\nhttps://other.net/\nhttps://other.org/\n").body())
                .isEqualTo("{\"seeds\":3,\"refused\":{\"DOMAIN\":2}}");
        assertThat(post(coordinator, "https://example.org/1\n").body())
                .isEqualTo("{\"seeds\":1,\"refused\":{\"SEEN\":1}}");
    }

    @Test
    void aColumnOfCsvIsTaken() throws Exception {
        Worker coordinator = leading();
        String csv = "rank,url\n1,https://example.org/1\n2,https://example.org/2\n";
        assertThat(post(coordinator, "/api/v1/crawls/docs/seeds?column=url", BodyPublishers.ofString(csv)).body())
                .isEqualTo("{\"seeds\":2}");
        assertThat(post(coordinator, "/api/v1/crawls/docs/seeds?column=page", BodyPublishers.ofString(csv)).body())
                .contains("rank, url");
    }

    @Test
    void aStreamOverTheCapacityReportsHowManySeedsWereAccepted() throws Exception {
        Worker coordinator = leading();
        String lines = IntStream.range(0, 250_000).mapToObj(SeedStreamIT::seed).collect(Collectors.joining("\n"));
        HttpResponse<String> answer = post(coordinator, lines);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
        JsonNode problem = Json.mapper().readTree(answer.body());
        long taken = problem.path("taken").asLong();
        assertThat(taken).isBetween(100_000L, 200_000L).isEqualTo(taken / 1000 * 1000);
        await().until(() -> fleet.crawl(coordinator, "docs").totals().emitted() == taken);
        assertThat(post(coordinator, "/api/v1/crawls/none/seeds", BodyPublishers.ofString(seed(1))).statusCode())
                .isEqualTo(404);
    }

    private Worker leading() throws Exception {
        Worker coordinator = fleet.leader();
        fleet.put(coordinator, "docs", "", Fleet.definition());
        return coordinator;
    }

    private static void problem(HttpResponse<String> answer, int status, int taken, String text) throws IOException {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(answer.body()).contains(text);
        assertThat(Json.mapper().readTree(answer.body()).path("taken").asInt()).isEqualTo(taken);
    }

    private HttpResponse<String> post(Worker at, String lines) throws IOException, InterruptedException {
        return post(at, "/api/v1/crawls/docs/seeds", BodyPublishers.ofString(lines));
    }

    private HttpResponse<String> post(Worker at, InputStream lines) throws IOException, InterruptedException {
        return post(at, "/api/v1/crawls/docs/seeds", BodyPublishers.ofInputStream(() -> lines));
    }

    private HttpResponse<String> post(Worker at, String path, HttpRequest.BodyPublisher body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                        .header("Content-Type", "application/x-ndjson; charset=utf-8").POST(body).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static String seed(int i) {
        return "{\"url\":\"https://example.org/" + i + "\"}";
    }

    /** Seeds that are generated while they are sent: more than any other body may hold. */
    private static final class Endless extends InputStream {
        private final int count;
        private int made;
        private byte[] line = new byte[0];
        private int at;

        Endless(int count) {
            this.count = count;
        }

        @Override
        public int read() {
            if (at == line.length) {
                if (made == count) {
                    return -1;
                }
                line = ("{\"url\":\"https://example.org/" + made++ + "\",\"metadata\":{\"note\":\"" + "x".repeat(350)
                        + "\"}}\n").getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            return line[at++];
        }
    }
}
