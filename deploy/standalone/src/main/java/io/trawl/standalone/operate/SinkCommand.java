package io.trawl.standalone.operate;

import io.trawl.codec.NearestName;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.CrawlText;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl sink}: gives up a sink of a crawl that is behind, or takes it back. */
@Command(name = "sink", sortOptions = false, description = "Give up a sink of a crawl, which then waits for it no longer; or give it items again.", footerHeading = "%nExamples:%n", footer = {
        "  trawl sink skip docs index       # what it misses is counted as skipped",
        "  trawl sink resume docs index     # it gets the items from now on"})
public final class SinkCommand extends CoordinatorCommand {
    private static final String SKIP = "skip";
    private static final String RESUME = "resume";

    @Parameters(index = "0", paramLabel = "skip|resume", description = "What becomes of the sink.")
    private String action = "";

    @Parameters(index = "1", paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Parameters(index = "2", paramLabel = "NAME", description = "The sink, of a plug-in; files are never behind.")
    private String name = "";

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (!action.equals(SKIP) && !action.equals(RESUME)) {
            throw new InvalidValueException("skip|resume", action, "skip or resume");
        }
        String path = "/api/v1/crawls/" + new CrawlId(crawl);
        ApiResponse definition = api.get(path + "/definition");
        List<SinkDefinition> sinks = definition.as(CrawlDefinition.class).sinks();
        if (sinks.stream().noneMatch(this::named)) {
            throw new InvalidValueException("NAME", name,
                    "the name of a sink of a plug-in that the crawl has" + NearestName.hint(name,
                            sinks.stream().filter(sink -> !sink.isFiles()).map(SinkDefinition::named)));
        }
        ApiResponse answer = api.patch(path, Map.of("sinks", sinks.stream().map(this::changed).toList()), definition);
        printer.answer(answer.body(), screen -> List.of(CrawlText.inBrief(answer.as(CrawlSummary.class))));
    }

    private boolean named(SinkDefinition sink) {
        return sink.named().equals(name) && !sink.isFiles();
    }

    private SinkDefinition changed(SinkDefinition sink) {
        return named(sink) ? sink.withSkip(action.equals(SKIP) ? Optional.of(true) : Optional.empty()) : sink;
    }
}
