package io.trawl.coordinator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.settings.SettingsReader;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What holds for every call of the REST interface, whatever it does. The coordinator has not started. */
class ConventionsTest {
    private final ApiEndpoint endpoint = new ApiEndpoint(SettingsReader.from(Map.of()), 0);
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        endpoint.close();
        http.close();
    }

    private HttpResponse<byte[]> ask(String method, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest
                .newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + "/api/v1/" + path))
                .method(method, BodyPublishers.noBody());
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest(name = "{0} {1}: {2}, Allow: {3}")
    @CsvSource(delimiter = '|', value = {"POST|summary|405|GET, HEAD, OPTIONS", "DELETE|crawls|405|GET, HEAD, OPTIONS",
            "GET|crawls/docs/start|405|POST, OPTIONS", "HEAD|preview|405|POST, OPTIONS",
            "OPTIONS|crawls/docs|204|DELETE, GET, HEAD, PATCH, PUT, OPTIONS", "OPTIONS|nothing|404|"})
    void aMethodThatAPathHasNotIsAnsweredWithThoseThatItHas(String method, String path, int status, String allowed)
            throws Exception {
        HttpResponse<byte[]> answer = ask(method, path);
        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(header(answer, "Allow")).isEqualTo(allowed == null ? "" : allowed);
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource(delimiter = '|', value = {
            "crawls?lmit=3|lmit|3|one of the query parameters cursor, fields, limit, sort, state; did you mean limit?",
            "queue?limit=3|limit|3|this call has no query parameters", "crawls?limit=1&limit=2|limit|1, 2|given once",
            "crawls?state=|state||a value, or else left out", "stop-sign?host=|host||a value, or else left out",
            "summary?format=txt|format|txt|one of json, text; did you mean text?",
            "crawls?sort=page|sort|page|one of -bytes, -crawl, -elapsed, -errors, -pages, -progress, -rate, -startedAt, -state, -waiting, bytes, crawl, elapsed, errors, pages, progress, rate, startedAt, state, waiting; did you mean pages?"})
    void aQueryParameterThatACallHasNotIsRefusedWithTheNearest(String call, String field, @Nullable String value,
            String rule) throws Exception {
        HttpResponse<byte[]> answer = ask("GET", call);
        JsonNode problem = Json.mapper().readTree(answer.body());
        assertThat(answer.statusCode()).as(problem.toString()).isEqualTo(400);
        assertThat(problem.path("faults")).hasSize(1);
        assertThat(problem.path("faults").get(0)).isEqualTo(Json.mapper().createObjectNode().put("field", field)
                .put("value", value == null ? "" : value).put("rule", rule));
    }

    @ParameterizedTest(name = "Accept: {0} of {1}: {2}")
    @CsvSource(delimiter = '|', value = {"image/png|openapi.json|406", "application/json|openapi.json|200",
            "*/*|openapi.json|200", "application/*;q=0.1, image/png|openapi.json|200",
            "application/json;q=0|openapi.json|406", "application/json|openapi.yaml|406",
            "application/json|errors/stream|406", "text/plain|queue|406", "text/plain|summary|503"})
    void anAnswerHasAMediaTypeThatIsAccepted(String accept, String path, int status) throws Exception {
        assertThat(ask("GET", path, "Accept", accept).statusCode()).isEqualTo(status);
    }

    @Test
    void aBodyOfAnotherTypeIsRefusedWithAllTypesThatTheCallReads() throws Exception {
        HttpResponse<byte[]> answer = ask("POST", "crawls/docs/seeds", "Content-Type", "text/plain");
        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(Json.mapper().readTree(answer.body()).path("detail").asText())
                .contains("the body is application/json", "application/warc", "text/csv", "text/uri-list");
    }

    @Test
    void anEncodedSlashIsAPartOfAParameter() throws Exception {
        HttpResponse<byte[]> answer = ask("PUT", "crawls/docs/domains/http:%2F%2Fa.example%2F");
        assertThat(header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(Json.mapper().readTree(answer.body()).path("detail").asText()).isEqualTo("starting");
    }

    @Test
    void headIsAnsweredAsGetWithoutTheBody() throws Exception {
        HttpResponse<byte[]> get = ask("GET", "openapi.yaml");
        HttpResponse<byte[]> head = ask("HEAD", "openapi.yaml");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(header(head, "Content-Type")).isEqualTo(header(get, "Content-Type"));
        assertThat(ask("HEAD", "summary").statusCode()).as("not 200 for every path that exists").isEqualTo(503);
        assertThat(ask("HEAD", "summary?lmit=1").statusCode()).isEqualTo(400);
    }

    @Test
    void answersAreCompressedForClientsThatAcceptThat() throws Exception {
        HttpResponse<byte[]> answer = ask("GET", "openapi.json", "Accept-Encoding", "gzip");
        assertThat(header(answer, "Content-Encoding")).isEqualTo("gzip");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(answer.body()))) {
            assertThat(Json.mapper().readTree(in).path("openapi").asText()).startsWith("3.1");
        }
    }
}
