package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.text.QueueText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import picocli.CommandLine.Command;

/** {@code trawl queue}: shows the backlogs of the channels. */
@Command(name = "queue", sortOptions = false, description = "Show the backlog and the traffic of every channel.", footerHeading = "%nExamples:%n", footer = {
        "  trawl queue", "  trawl queue --json | jq -r .line"})
public final class QueueCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse queue = api.get("/api/v1/queue");
        printer.answer(queue.body(), screen -> QueueText.of(queue.as(QueueSummary.class), screen));
    }
}
