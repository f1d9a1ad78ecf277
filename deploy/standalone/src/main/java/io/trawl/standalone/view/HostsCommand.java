package io.trawl.standalone.view;

import io.trawl.coordinator.text.HostsText;
import io.trawl.coordinator.view.HostCalls.HostList;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.text.Printer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl hosts}: shows the hosts of all downloaders. */
@Command(name = "hosts", sortOptions = false, description = "Show the hosts of all downloaders: what waits, what is done, errors, pause, robots.txt, next turn.", footerHeading = "%nExamples:%n", footer = {
        "  trawl hosts --limit 50", "  trawl hosts --crawl docs --sort errors",
        "  trawl hosts --json | jq '.hosts[].waiting'", "",
        "Done and errors are those of the downloader since it started."})
public final class HostsCommand extends CoordinatorCommand {
    @Option(names = "--crawl", paramLabel = "ID", description = "Only hosts of this crawl.")
    private @Nullable String crawl;

    @Option(names = "--host", paramLabel = "TEXT", description = "Only hosts with this text in their name.")
    private @Nullable String host;

    @Option(names = "--sort", paramLabel = "ORDER", defaultValue = "waiting", description = "waiting, answered, errors, pause, next or host. Default: ${DEFAULT-VALUE}.")
    private String sort = "";

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        ApiResponse hosts = api.get(new Query("/api/v1/hosts").with("crawl", Optional.ofNullable(crawl))
                .with("q", Optional.ofNullable(host)).with("sort", Optional.of(sort)).limit(limit).toString());
        printer.answer(hosts.body(), screen -> HostsText.of(hosts.as(HostList.class), screen));
    }
}
