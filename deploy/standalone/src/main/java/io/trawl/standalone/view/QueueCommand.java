package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import picocli.CommandLine.Command;

/** {@code trawl queue}: how full the channels are. */
@Command(name = "queue", sortOptions = false, description = "Show how full every channel is, and what has gone through it.", footerHeading = "%nExamples:%n", footer = {
        "  trawl queue", "  trawl queue --json | jq -r .line"})
public final class QueueCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Answer queue = api.get("/api/queue");
        printer.answer(queue.body(), screen -> QueueText.of(queue.json(), screen));
    }
}
