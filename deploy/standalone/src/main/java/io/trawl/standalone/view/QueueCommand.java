package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trawl queue}: how full the channels are. */
@Command(name = "queue", sortOptions = false, description = "Show how full every channel is, and what has gone through it.", footerHeading = "%nExamples:%n", footer = {
        "  trawl queue", "  trawl queue --json | jq -r .line"})
public final class QueueCommand implements Callable<Integer> {
    @Mixin
    private CoordinatorOptions at = new CoordinatorOptions();

    @Override
    public Integer call() throws InterruptedException {
        try (Api api = at.api()) {
            Answer queue = api.get("/api/queue");
            at.printer().answer(queue.body(), screen -> QueueText.of(queue.json(), screen));
        }
        return 0;
    }
}
