package io.trawl.bench.fleet;

import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Submits seeds to a coordinator over HTTP. Thread-safe. */
public final class SeedClient implements AutoCloseable {
    private static final int ACCEPTED = 202;
    private final URI base;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param base the coordinator's address */
    public SeedClient(URI base) {
        this.base = base;
    }

    /**
     * Submits seeds and returns when the coordinator accepts them, after the acknowledgement of Kafka.
     *
     * @throws IllegalStateException if the coordinator refuses them
     */
    public void submit(CrawlId crawl, List<Seed> seeds) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("/api/v1/crawls/" + crawl + "/seeds"))
                .header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(Json.bytes(seeds))).build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
            if (response.statusCode() != ACCEPTED) {
                throw new IllegalStateException("seeds refused: " + response.statusCode() + " " + response.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
