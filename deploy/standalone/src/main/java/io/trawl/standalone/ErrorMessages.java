package io.trawl.standalone;

import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.embedded.EmbeddedServerException;
import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.standalone.client.ApiRefusal;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.UserMistakeException;
import java.io.PrintWriter;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Maps exceptions to one line per fault on standard error, and an exit code. The stack trace goes to the log. */
final class ErrorMessages implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorMessages.class);

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String suggestion = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().findFirst().map(s -> ", did you mean " + s + "?").orElse("")
                : "";
        String line = message(e) + suggestion;
        return say(e.getCommandLine(),
                List.of(line + " (" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help lists all options)"),
                ExitCode.MISTAKE);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (LogSetup.file().isPresent()) {
            LOG.error("the command failed", e);
        }
        return switch (e) {
            case InvalidSettingsException settings -> say(command, settings.faults(), ExitCode.MISTAKE);
            case InvalidDefinitionException definition ->
                say(command, definition.faults().stream().map(ErrorMessages::message).toList(),
                        ExitCode.MISTAKE);
            case InvalidValueException value -> say(command, List.of(message(value)), ExitCode.MISTAKE);
            case ApiRefusal refused -> say(command, refused.lines(), refused.exitCode());
            case UserMistakeException mistake -> say(command, List.of(message(mistake)), mistake.exitCode());
            case DataFolderInUseException folder -> say(command, List.of(message(folder)), ExitCode.MISTAKE);
            case DataFolderNotWritableException folder -> say(command, List.of(message(folder)), ExitCode.MISTAKE);
            case PortTakenException port -> say(command, List.of(message(port)), ExitCode.MISTAKE);
            case EmbeddedServerException failure -> say(command, List.of(message(failure)), ExitCode.FAILURE);
            default ->
                say(command, List.of(message(e) + LogSetup.file().map(log -> " (details are in " + log + ")").orElse("")),
                        ExitCode.FAILURE);
        };
    }

    private static int say(CommandLine command, List<String> lines, int code) {
        PrintWriter err = command.getErr();
        lines.forEach(line -> err.println("trawl: " + TerminalText.safe(line)));
        err.flush();
        return code;
    }

    private static String message(Fault fault) {
        return message(new InvalidValueException(fault.field(), fault.value(), fault.rule()));
    }

    private static String message(Exception e) {
        String message = e.getMessage();
        return message == null || message.isBlank() ? e.getClass().getSimpleName() : firstLine(message);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
