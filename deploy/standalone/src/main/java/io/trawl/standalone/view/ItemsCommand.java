package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.coordinator.text.ItemsText;
import io.trawl.coordinator.view.ItemCalls.FoundItem;
import io.trawl.coordinator.view.ItemCalls.ItemList;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.text.Printer;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl items}: shows the newest stored items of a crawl, or follows new ones. */
@Command(name = "items", sortOptions = false, description = "Show the newest stored items of a crawl, pages and errors, or follow new items.", footerHeading = "%nExamples:%n", footer = {
        "  trawl items docs --limit 50", "  trawl items docs --url /guide/ --json | jq -r .title",
        "  trawl items docs --follow --kind error", "",
        "--json prints each item in full, one per line. --follow runs until Ctrl-C."})
public final class ItemsCommand extends CoordinatorCommand {
    private static final Duration AGAIN = Duration.ofSeconds(1);

    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = "--url", paramLabel = "TEXT", description = "Only items with this text in their URL.")
    private @Nullable String url;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: page or error.")
    private @Nullable String kind;

    @Option(names = "--epoch", paramLabel = "N", description = "Of this run. Default: the current one.")
    private @Nullable Integer epoch;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = {"-f", "--follow"}, description = "Follow new items after the newest ones.")
    private boolean follow;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Query items = new Query("/api/v1/crawls/" + new CrawlId(crawl) + "/items").with("url", Optional.ofNullable(url))
                .with("kind", Optional.ofNullable(kind)).with("epoch", Optional.ofNullable(epoch).map(n -> Integer.toString(n)))
                .with("brief", Optional.of(Boolean.toString(!printer.json())));
        ItemList newest = page(api, items.limit(limit));
        if (follow || printer.json()) {
            (follow ? newest.items().reversed() : newest.items()).forEach(item -> print(item, printer));
        } else {
            printer.answer(new byte[0], screen -> ItemsText.of(newest, screen));
        }
        if (follow) {
            follow(api, items.with("order", Optional.of("oldest")), newest.newest(), printer);
        }
    }

    private static void follow(Api api, Query items, Optional<String> from, Printer printer) throws InterruptedException {
        Optional<String> cursor = from;
        while (!printer.gone()) {
            try {
                ItemList page = page(api, items.with("cursor", cursor));
                page.items().forEach(item -> print(item, printer));
                cursor = page.next().or(() -> page.newest());
                if (!page.complete()) {
                    continue;
                }
            } catch (CoordinatorUnavailableException e) {
                // It may be back soon; nothing is lost, since the cursor says where to go on.
            }
            Time.system().pause(AGAIN);
        }
    }

    private static ItemList page(Api api, Query query) throws InterruptedException {
        ApiResponse answer = api.get(query.toString());
        return answer.as(ItemList.class);
    }

    private static void print(FoundItem item, Printer printer) {
        JsonNode whole = item.item();
        printer.answer(Json.text(whole).getBytes(StandardCharsets.UTF_8), screen -> List.of(ItemsText.line(item, screen)));
    }
}
