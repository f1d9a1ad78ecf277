package io.trawl.standalone;

import io.trawl.analyzer.AnalyzerMain;
import io.trawl.coordinator.CoordinatorMain;
import io.trawl.downloader.DownloaderMain;
import io.trawl.pipeline.PipelineMain;
import io.trawl.standalone.probe.ExplainCommand;
import io.trawl.standalone.probe.PreviewCommand;
import io.trawl.standalone.steer.DeleteCommand;
import io.trawl.standalone.steer.DomainsCommand;
import io.trawl.standalone.steer.ResetCommand;
import io.trawl.standalone.steer.StartCommand;
import io.trawl.standalone.steer.StopCommand;
import io.trawl.standalone.steer.SubmitCommand;
import io.trawl.standalone.view.CrawlsCommand;
import io.trawl.standalone.view.ErrorsCommand;
import io.trawl.standalone.view.EventsCommand;
import io.trawl.standalone.view.ModulesCommand;
import io.trawl.standalone.view.QueueCommand;
import io.trawl.standalone.view.StatusCommand;
import io.trawl.standalone.view.SummaryCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code trawl}. */
@Command(name = "trawl", mixinStandardHelpOptions = true, version = "Trawl 0.1.0", subcommandsRepeatable = false, synopsisSubcommandLabel = "COMMAND", description = "A distributed web crawler on Kafka and Redis.", commandListHeading = "%nCommands:%n", subcommands = {
        CrawlCommand.class, StatusCommand.class, SummaryCommand.class, CrawlsCommand.class, ModulesCommand.class,
        QueueCommand.class, ErrorsCommand.class, EventsCommand.class, SubmitCommand.class, StartCommand.class, StopCommand.class,
        ResetCommand.class, DomainsCommand.class, DeleteCommand.class, PreviewCommand.class, ExplainCommand.class,
        UpCommand.class, BrokerCommand.class, CompletionCommand.class, WarmUpCommand.class,
        HelpCommand.class}, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:done", "1:failed, but may go well later: nobody answers, no leader, no room",
                "2:a mistake: an option, a value, a definition", "3:no such crawl, module or page",
                "4:the state of the crawl or of the fleet forbids it", "5:the token is missing or not enough",
                "130:ended by Ctrl-C"}, footer = {
                        "", "To begin with: trawl crawl https://docs.example.org --depth 2 --out pages",
                        "Of a running fleet: trawl status"})
public final class Trawl implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Trawl() {}

    /** Runs a command and ends the process with its exit code: one of {@link io.trawl.standalone.client.ExitCode}, or 130 after Ctrl-C. */
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
