package io.trawl.standalone.steer;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Printer;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code trawl reset}: takes the stop sign of the fleet away. */
@Command(name = "reset", sortOptions = false, description = "Take the fleet's stop sign away: what was started goes on.", footerHeading = "%nExample:%n", footer = {
        "  trawl reset"})
public final class ResetCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Answer answer = api.delete("/api/stop-sign");
        printer.answer(answer.body(), screen -> List.of("the fleet's stop sign is taken away"));
    }
}
