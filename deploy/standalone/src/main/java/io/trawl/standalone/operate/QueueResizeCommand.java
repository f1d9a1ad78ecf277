package io.trawl.standalone.operate;

import io.trawl.coordinator.channel.ReplacementPlan;
import io.trawl.coordinator.text.QueueText;
import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code trawl queue resize}: changes the counts of request topics, and of the partitions of items, responses and the
 * ledger, under running crawls.
 */
@Command(name = "resize", sortOptions = false, description = "Replace the request topics by topics with other counts while crawls run, or give items, responses or the ledger another number of partitions. Nothing is lost, fetched or stored twice.", footerHeading = "%nExamples:%n", footer = {
        "  trawl queue resize --partitions 32 --plan     # what would change, and for how long nothing is fetched",
        "  trawl queue resize --partitions 32", "  trawl queue resize --levels 5     # priorities 0 to 4",
        "  trawl queue resize --items 16     # for more pipelines; nothing rests",
        "  trawl queue resize --responses 16     # for more analyzers; nothing rests",
        "  trawl queue     # how far it is"})
public final class QueueResizeCommand extends CoordinatorCommand {
    @Option(names = "--partitions", paramLabel = "N", description = "Partitions of each request topic: as many downloaders can share the requests. Default: as many as now.")
    private Optional<Integer> partitions = Optional.empty();

    @Option(names = "--levels", paramLabel = "N", description = "Priorities, 1 to 10. Requests of a priority that is gone go to the highest. Default: as many as now.")
    private Optional<Integer> levels = Optional.empty();

    @Option(names = "--items", paramLabel = "N", description = "Partitions that items are written to: as many pipelines can share the items. Default: as many as now.")
    private Optional<Integer> items = Optional.empty();

    @Option(names = "--responses", paramLabel = "N", description = "Partitions that responses are written to: as many analyzers can share the responses. Not together with --partitions or --levels. Default: as many as now.")
    private Optional<Integer> responses = Optional.empty();

    @Option(names = "--ledger", paramLabel = "N", description = "Partitions of the ledger for runs that begin from now on; each run before keeps its own. Default: as many as now.")
    private Optional<Integer> ledger = Optional.empty();

    @Option(names = "--plan", description = "Show what would change, and change nothing.")
    private boolean plan;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Map<String, Object> wanted = new TreeMap<>();
        partitions.ifPresent(n -> wanted.put("partitions", n));
        levels.ifPresent(n -> wanted.put("levels", n));
        items.ifPresent(n -> wanted.put("items", n));
        responses.ifPresent(n -> wanted.put("responses", n));
        ledger.ifPresent(n -> wanted.put("ledger", n));
        if (wanted.isEmpty()) {
            throw new InvalidValueException("--partitions", "", "given, or --levels, --items, --responses or --ledger");
        }
        ApiResponse answer = api.post("/api/v1/queue/resize" + (plan ? "?plan=true" : ""), wanted);
        printer.answer(answer.body(), screen -> QueueText.plan(answer.as(ReplacementPlan.class), screen));
    }
}
