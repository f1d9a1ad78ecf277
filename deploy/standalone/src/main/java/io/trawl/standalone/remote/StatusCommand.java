package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.coordinator.text.FleetText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.text.Printer;
import io.trawl.worker.ShutdownRequest;
import io.trawl.worker.Signals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl status}: shows an overview of the fleet, or one crawl. */
@Command(name = "status", sortOptions = false, description = "Show an overview of the fleet, or one crawl: state, progress, speed, missing modules.", footerHeading = "%nExamples:%n", footer = {
        "  trawl status", "  trawl status docs --watch", "  trawl status docs --json | jq .totals"})
public final class StatusCommand extends CoordinatorCommand {
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    @Parameters(paramLabel = "ID", arity = "0..1", description = "A crawl. Default: the whole fleet.")
    private @Nullable String crawl;

    @Option(names = {"-w", "--watch"}, description = "Show it again every two seconds, until Ctrl-C.")
    private boolean watch;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (!watch) {
            show(api, printer);
            return;
        }
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        try (Printer.Frames frames = printer.frames()) {
            do {
                try {
                    show(api, frames.next());
                } catch (CoordinatorUnavailableException e) {
                    frames.next().note(String.valueOf(e.getMessage()));
                }
                frames.end();
            } while (!stop.within(BETWEEN) && !printer.gone());
        }
    }

    private void show(Api api, Printer printer) throws InterruptedException {
        if (crawl == null) {
            ApiResponse fleet = api.get("/api/v1/summary");
            Optional<List<StopSignSummary>> signs = printer.json() ? Optional.empty() : signs(api);
            printer.answer(fleet.body(), screen -> FleetText.atAGlance(fleet.as(FleetSummary.class), signs, screen));
        } else {
            ApiResponse one = api.get("/api/v1/crawls/" + new CrawlId(crawl));
            printer.answer(one.body(), screen -> CrawlText.of(one.as(CrawlSummary.class), screen));
        }
    }

    /** All stop signs; empty if the coordinator cannot report them, so that the rest is still shown. */
    private static Optional<List<StopSignSummary>> signs(Api api) throws InterruptedException {
        try {
            return Optional.of(api.getAll("/api/v1/stop-signs").list(StopSignSummary.class));
        } catch (CoordinatorUnavailableException e) {
            return Optional.empty();
        }
    }
}
