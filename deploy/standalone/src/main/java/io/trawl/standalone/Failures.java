package io.trawl.standalone;

import io.trawl.embedded.DataFolderInUse;
import io.trawl.embedded.DataFolderNotWritable;
import io.trawl.embedded.EmbeddedFailure;
import io.trawl.embedded.PortTaken;
import io.trawl.model.InvalidValue;
import io.trawl.settings.InvalidSettings;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.Refused;
import io.trawl.standalone.print.Words;
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

/** Turns whatever goes wrong into one line per fault on standard error, and an exit code. The stack trace goes to the log. */
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        String suggestion = e instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().findFirst().map(s -> ", did you mean " + s + "?").orElse("")
                : "";
        String line = firstLine(e.getMessage()) + suggestion;
        return say(e.getCommandLine(),
                List.of(line + " (" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help lists all options)"),
                ExitCode.MISTAKE);
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
        if (Logs.file().isPresent()) {
            LOG.error("ended by", e);
        }
        return switch (e) {
            case InvalidSettings settings -> say(command, settings.faults(), ExitCode.MISTAKE);
            case InvalidValue value -> say(command, List.of(message(value)), ExitCode.MISTAKE);
            case Refused refused -> say(command, refused.lines(), refused.exitCode());
            case UserMistake mistake -> say(command, List.of(message(mistake)), mistake.exitCode());
            case DataFolderInUse folder -> say(command, List.of(message(folder)), ExitCode.MISTAKE);
            case DataFolderNotWritable folder -> say(command, List.of(message(folder)), ExitCode.MISTAKE);
            case PortTaken port -> say(command, List.of(message(port)), ExitCode.MISTAKE);
            case EmbeddedFailure failure -> say(command, List.of(message(failure)), ExitCode.FAILURE);
            default ->
                say(command, List.of(message(e) + Logs.file().map(log -> " (details are in " + log + ")").orElse("")),
                        ExitCode.FAILURE);
        };
    }

    private static int say(CommandLine command, List<String> lines, int code) {
        PrintWriter err = command.getErr();
        lines.forEach(line -> err.println("trawl: " + Words.safe(line)));
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
