package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl status}: the fleet at a glance, or one crawl. */
@Command(name = "status", sortOptions = false, description = "Show the fleet at a glance, or one crawl: state, progress, speed, what is missing.", footerHeading = "%nExamples:%n", footer = {
        "  trawl status", "  trawl status docs", "  trawl status docs --json | jq .totals"})
public final class StatusCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", arity = "0..1", description = "A crawl. Default: the whole fleet.")
    private @Nullable String crawl;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (crawl == null) {
            Answer fleet = api.get("/api/summary");
            Optional<JsonNode> signs = printer.json() ? Optional.empty() : Signs.all(api);
            printer.answer(fleet.body(), screen -> FleetText.atAGlance(fleet.json(), signs, screen));
        } else {
            Answer one = api.get("/api/crawls/" + new CrawlId(crawl));
            printer.answer(one.body(), screen -> CrawlText.of(new CrawlView(one.json()), screen));
        }
    }
}
