package io.trawl.standalone.remote;

import io.trawl.codec.Json;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.text.PreviewText;
import io.trawl.coordinator.text.Screen;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl preview}: fetches one URL now and shows its links and items. */
@Command(name = "preview", sortOptions = false, description = "Fetch one URL now and show its links and items; no crawl is changed. Through the downloader that serves its host and the least loaded analyzer; with --file or --allow-network by this process, without any server.", footerHeading = "%nExamples:%n", footer = {
        "  trawl preview https://docs.example.org/", "  trawl preview https://docs.example.org/ --file site.yaml",
        "  trawl preview https://docs.example.org/ --crawl docs --json | jq '.links[] | select(.verdict != \"ADMITTED\")'"})
public final class PreviewCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "URL", description = "An absolute http or https URL.")
    private String url = "";

    @Option(names = "--crawl", paramLabel = "ID", description = "The crawl whose definition applies to the fetch and the links. Default: none.")
    private @Nullable String crawl;

    @Option(names = "--full", description = "Print all lines, and these in full, also to a terminal. Default there: what fits on the screen.")
    private boolean full;

    @Mixin
    private LocalOptions local = new LocalOptions();

    private int code = ExitCode.DONE;

    /** The exit code is {@link ExitCode#FAILURE} if the URL could not be fetched; an HTTP error is an answer. */
    @Override
    public Integer call() throws InterruptedException {
        if (!local.given()) {
            super.call();
            return code;
        }
        if (crawl != null) {
            throw new InvalidValueException("--crawl", crawl,
                    "not together with --file or --allow-network, with which no coordinator is asked");
        }
        LogSetup.none();
        Preview preview = LocalPreviewer.preview(url, local);
        printer().answer(Json.bytes(preview), screen -> text(preview, screen));
        return code(preview);
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Map<String, String> question = new LinkedHashMap<>(Map.of("url", url));
        if (crawl != null) {
            question.put("crawl", new CrawlId(crawl).value());
        }
        local.fetcher().ifPresent(fetcher -> question.put("fetcher", fetcher));
        ApiResponse answer = api.post("/api/v1/preview", question);
        printer.answer(answer.body(), screen -> text(answer.as(Preview.class), screen));
        code = code(answer.as(Preview.class));
    }

    private static int code(Preview preview) {
        return preview.response().outcome() == OutcomeKind.FAILURE ? ExitCode.FAILURE : ExitCode.DONE;
    }

    private List<String> text(Preview preview, Screen screen) {
        OptionalInt rows = full || screen.equals(Screen.FILE) ? OptionalInt.empty() : Terminal.rows();
        if (rows.isEmpty()) {
            return PreviewText.of(preview, full ? screen.unlimited() : screen);
        }
        return PreviewText.inBrief(preview, screen, rows.getAsInt());
    }
}
