package io.trawl.standalone.view;

import io.trawl.coordinator.text.LogText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.text.Printer;
import io.trawl.telemetry.RecentLog.LogLine;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl logs}: shows the last log lines of a process. */
@Command(name = "logs", sortOptions = false, description = "Show the last log lines of a process, the oldest first.", footerHeading = "%nExamples:%n", footer = {
        "  trawl logs D1", "  trawl logs C1 --lines 1000", "",
        "With trawl up and trawl crawl all modules are one process with one log. trawl modules lists them."})
public final class LogsCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "MID", description = "A live process, such as D3, or its MID in quotes because of the bar.")
    private String mid = "";

    @Option(names = "--lines", paramLabel = "N", defaultValue = "100", description = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int lines;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse log = api.get(new Query("/api/v1/modules/" + Api.encoded(mid) + "/logs")
                .with("lines", Optional.of(Integer.toString(lines))).toString());
        printer.answer(log.body(), screen -> LogText.of(log.list(LogLine.class), screen));
    }
}
