package io.trawl.standalone.remote;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.text.ErrorsText;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.ServerSentEvents;
import io.trawl.standalone.client.ServerSentEvents.Event;
import io.trawl.standalone.text.Printer;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl errors}: shows the last errors, or follows new ones. */
@Command(name = "errors", sortOptions = false, description = "Show the last errors, newest first, or follow new errors.", footerHeading = "%nExamples:%n", footer = {
        "  trawl errors --crawl docs --limit 50", "  trawl errors --follow --kind ROBOTS",
        "  trawl errors --follow --json | jq -r .url", "",
        "--follow runs until Ctrl-C, and reconnects without a gap when the connection is lost."})
public final class ErrorsCommand extends CoordinatorCommand {
    @Option(names = "--crawl", paramLabel = "ID", description = "Only of this crawl.")
    private @Nullable String crawl;

    @Option(names = "--limit", paramLabel = "N", defaultValue = "20", description = "Maximum number, 1 to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--kind", paramLabel = "KIND", description = "Only of this kind: an outcome, a reason or a kind of module, such as HTTP_ERROR, TIMEOUT, ROBOTS, downloader.")
    private @Nullable String kind;

    @Option(names = "--host", paramLabel = "NAME", description = "Only about this host.")
    private @Nullable String host;

    @Option(names = {"-f",
            "--follow"}, description = "Follow new errors, without --limit; with --json one object per line.")
    private boolean follow;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (follow) {
            new ServerSentEvents(api, filter("/api/v1/errors/stream").toString(), Time.system())
                    .follow(event -> shown(event, printer));
        } else {
            ApiResponse errors = api.get(filter("/api/v1/errors").limit(limit).toString());
            printer.answer(errors.body(), screen -> ErrorsText.of(errors.list(SeenError.class), screen));
        }
    }

    /** Prints an event, and returns whether to continue. */
    private static boolean shown(Event event, Printer printer) {
        if (event.type().equals("error")) {
            printer.answer(event.data().getBytes(StandardCharsets.UTF_8),
                    screen -> List.of(line(event.data(), screen)));
        }
        return !printer.gone();
    }

    private static String line(String json, Screen screen) {
        try {
            return ErrorsText.line(Json.read(json.getBytes(StandardCharsets.UTF_8), SeenError.class), screen);
        } catch (MalformedRecordException e) {
            // An error of another version is printed unchanged.
            return TerminalText.safe(json);
        }
    }

    private Query filter(String path) {
        return new Query(path).with("crawl", Optional.ofNullable(crawl)).with("kind", Optional.ofNullable(kind))
                .with("host", Optional.ofNullable(host));
    }
}
