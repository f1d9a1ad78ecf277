package io.trawl.standalone.operate;

import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl reset}: resets the stop sign of the fleet or of a host. */
@Command(name = "reset", sortOptions = false, description = "Reset the fleet's stop sign, or that of a host: started crawls continue.", footerHeading = "%nExamples:%n", footer = {
        "  trawl reset", "  trawl reset --host example.org"})
public final class ResetCommand extends CoordinatorCommand {
    @Option(names = "--host", paramLabel = "HOST", description = "A host. Default: the fleet.")
    private @Nullable String host;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse answer = api.delete(host == null ? SignPath.FLEET : SignPath.ofHost(host));
        String whose = host == null ? "the fleet's stop sign" : "the stop sign of host " + host;
        printer.answer(answer.body(), screen -> List.of(whose + " is reset"));
    }
}
