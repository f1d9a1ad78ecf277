package io.trawl.standalone.operate;

import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code trawl reset}: resets the stop sign of the fleet. */
@Command(name = "reset", sortOptions = false, description = "Reset the fleet's stop sign: started crawls continue.", footerHeading = "%nExample:%n", footer = {
        "  trawl reset"})
public final class ResetCommand extends CoordinatorCommand {
    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = api.delete("/api/v1/stop-sign");
        printer.answer(answer.body(), screen -> List.of("the fleet's stop sign is reset"));
    }
}
