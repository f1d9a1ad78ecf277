package io.trawl.standalone;

import io.trawl.codec.NearestName;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.embedded.EmbeddedServerException;
import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.pipeline.diff.MissingRunException;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.standalone.client.ApiRefusal;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.UserMistakeException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Maps exceptions to one line per fault on standard error, and an exit code. The stack trace goes to the log. */
final class ErrorMessages implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMessages.class);

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        return report(e.getCommandLine(), List.of(e));
    }

    /** Reports all mistakes in a command line. If only values are wrong, the rules of the others are checked, too. */
    int report(CommandLine command, List<Exception> errors) {
        List<String> lines = new ArrayList<>();
        errors.forEach(e -> lines.add(conversion(e).map(Fault::text).orElseGet(() -> message(e) + suggestion(e))));
        if (command.getCommandSpec().userObject() instanceof CheckedOptions checked
                && errors.stream().allMatch(e -> conversion(e).isPresent())) {
            try {
                checked.check();
            } catch (InvalidDefinitionException e) {
                e.faults().forEach(fault -> lines.add(fault.text()));
            }
        }
        lines.add(lines.removeLast() + " (" + command.getCommandSpec().qualifiedName() + " --help lists all options)");
        return say(command, lines, ExitCode.MISTAKE);
    }

    /** Tells something that does not stop the command. */
    void note(CommandLine command, String line) {
        say(command, List.of(line), ExitCode.DONE);
    }

    private static String suggestion(Exception e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return "";
        }
        // The parser takes the command crwal for wait.
        Optional<String> near = unmatched.isUnknownOption()
                ? unmatched.getSuggestions().stream().findFirst()
                : NearestName.of(unmatched.getUnmatched().getFirst(),
                        unmatched.getCommandLine().getSubcommands().keySet().stream());
        return near.map(name -> ", did you mean " + name + "?").orElse("");
    }

    /** A value that is not of the type of its option. */
    private static Optional<Fault> conversion(Exception e) {
        return e instanceof ParameterException parameter && parameter.getCause() instanceof TypeConversionException
                && parameter.getArgSpec() != null
                        ? Optional.of(fault(parameter.getArgSpec(), String.valueOf(parameter.getValue())))
                        : Optional.empty();
    }

    private static Fault fault(ArgSpec option, String value) {
        String name = option instanceof OptionSpec named ? named.longestName() : option.paramLabel();
        Class<?> type = option.typeInfo().getType();
        String rule = type.isEnum()
                ? String.join(" or ", option.typeInfo().getEnumConstantNames()).toLowerCase(Locale.ROOT)
                : value.matches("[+-]?[0-9]+") ? "a number that is not so large" : "a whole number";
        return new Fault(name, value, rule);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (LogSetup.file().isPresent()) {
            LOG.error("the command failed", e);
        }
        return switch (e) {
            case InvalidSettingsException settings -> say(command, settings.lines(), ExitCode.MISTAKE);
            case InvalidDefinitionException definition ->
                say(command, definition.faults().stream().map(Fault::text).toList(), ExitCode.MISTAKE);
            case InvalidValueException value -> say(command, List.of(message(value)), ExitCode.MISTAKE);
            case ApiRefusal refused -> say(command, refused.lines(), refused.exitCode());
            case UserMistakeException mistake -> say(command, List.of(message(mistake)), mistake.exitCode());
            case MissingRunException run -> say(command, List.of(message(run)), ExitCode.NOT_FOUND);
            case DataFolderInUseException folder -> say(command, List.of(message(folder)), ExitCode.MISTAKE);
            case DataFolderNotWritableException folder ->
                say(command, List.of(message(folder)), folder.full() ? ExitCode.FAILURE : ExitCode.MISTAKE);
            case PortTakenException port -> say(command, List.of(message(port)), ExitCode.MISTAKE);
            case EmbeddedServerException failure -> say(command, List.of(message(failure)), ExitCode.FAILURE);
            default -> say(command,
                    List.of(message(e) + LogSetup.file().map(log -> " (details are in " + log + ")").orElse("")),
                    ExitCode.FAILURE);
        };
    }

    private static int say(CommandLine command, List<String> lines, int code) {
        PrintWriter err = command.getErr();
        lines.forEach(line -> err.println("trawl: " + TerminalText.safe(line)));
        err.flush();
        return code;
    }

    private static String message(Exception e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : firstLine(message);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
