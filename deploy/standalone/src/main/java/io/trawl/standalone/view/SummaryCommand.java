package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import io.trawl.time.Time;
import picocli.CommandLine.Command;

/** {@code trawl summary}: everything that a coordinator says of the fleet. */
@Command(name = "summary", sortOptions = false, description = "Show everything about the fleet: channels, modules and every crawl in full.", footerHeading = "%nExamples:%n", footer = {
        "  trawl summary", "  trawl summary --json | jq '.crawls[].totals'"})
public final class SummaryCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Answer summary = api.get("/api/summary");
        printer.answer(summary.body(), screen -> FleetText.inFull(summary.json(), Time.system().now(), screen));
    }
}
