package io.trawl.standalone.steer;

import io.trawl.model.CrawlId;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.print.Printer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl delete}: drops a crawl and all that is known of it. */
@Command(name = "delete", sortOptions = false, description = "Delete a crawl that is not started, with all that is known of it; pages that are written stay.", footerHeading = "%nExamples:%n", footer = {
        "  trawl delete docs", "  trawl delete docs --yes"})
public final class DeleteCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = {"-y", "--yes"}, description = "Do not ask.")
    private boolean yes;

    @Override
    public Integer call() throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        if (!yes && !agreed(id)) {
            System.err.println("nothing is deleted");
            return ExitCode.FAILURE;
        }
        return super.call();
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        Answer answer = api.delete("/api/crawls/" + crawl);
        printer.answer(answer.body(), screen -> List.of("crawl " + crawl + " is deleted"));
    }

    private static boolean agreed(CrawlId id) {
        if (!Boolean.getBoolean("trawl.input.terminal")) {
            throw new UserMistake("there is nobody to ask whether " + id + " is really to be deleted: say --yes");
        }
        System.err.print("Delete crawl " + id + " and all that is known of it? [y/N] ");
        System.err.flush();
        try {
            String answer = new BufferedReader(new InputStreamReader(System.in, System.err.charset())).readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
