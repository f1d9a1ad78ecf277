package io.trawl.standalone;

import static java.util.Objects.requireNonNull;

import io.trawl.standalone.view.DiffCommand;
import io.trawl.standalone.view.ExportCommand;
import io.trawl.standalone.view.ItemsCommand;
import io.trawl.analyzer.AnalyzerMain;
import io.trawl.coordinator.CoordinatorMain;
import io.trawl.downloader.DownloaderMain;
import io.trawl.pipeline.PipelineMain;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.Trawl.CompletionCommand;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.init.InitCommand;
import io.trawl.standalone.crawl.SchemaCommand;
import io.trawl.standalone.crawl.ValidateCommand;
import io.trawl.standalone.local.ShellCommand;
import io.trawl.standalone.operate.NamespaceCommand;
import io.trawl.standalone.operate.SettingsCommand;
import io.trawl.standalone.operate.SinkCommand;
import io.trawl.standalone.operate.StopCommand;
import io.trawl.standalone.remote.CoordinatorRequests;
import io.trawl.standalone.remote.DeleteCommand;
import io.trawl.standalone.remote.DomainsCommand;
import io.trawl.standalone.remote.ErrorsCommand;
import io.trawl.standalone.remote.PreviewCommand;
import io.trawl.standalone.remote.StatusCommand;
import io.trawl.standalone.remote.SubmitCommand;
import io.trawl.standalone.remote.WaitCommand;
import java.lang.reflect.AnnotatedElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The command {@code trawl}. */
@Command(name = "trawl", mixinStandardHelpOptions = true, version = "Trawl 0.1.0", subcommandsRepeatable = false, synopsisSubcommandLabel = "COMMAND", description = "A distributed web crawler on Kafka and Redis.", commandListHeading = "%nCommands:%n", addMethodSubcommands = false, exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
        "0:done", "1:failed temporarily: no answer, no leader, no capacity, a full disk",
        "2:invalid input: an option, a value, a definition", "3:no such crawl, module or page",
        "4:not allowed in the state of the crawl or of the fleet", "5:the token is missing or not sufficient",
        "6:the crawl has ended: no seed gave a page, or the site failed for most", "130:ended by Ctrl-C"}, footer = {"",
                "To get started: trawl crawl https://docs.example.org --depth 2 --out pages",
                "For a running fleet: trawl status"})
public final class Trawl implements Callable<Integer> {
    /** Set by the launcher, which prepares faster starts only for a command that can start: it is not run. */
    static final String CHECK = "trawl.check";

    /** These report misspelt settings themselves, also when they are started without this command. */
    private static final Set<String> STAGES = Set.of("coordinator", "downloader", "analyzer", "pipeline");

    /** These know the others, or train the start of all. */
    private static final Set<AnnotatedElement> OF_ALL = Set.of(CompletionCommand.class, HelpCommand.class,
            WarmUpCommand.class);

    /** Behind the options that all commands share which call a coordinator. */
    private static final int LAST = 4;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Trawl() {}

    /** All commands, classes and methods, in the order of the help. */
    private static Stream<AnnotatedElement> commands() {
        return Stream.of(CrawlCommand.class, ReplayCommand.class, InitCommand.class, ValidateCommand.class,
                SchemaCommand.class, StatusCommand.class, CoordinatorRequests.named("summary"),
                CoordinatorRequests.named("crawls"), CoordinatorRequests.named("modules"),
                CoordinatorRequests.named("queue"), ErrorsCommand.class, CoordinatorRequests.named("events"),
                SubmitCommand.class, CoordinatorRequests.named("start"), StopCommand.class,
                CoordinatorRequests.named("close"), CoordinatorRequests.named("refresh"), SinkCommand.class,
                WaitCommand.class, CoordinatorRequests.named("reset"), DomainsCommand.class, DeleteCommand.class,
                PreviewCommand.class, ShellCommand.class, CoordinatorRequests.named("explain"), ItemsCommand.class,
                DiffCommand.class, ExportCommand.class, CoordinatorRequests.named("hosts"),
                CoordinatorRequests.named("logs"), CoordinatorRequests.named("retry"), SettingsCommand.class,
                UpCommand.class, BrokerCommand.class, NamespaceCommand.class, CompletionCommand.class,
                WarmUpCommand.class, HelpCommand.class, stage("analyzer"), stage("coordinator"), stage("downloader"),
                stage("pipeline"));
    }

