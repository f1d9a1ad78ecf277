package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.text.FleetText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import io.trawl.time.Time;
import picocli.CommandLine.Command;

/** {@code trawl summary}: shows the full summary of the fleet. */
@Command(name = "summary", sortOptions = false, description = "Show everything about the fleet: channels, modules and every crawl in full.", footerHeading = "%nExamples:%n", footer = {
        "  trawl summary", "  trawl summary --json | jq '.crawls[].totals'"})
public final class SummaryCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse summary = api.get("/api/v1/summary");
        printer.answer(summary.body(),
                screen -> FleetText.inFull(summary.as(FleetSummary.class), Time.system().now(), screen));
    }
}
