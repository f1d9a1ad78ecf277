package io.trawl.bench.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.ModuleKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;

/** Reads the summaries of modules from their addresses. Thread-safe. */
public final class ModuleStatusPage implements AutoCloseable {
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI coordinator;

    /** @param coordinator the coordinator's address */
    public ModuleStatusPage(URI coordinator) {
        this.coordinator = coordinator;
    }

    /** The number of pending requests of all downloaders and priorities; 0 without downloaders. */
    public long pending() throws InterruptedException {
        long pending = 0;
        for (JsonNode summary : summaries(ModuleKind.DOWNLOADER)) {
            for (JsonNode level : summary.path("extra").path("pendingByPriority")) {
                pending += level.asLong();
            }
        }
        return pending;
    }

    /** The sum of the completed counts of all modules of a kind, each since its start. */
    public long completed(ModuleKind kind) throws InterruptedException {
        long completed = 0;
        for (JsonNode summary : summaries(kind)) {
            completed += summary.path("counts").path("completed").asLong();
        }
        return completed;
    }

    /** The number of modules of all kinds. */
    public int modules() throws InterruptedException {
        return get(coordinator.resolve("/api/v1/modules")).size();
    }

    private List<JsonNode> summaries(ModuleKind kind) throws InterruptedException {
        List<JsonNode> summaries = new ArrayList<>();
        for (JsonNode module : get(coordinator.resolve("/api/v1/modules"))) {
            String mid = module.path("mid").asText();
            if (mid.charAt(0) == kind.letter()) {
                summaries.add(get(URI.create("http://" + mid.substring(mid.indexOf('|') + 1) + "/summary")));
            }
        }
        return summaries;
    }

    private JsonNode get(URI address) throws InterruptedException {
        try {
            return Json.mapper()
                    .readTree(http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofByteArray()).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