    private static AnnotatedElement stage(String name) {
        return CommandLine.getCommandMethods(Trawl.class, name).getFirst();
    }

    /** Runs a command and ends the process with its exit code: one of {@link ExitCode}, or 130 after Ctrl-C. */
    public static void main(String[] args) {
        System.exit(commandLine(System.getenv(), args).execute(args));
    }

    /**
     * The command that carries out these arguments, and with which other arguments may be refused. It has only the
     * subcommand with which they begin, if that is enough: to read the annotations of all of them takes a tenth of a
     * second.
     *
     * @param environment where misspelt settings are looked for
     */
    static CommandLine commandLine(Map<String, String> environment, String... args) {
        ErrorMessages failures = new ErrorMessages();
        CommandLine trawl = commands()
                .filter(command -> !OF_ALL.contains(command) && args.length > 0 && name(command).equals(args[0]))
                .findFirst().map(only -> add(new CommandLine(CommandSpec.create().name("trawl")), only))
                .orElseGet(() -> {
                    CommandLine all = new CommandLine(new Trawl());
                    commands().forEach(command -> add(all, command));
                    return all;
                });
        collectErrors(trawl);
        return trawl.setParameterExceptionHandler(failures).setExecutionExceptionHandler(failures)
                .setExecutionStrategy(parsed -> execute(parsed, failures, environment))
                .setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpWidth(120).setUsageHelpAutoWidth(true);
    }

    private static CommandLine add(CommandLine trawl, AnnotatedElement command) {
        trawl.addSubcommand(name(command), command);
        offerHelp(requireNonNull(trawl.getSubcommands().get(name(command))));
        return trawl;
    }

    /** All commands have the option {@code --help}; it comes last. */
    private static void offerHelp(CommandLine command) {
        if (command.getCommandSpec().findOption("--help") == null) {
            command.getCommandSpec().addOption(OptionSpec.builder("-h", "--help").order(LAST).usageHelp(true)
                    .description("Show this help.").build());
        }
        command.getSubcommands().values().forEach(Trawl::offerHelp);
    }

    private static String name(AnnotatedElement command) {
        return requireNonNull(command.getAnnotation(Command.class)).name();
    }

    /** All mistakes are reported at once, instead of the first one. */
    private static void collectErrors(CommandLine command) {
        command.getCommandSpec().parser().collectErrors(true);
        command.getSubcommands().values().forEach(Trawl::collectErrors);
    }

    private static int execute(ParseResult parsed, ErrorMessages failures, Map<String, String> environment) {
        List<CommandLine> chosen = parsed.asCommandLineList();
        List<Exception> errors = Stream
                .concat(misplaced(chosen), chosen.stream().flatMap(each -> each.getParseResult().errors().stream()))
                .toList();
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        if (errors.isEmpty() && Boolean.getBoolean(CHECK)) {
            return check(parsed, chosen.getLast(), failures);
        }
        if (!STAGES.contains(chosen.getLast().getCommandName())) {
            SettingsReader.ineffective(environment.keySet()).forEach(line -> failures.note(chosen.getLast(), line));
        }
        return errors.isEmpty() ? new RunLast().execute(parsed) : failures.report(chosen.getLast(), errors);
    }

    private static int check(ParseResult parsed, CommandLine command, ErrorMessages failures) {
        LogSetup.none();
        try {
            if (command.getCommandSpec().userObject() instanceof CheckedOptions checked
                    && parsed.originalArgs().stream().noneMatch(Trawl::isPipe)) {
                checked.check();
            }
            return ExitCode.DONE;
        } catch (RuntimeException e) {
            return failures.handleExecutionException(e, command, parsed);
        }
    }

