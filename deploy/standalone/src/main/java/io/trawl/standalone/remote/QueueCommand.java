package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.text.QueueText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.operate.QueueResizeCommand;
import picocli.CommandLine.Command;

/** {@code trawl queue}: shows the backlogs of the channels. */
@Command(name = "queue", sortOptions = false, description = "Show the backlog and the traffic of every channel, move what waits, or replace the request topics.", subcommands = {
        QueueMoveCommand.class, QueueResizeCommand.class}, footerHeading = "%nExamples:%n", footer = {"  trawl queue",
                "  trawl queue --json | jq -r .line", "  trawl queue move --crawl docs --host example.org --to 2",
                "  trawl queue resize --partitions 32 --plan"})
public final class QueueCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse queue = api.get("/api/v1/queue");
        printer.answer(queue.body(), screen -> QueueText.of(queue.as(QueueSummary.class), screen));
    }
}
