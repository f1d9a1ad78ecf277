package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import io.trawl.time.Time;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trawl summary}: everything that a coordinator says of the fleet. */
@Command(name = "summary", sortOptions = false, description = "Show everything about the fleet: channels, modules and every crawl in full.", footerHeading = "%nExamples:%n", footer = {
        "  trawl summary", "  trawl summary --json | jq '.crawls[].totals'"})
public final class SummaryCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            Answer summary = api.get("/api/summary");
            at.printer().answer(summary.body(), screen -> FleetText.inFull(summary.json(), Time.system().now(), screen));
        }
        return 0;
    }
}
