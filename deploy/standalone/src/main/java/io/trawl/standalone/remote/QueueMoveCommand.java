package io.trawl.standalone.remote;

import io.trawl.codec.Json;
import io.trawl.coordinator.leader.QueueControl.MoveReport;
import io.trawl.coordinator.leader.QueueControl.QueueReport;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.WaitNotice;
import io.trawl.time.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl queue move}: moves what waits to another priority, once. */
@Command(name = "move", sortOptions = false, description = "Move what waits in a crawl to another priority, once: requests that are found later are not affected. Works for a stopped crawl, too.", footerHeading = "%nExamples:%n", footer = {
        "  trawl queue move --crawl docs --host example.org --to 2",
        "  trawl queue move --crawl docs --match '/archive/**' --to 0 --no-wait"})
public final class QueueMoveCommand extends CoordinatorCommand {
    @Option(names = "--crawl", required = true, paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @ArgGroup(exclusive = true, multiplicity = "1")
    private What what = new What();

    @Option(names = "--to", required = true, paramLabel = "PRIORITY", description = "The priority, 0 and up; the larger number is served first.")
    private int to;

    @Option(names = "--no-wait", description = "Give the order, and do not wait until it is carried out.")
    private boolean atOnce;

    /** A host or a pattern. */
    private static final class What {
        @Option(names = "--host", paramLabel = "HOST", description = "The requests of a host, with or without a port.")
        private @Nullable String host;

        @Option(names = "--match", paramLabel = "PATTERN", description = "The requests whose URLs match a pattern, as in the scope of a crawl file.")
        private @Nullable String match;
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        String path = "/api/v1/crawls/" + new CrawlId(crawl) + "/moves";
        Map<String, Object> wanted = new HashMap<>(Map.of("to", to));
        if (what.host != null) {
            wanted.put("host", what.host);
        }
        if (what.match != null) {
            wanted.put("match", what.match);
        }
        QueueReport report = api.post(path, wanted).as(QueueReport.class);
        int number = report.moves().getLast().number();
        try (WaitNotice notice = new WaitNotice(Time.system())) {
            while (!atOnce && !of(report, number).complete()) {
                notice.show(line(of(report, number)));
                report = api.get(path).as(QueueReport.class);
            }
        }
        QueueReport last = report;
        printer.answer(Json.bytes(last), screen -> List.of(line(of(last, number))));
    }

    private static MoveReport of(QueueReport report, int number) {
        return report.moves().stream().filter(move -> move.number() == number).findFirst()
                .orElse(report.moves().getLast());
    }

    private static String line(MoveReport move) {
        return TerminalText.safe(move.text());
    }
}
