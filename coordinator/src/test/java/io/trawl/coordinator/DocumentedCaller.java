package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls one coordinator with some headers; every response must have the expected status and be as the OpenAPI document
 * says.
 */
final class DocumentedCaller {
    private static final int LARGE = 1 << 20;
    private final HttpClient http;
    private final ApiDocument document;
    private final Worker at;
    private final Map<String, String> headers;

    DocumentedCaller(HttpClient http, ApiDocument document, Worker at, Map<String, String> headers) {
        this.http = http;
        this.document = document;
        this.at = at;
        this.headers = headers;
    }

    DocumentedCaller with(String name, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(name, value);
        return new DocumentedCaller(http, document, at, all);
    }

    void get(String path, int status) throws Exception {
        expect("GET", path, "", status);
    }

    void put(String path, String body, int status) throws Exception {
        expect("PUT", path, body, status);
    }

    void post(String path, String body, int status) throws Exception {
        expect("POST", path, body, status);
    }

    void patch(String path, String body, int status) throws Exception {
        expect("PATCH", path, body, status);
    }

    void delete(String path, int status) throws Exception {
        expect("DELETE", path, "", status);
    }

    private void expect(String method, String path, String body, int status) throws Exception {
        HttpResponse<String> answer = send(method, path, body);
        assertThat(answer.statusCode()).as("%s %s: %s", method, path, answer.body()).isEqualTo(status);
        if (status == 429 || status == 503) {
            assertThat(answer.headers().firstValue("Retry-After")).as(path).isPresent();
        }
        document.check(method, path, status, type(answer), answer.body());
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        return http.send(request(method, path, body), BodyHandlers.ofString());
    }

    HttpRequest request(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + at.mid().address() + path))
                .header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        // Otherwise the connection may end while a body is written that the answer has refused already.
        return request.expectContinue(body.length() > LARGE).build();
    }

    /** The media type of a response; empty if it has none. */
    static String type(HttpResponse<?> answer) {
        return answer.headers().firstValue("Content-Type").orElse("");
    }
}