    /** Its content can be read only once, by the command itself. */
    private static boolean isPipe(String argument) {
        Path file = Path.of(argument.substring(argument.indexOf('=') + 1));
        return Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    /** Only the last command runs: an option of one before it would have no effect. */
    private static Stream<Exception> misplaced(List<CommandLine> chosen) {
        String last = chosen.getLast().getCommandName();
        return chosen.subList(0, chosen.size() - 1).stream()
                .flatMap(each -> each.getParseResult().matchedOptions().stream())
                .map(option -> new ParameterException(chosen.getLast(),
                        option.longestName() + " is before '" + last + "': options come after it"));
    }

    /** Without a command, Trawl shows its help. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getOut());
        return ExitCode.DONE;
    }

    @Command(name = "coordinator", description = "Run a coordinator: admits seeds, runs crawls, serves http://127.0.0.1:8080.", footer = "", footerHeading = WORKER)
    static void coordinator() {
        CoordinatorMain.main(new String[0]);
    }

    @Command(name = "downloader", description = "Run a downloader: fetches, one request at a time per host.", footerHeading = WORKER)
    static void downloader() {
        DownloaderMain.main(new String[0]);
    }

    @Command(name = "analyzer", description = "Run an analyzer: parses pages and follows their links.", footerHeading = WORKER)
    static void analyzer() {
        AnalyzerMain.main(new String[0]);
    }

    @Command(name = "pipeline", description = "Run a pipeline: writes pages and errors to files in TRAWL_OUT.", footerHeading = WORKER)
    static void pipeline() {
        PipelineMain.main(new String[0]);
    }

    private static final String WORKER = "%nRuns until SIGTERM or Ctrl-C. Configured by environment variables: TRAWL_KAFKA_BOOTSTRAP_SERVERS, TRAWL_REDIS_URL and others"
            + "%n(see docs/configuration.md). Any number of instances may run, on one or many machines.%n";

    /** {@code trawl completion}: prints a completion script for shells. */
    @Command(name = "completion", sortOptions = false, description = "Print a script with which bash and zsh complete commands, options and the ids of crawls.", footerHeading = "%nExamples:%n", footer = {
            "  source <(trawl completion)                                 # in ~/.bashrc or ~/.zshrc",
            "  trawl completion > /etc/bash_completion.d/trawl            # for all users"})
    static final class CompletionCommand implements Callable<Integer> {
        @Parameters(paramLabel = "SHELL", arity = "0..1", description = "bash or zsh: the same script serves both.")
        private Shell shell = Shell.BASH;

        /** The shells with programmable completion that the script fits. */
        enum Shell {
            BASH, ZSH
        }

        /** The ids come from the coordinator, within two seconds or not at all. */
        private static final String IDS = """

                function _complete_trawl_with_ids() {
                  COMPREPLY=()
                  _complete_trawl
                  local word="${COMP_WORDS[COMP_CWORD]}" wanted=no
                  case "${COMP_WORDS[1]}" in
                    status|wait|start|stop|close|domains|delete) [ "$COMP_CWORD" = 2 ] && wanted=yes ;;
                  esac
                  [ "${COMP_WORDS[COMP_CWORD-1]}" = --crawl ] && wanted=yes
                  if [ $wanted = yes ] && [ "${word#-}" = "$word" ]; then
                    local limit=''
                    command -v timeout >/dev/null 2>&1 && limit='timeout 2'
                    COMPREPLY=($(compgen -W "$($limit "${COMP_WORDS[0]}" crawls --ids 2>/dev/null </dev/null)" -- "$word"))
                  fi
                }
                complete -F _complete_trawl_with_ids -o default trawl
                """;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Override
        public Integer call() {
            spec.commandLine().getOut().print(AutoComplete.bash("trawl", spec.root().commandLine()) + IDS);
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
