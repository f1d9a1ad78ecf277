package io.trawl.coordinator.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.leader.RetryControl.ErrorPage;
import io.trawl.coordinator.probe.AnswerSearch.FoundAnswer;
import io.trawl.direct.DiffListing;
import io.trawl.direct.FramedResponse;
import io.trawl.direct.ItemPage;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.ModuleKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads stored items at a pipeline: any can answer, since all share one folder. Thread-safe; calls block.
 *
 * @param calls whose limit of an answer is more than the largest item
 */
public record ItemCalls(ModuleCalls calls) {
    private static final Duration LIMIT = Duration.ofSeconds(15);
    private static final int BRIEF_TEXT = 500;

    /**
     * A page of items.
     *
     * @param next the cursor that continues in the same order
     * @param newest the cursor after which the order {@code oldest} has only later items
     * @param complete whether nothing follows now
     * @param scanned the lines that were read
     */
    public record ItemList(List<FoundItem> items, Optional<String> next, Optional<String> newest, boolean complete,
            long scanned) {}

    /** An item. @param place with which it is found again */
    public record FoundItem(String place, JsonNode item) {}

    /**
     * A page of items.
     *
     * @param query the parameters of {@link ItemPage} but the run
     * @param brief whether to leave out lists, objects and long texts
     * @throws NoWorkerException if no pipeline answers
     * @throws CallRefusedException if the pipeline refuses a parameter, or the item is not there
     */
    public ItemList page(CrawlRun run, Map<String, String> query, boolean brief) throws InterruptedException {
        RawPage raw = raw(run, query);
        List<FoundItem> items = new ArrayList<>();
        String[] lines = new String(raw.lines(), StandardCharsets.UTF_8).split("\n");
        for (int i = 0; i < raw.head().places().size(); i++) {
            JsonNode item = Json.read(lines[i].getBytes(StandardCharsets.UTF_8), JsonNode.class);
            items.add(new FoundItem(raw.head().places().get(i), brief ? shortened(item) : item));
        }
        return new ItemList(items, raw.head().next(), raw.head().newest(), raw.head().complete(), raw.head().scanned());
    }

    /** The same as {@link #page}, of errors that are fetched again. */
    public ErrorPage errors(CrawlRun run, Map<String, String> query) throws InterruptedException {
        ItemList page = page(run, query, false);
        return new ErrorPage(page.items().stream().map(FoundItem::item).toList(), page.complete(), page.next());
    }

    /** The newest items whose URL contains this one, without long texts; none if no pipeline answers. */
    public List<FoundAnswer> containing(CrawlRun run, String url) throws InterruptedException {
        try {
            return page(run, Map.of("url", url, "limit", "100"), true).items().stream()
                    .map(found -> answer(found.item())).toList();
        } catch (NoWorkerException | CallRefusedException | InvalidDefinitionException e) {
            return List.of();
        }
    }

    private static FoundAnswer answer(JsonNode item) {
        return new FoundAnswer(item.path("id").asText(), item.path("kind").asText(),
                item.path(item.has("status") ? "status" : "reason").asText(), item.path("cause").asText(),
                Instant.parse(item.path("fetchedAt").asText(Instant.EPOCH.toString())), item.path("attempts").asInt(1));
    }

    /**
     * Writes all items, the oldest first, each on a line as it is stored.
     *
     * @param query parameters of {@link ItemPage} but the run, the order and the cursor
     * @throws IOException if the reader is gone
     */
    public void copy(CrawlRun run, Map<String, String> query, OutputStream out)
            throws IOException, InterruptedException {
        Map<String, String> next = new HashMap<>(query);
        next.put("order", "oldest");
        next.put("limit", "1000");
        boolean complete = false;
        while (!complete) {
            RawPage page = raw(run, next);
            out.write(page.lines());
            complete = page.head().complete();
            page.head().next().ifPresent(cursor -> next.put("cursor", cursor));
        }
    }

    /**
     * What finished runs of a crawl have changed, as a pipeline says it.
     *
     * @param query the parameters of {@link DiffListing} but the crawl
     * @throws NoWorkerException if no pipeline answers
     * @throws CallRefusedException if the pipeline refuses a parameter, or a run is not there
     */
    public JsonNode diff(CrawlId crawl, Map<String, String> query) throws InterruptedException {
        Map<String, String> parameters = new HashMap<>(query);
        parameters.put("crawl", crawl.value());
        return calls.any(ModuleKind.PIPELINE, ModuleQuestion.get(DiffListing.PATH, parameters, LIMIT, JsonNode.class))
                .value();
    }

    private record RawPage(ItemPage head, byte[] lines) {}

    private RawPage raw(CrawlRun run, Map<String, String> query) throws InterruptedException {
        Map<String, String> parameters = new HashMap<>(query);
        parameters.put("run", run.toString());
        return calls.any(ModuleKind.PIPELINE, ModuleQuestion.get(ItemPage.PATH, parameters, LIMIT,
                body -> new RawPage(Json.read(FramedResponse.line(body), ItemPage.class), FramedResponse.rest(body))))
                .value();
    }

    static JsonNode shortened(JsonNode item) {
        ObjectNode brief = Json.mapper().createObjectNode();
        item.properties().forEach(field -> {
            if (field.getValue().isValueNode()
                    && (field.getKey().equals("url") || field.getValue().asText().length() <= BRIEF_TEXT)) {
                brief.set(field.getKey(), field.getValue());
            }
        });
        return brief;
    }
}
