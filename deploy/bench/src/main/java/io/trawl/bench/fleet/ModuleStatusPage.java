package io.trawl.bench.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.ModuleKind;
import io.trawl.standalone.client.Api;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Reads the summaries of modules from their addresses. */
public record ModuleStatusPage(Api coordinator) {
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
        return listed().size();
    }

    private List<JsonNode> listed() throws InterruptedException {
        return coordinator.getAll("/api/v1/modules").list(JsonNode.class);
    }

    private List<JsonNode> summaries(ModuleKind kind) throws InterruptedException {
        List<JsonNode> summaries = new ArrayList<>();
        for (JsonNode module : listed()) {
            String mid = module.path("mid").asText();
            if (mid.charAt(0) == kind.letter()) {
                try (Api worker = new Api(URI.create("http://" + mid.substring(mid.indexOf('|') + 1)))) {
                    summaries.add(worker.get("/summary").as(JsonNode.class));
                }
            }
        }
        return summaries;
    }
}
