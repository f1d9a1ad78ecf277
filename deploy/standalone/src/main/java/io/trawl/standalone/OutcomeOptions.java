package io.trawl.standalone;

import io.trawl.standalone.text.CrawlOutcome;
import io.trawl.standalone.text.ProgressDisplay;
import io.trawl.standalone.text.Terminal;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/**
 * The options of a command that runs a crawl to its end: what it shows meanwhile, and in what form it prints the
 * outcome.
 */
final class OutcomeOptions {
    @Option(names = {"-q", "--quiet"}, description = "Show no progress.")
    private boolean quiet;

    @Option(names = "--json", description = "Print the summary as JSON on standard output, everything else on standard error.")
    private boolean json;

    /** What shows how far the crawl is. */
    ProgressDisplay progress() {
        return Terminal.ofLauncher().progress(quiet, System.err);
    }

    /** Prints what has come of the crawl. */
    void print(CrawlOutcome outcome) {
        if (json) {
            System.out.println(outcome.json());
            outcome.causes().forEach(System.err::println);
        } else {
            System.out.println();
            outcome.lines(Path.of("").toAbsolutePath(), Terminal.ofLauncher().output()).forEach(System.out::println);
        }
        System.out.flush();
    }
}
