package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.channel.KafkaClients;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.ItemsText;
import io.trawl.coordinator.view.ItemCalls.FoundItem;
import io.trawl.coordinator.view.ItemCalls.ItemList;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl items}: shows the newest stored items of a crawl, or follows new ones. */
@Command(name = "items", sortOptions = false, description = "Show the newest stored items of a crawl, pages and errors, follow new items, or print all of them.", footerHeading = "%nExamples:%n", footer = {
        "  trawl items docs --limit 50", "  trawl items docs --url /guide/ --json | jq -r .title",
        "  trawl items docs --follow --kind error", "  trawl items docs --format csv --fields url,title > docs.csv",
        "  TRAWL_KAFKA_BOOTSTRAP_SERVERS=localhost:9094 trawl items docs --follow --topic shop.offers", "",
        "--json prints each item in full, one per line. --follow runs until Ctrl-C. --format, --fields and --sink print all items, the oldest first.",
        "With --topic it reads a sink of the type kafka, prints the lines of new items, and ends with the crawl."})
public final class ItemsCommand extends CoordinatorCommand {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int NEWEST = 20;

    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = "--url", paramLabel = "TEXT", description = "Only items with this text in their URL.")
    private @Nullable String url;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: page or error.")
    private @Nullable String kind;

    @Option(names = "--epoch", paramLabel = "N", description = "Of this run. Default: the current one.")
    private @Nullable Integer epoch;

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number, 1 to 1000. Default: 20, or all with --format, --fields or --sink.")
    private @Nullable Integer limit;

    @Option(names = "--format", paramLabel = "FORMAT", description = "Print all items: as jsonl or csv.")
    private @Nullable String format;

    @Option(names = "--fields", paramLabel = "NAMES", split = ",", description = "Print all items with these fields only. csv needs them: they are its columns.")
    private List<String> fields = new ArrayList<>();

    @Option(names = "--sink", paramLabel = "NAME", description = "Print all items of this sink. Default: the first one whose files can be read.")
    private @Nullable String sink;

    @Option(names = {"-f", "--follow"}, description = "Follow new items after the newest ones.")
    private boolean follow;

    @Option(names = "--topic", paramLabel = "TOPIC", description = "With --follow: read the topic of a sink, at TRAWL_KAFKA_BOOTSTRAP_SERVERS.")
    private @Nullable String topic;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (topic != null) {
            followTopic(api, topic, printer);
            return;
        }
        if (format != null || sink != null || !fields.isEmpty()) {
            new ItemStream(Optional.ofNullable(format), fields, Optional.ofNullable(limit)).print(api, printer,
                    new Query("/api/v1/crawls/" + new CrawlId(crawl) + "/items.jsonl")
                            .with("url", Optional.ofNullable(url)).with("kind", Optional.ofNullable(kind))
                            .with("sink", Optional.ofNullable(sink))
                            .with("epoch", Optional.ofNullable(epoch).map(n -> Integer.toString(n))));
            return;
        }
        Query items = new Query("/api/v1/crawls/" + new CrawlId(crawl) + "/items").with("url", Optional.ofNullable(url))
                .with("kind", Optional.ofNullable(kind))
                .with("epoch", Optional.ofNullable(epoch).map(n -> Integer.toString(n)))
                .with("brief", Optional.of(Boolean.toString(!printer.json())));
        ItemList newest = page(api, items.limit(limit == null ? NEWEST : limit));
        if (follow || printer.json()) {
            (follow ? newest.items().reversed() : newest.items()).forEach(item -> print(item, printer));
        } else {
            printer.answer(new byte[0], screen -> ItemsText.of(newest, screen));
        }
        if (follow) {
            follow(api, items.with("order", Optional.of("oldest")), newest.newest(), printer);
        }
    }

    private static void follow(Api api, Query items, Optional<String> from, Printer printer)
            throws InterruptedException {
        Optional<String> cursor = from;
        WaitNotice silence = new WaitNotice(Time.system());
        while (!printer.gone()) {
            try {
                ItemList page = page(api, items.with("cursor", cursor));
                silence.clear();
                page.items().forEach(item -> print(item, printer));
                cursor = page.next().or(() -> page.newest());
                if (!page.complete()) {
                    continue;
                }
            } catch (CoordinatorUnavailableException e) {
                // It may be back soon; nothing is lost, since the cursor says where to go on.
                silence.say(e.getMessage() + "; trying again");
            }
            Time.system().pause(AGAIN);
        }
    }

    private void followTopic(Api api, String name, Printer printer) {
        if (!follow || url != null || kind != null || epoch != null) {
            throw new UserMistakeException("--topic goes with --follow, and without --url, --kind and --epoch");
        }
        CrawlId id = new CrawlId(crawl);
        try (FollowedTopic items = new FollowedTopic(new KafkaClients(SettingsReader.fromEnvironment()), name, id);
                WaitNotice silence = new WaitNotice(Time.system())) {
            items.follow(() -> printer.gone() || over(api, id, silence),
                    line -> printer.answer(line, _ -> List.of(new String(line, StandardCharsets.UTF_8))));
        }
    }

    /** Whether no run of the crawl is going on. */
    private static boolean over(Api api, CrawlId crawl, WaitNotice silence) {
        try {
            CrawlState state = api.get("/api/v1/crawls/" + crawl).as(CrawlSummary.class).state();
            silence.clear();
            return state == CrawlState.STOPPED;
        } catch (CoordinatorUnavailableException e) {
            silence.say(e.getMessage() + "; trying again");
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private static ItemList page(Api api, Query query) throws InterruptedException {
        ApiResponse answer = api.get(query.toString());
        return answer.as(ItemList.class);
    }

    private static void print(FoundItem item, Printer printer) {
        JsonNode whole = item.item();
        printer.answer(Json.text(whole).getBytes(StandardCharsets.UTF_8),
                screen -> List.of(ItemsText.line(item, screen)));
    }
}
