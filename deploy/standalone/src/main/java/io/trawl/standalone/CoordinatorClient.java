package io.trawl.standalone;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.model.CrawlId;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Asks a coordinator. Calls block, for a minute at most. Thread-safe. */
public final class CoordinatorClient implements AutoCloseable {
    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final Duration TO_ANSWER = Duration.ofSeconds(60);
    private final URI base;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TO_CONNECT)
            .build();

    /** The coordinator cannot be reached or says that it cannot answer now; it may be worth asking again. */
    public static final class Unavailable extends RuntimeException {
        Unavailable(String message) {
            super(message);
        }
    }

    /** @param base where the coordinator is, for example {@code http://127.0.0.1:8080} */
    public CoordinatorClient(URI base) {
        this.base = base;
    }

    /**
     * Defines a crawl, or attaches to the one that exists, and starts it.
     *
     * @throws UserMistake if the coordinator refuses
     * @throws Unavailable if it does not answer
     */
    public CrawlSummary define(CrawlId crawl, CrawlDefinition definition, boolean fresh) throws InterruptedException {
        return summary(send(request(crawl, "?start=true&fresh=" + fresh).header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(Json.bytes(definition)))));
    }

    /**
     * A crawl, if there is one of that id.
     *
     * @throws Unavailable if the coordinator does not answer
     */
    public Optional<CrawlSummary> crawl(CrawlId crawl) throws InterruptedException {
        HttpResponse<byte[]> response = send(request(crawl, "").GET());
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(summary(response));
    }

    /**
     * Begins to stop a crawl.
     *
     * @throws UserMistake if its state forbids it
     * @throws Unavailable if the coordinator does not answer
     */
    public CrawlSummary stop(CrawlId crawl) throws InterruptedException {
        return summary(send(request(crawl, "/stop").POST(BodyPublishers.noBody())));
    }

    private HttpRequest.Builder request(CrawlId crawl, String rest) {
        return HttpRequest.newBuilder(base.resolve("/api/crawls/" + crawl + rest)).timeout(TO_ANSWER);
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws InterruptedException {
        try {
            return http.send(request.build(), BodyHandlers.ofByteArray());
        } catch (IOException e) {
            throw new Unavailable("no coordinator answers at " + base);
        }
    }

    private CrawlSummary summary(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return Json.read(response.body(), CrawlSummary.class);
        }
        if (status >= 500) {
            throw new Unavailable("the coordinator at " + base + " cannot answer: " + detail(response));
        }
        throw new UserMistake(detail(response));
    }

    /** What a problem document (RFC 9457) says of this case. */
    private static String detail(HttpResponse<byte[]> response) {
        String status = "it answers " + response.statusCode();
        try {
            return Json.mapper().readTree(new String(response.body(), StandardCharsets.UTF_8)).path("detail").asText(status);
        } catch (IOException | MalformedRecord e) {
            return status;
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
