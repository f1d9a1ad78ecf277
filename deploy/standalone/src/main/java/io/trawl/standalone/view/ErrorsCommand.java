package io.trawl.standalone.view;

import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.EventStream;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.print.Printer;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl errors}: the last errors, or errors as they come. */
@Command(name = "errors", sortOptions = false, description = "Show the last errors, the newest first, or errors as they come.", footerHeading = "%nExamples:%n", footer = {
        "  trawl errors --crawl docs --limit 50", "  trawl errors --follow --kind ROBOTS",
        "  trawl errors --follow --json | jq -r .url", "",
        "--follow goes on until Ctrl-C, and connects again when the connection breaks, without a gap."})
public final class ErrorsCommand extends CoordinatorCommand {
    @Option(names = "--crawl", paramLabel = "ID", description = "Only of this crawl.")
    private @Nullable String crawl;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: an outcome, a reason or a kind of module, such as HTTP_ERROR, TIMEOUT, ROBOTS, downloader.")
    private @Nullable String kind;

    @Option(names = "--host", paramLabel = "NAME", description = "Only about this host.")
    private @Nullable String host;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "At most so many, 1 to 1000; not with --follow. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = {"-f", "--follow"}, description = "Show errors as they come; with --json one object per line.")
    private boolean follow;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (follow) {
            follow(api, printer);
        } else {
            Answer errors = api.get(filtered("/api/errors").limit(limit).toString());
            printer.answer(errors.body(), screen -> ErrorsText.of(errors.json(), screen));
        }
    }

    private void follow(Api api, Printer printer) throws InterruptedException {
        EventStream stream = new EventStream(api, filtered("/api/errors/stream").toString(), Time.system());
        stream.follow(event -> {
            if (event.type().equals("error")) {
                printer.lines(List.of(printer.json() ? event.data() : ErrorsText.line(event.data(), printer.screen())));
            }
            return !printer.gone();
        });
    }

    private Query filtered(String path) {
        return new Query(path).with("crawl", Optional.ofNullable(crawl)).with("kind", Optional.ofNullable(kind))
                .with("host", Optional.ofNullable(host));
    }
}
