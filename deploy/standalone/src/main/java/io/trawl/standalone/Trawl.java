package io.trawl.standalone;

import io.trawl.analyzer.AnalyzerMain;
import io.trawl.coordinator.CoordinatorMain;
import io.trawl.downloader.DownloaderMain;
import io.trawl.pipeline.PipelineMain;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code trawl}. */
@Command(name = "trawl", mixinStandardHelpOptions = true, version = "Trawl 0.1.0", subcommandsRepeatable = false, synopsisSubcommandLabel = "COMMAND", description = "A distributed web crawler on Kafka and Redis.", commandListHeading = "%nCommands:%n", footer = {
        "", "To begin with: trawl crawl https://docs.example.org --depth 2 --out pages"}, subcommands = {CrawlCommand.class,
                UpCommand.class,
                BrokerCommand.class, SubmitCommand.class, WarmUpCommand.class, HelpCommand.class})
public final class Trawl implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Trawl() {}

    /** Runs a command and ends the process with its exit code: 0, 2 for a user's mistake, 1 for other failures, 130 after Ctrl-C. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** The command with all its subcommands. */
    static CommandLine commandLine() {
        Failures failures = new Failures();
        return new CommandLine(new Trawl()).setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(120)
                .setUsageHelpAutoWidth(true);
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "no command given");
    }

    @Command(name = "coordinator", description = "Run a coordinator: admits seeds, drives crawls, answers at http://127.0.0.1:8080.", footer = "", footerHeading = WORKER)
    void coordinator() {
        CoordinatorMain.main(new String[0]);
    }

    @Command(name = "downloader", description = "Run a downloader: fetches, one request at a time per host.", footerHeading = WORKER)
    void downloader() {
        DownloaderMain.main(new String[0]);
    }

    @Command(name = "analyzer", description = "Run an analyzer: parses pages and follows their links.", footerHeading = WORKER)
    void analyzer() {
        AnalyzerMain.main(new String[0]);
    }

    @Command(name = "pipeline", description = "Run a pipeline: writes pages and errors to files in TRAWL_OUT.", footerHeading = WORKER)
    void pipeline() {
        PipelineMain.main(new String[0]);
    }

    private static final String WORKER = "%nRuns until SIGTERM or Ctrl-C. Configured by environment: TRAWL_KAFKA_BOOTSTRAP_SERVERS, TRAWL_REDIS_URL and the others"
            + "%nthat the README lists. Any number of them may run, on one or many machines.%n";
}
