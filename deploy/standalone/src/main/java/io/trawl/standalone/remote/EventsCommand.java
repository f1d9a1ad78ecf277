package io.trawl.standalone.remote;

import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.text.EventsText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.text.Printer;
import picocli.CommandLine.Command;

/** {@code trawl events}: shows events of crawls. */
@Command(name = "events", sortOptions = false, description = "Show events of crawls: started, stopped, finished, deleted; newest first.", footerHeading = "%nExamples:%n", footer = {
        "  trawl events", "  trawl events --crawl docs --limit 5",
        "  trawl events --json | jq '.[] | select(.type == \"crawl.finished\")'"})
public final class EventsCommand extends FeedCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse events = api.get(limited(filtered("/api/v1/events")));
        printer.answer(events.body(), screen -> EventsText.of(events.list(CrawlEvent.class), screen));
    }
}
