package io.trawl.standalone.local;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.text.Terminal;
import io.trawl.time.Time;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl shell}: fetches one URL and tries selectors on its page, without any server. */
@Command(name = "shell", sortOptions = false, description = "Fetch one URL politely, and try selectors on its page: css, xpath, json, links, item, headers, open. Calls no server of a deployment.", footerHeading = "%nExamples:%n", footer = {
        "  trawl shell https://docs.example.org/", "  trawl shell https://docs.example.org/ --file site.yaml",
        "  echo 'css h1' | trawl shell https://docs.example.org/"})
public final class ShellCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", description = "An absolute http or https URL.")
    private String url = "";

    @Mixin
    private LocalOptions options = new LocalOptions();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.none();
        Settings settings = options.settings();
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter errors = spec.commandLine().getErr();
        try (LocalPreviewer previewer = new LocalPreviewer(settings, Time.system())) {
            ShellSession session = new ShellSession(previewer, options, settings, out, errors,
                    Terminal.ofLauncher().output());
            session.open(url);
            boolean done = Boolean.getBoolean("trawl.input.terminal")
                    ? converse(session, errors)
                    : read(session, errors);
            return !session.fetched() ? ExitCode.FAILURE : done ? ExitCode.DONE : ExitCode.MISTAKE;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lines of a pipe. @return whether all could be executed */
    private static boolean read(ShellSession session, PrintWriter errors) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        boolean done = true;
        for (String line = in.readLine(); line != null && !ShellSession.ends(line); line = in.readLine()) {
            done &= execute(session, line, errors);
        }
        return done;
    }

    /** Lines of a person, with history and completion. A mistake is not held against the session. */
    private static boolean converse(ShellSession session, PrintWriter errors) throws IOException, InterruptedException {
        try (org.jline.terminal.Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader = LineReaderBuilder.builder().terminal(terminal).appName("trawl")
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .completer((_, line, candidates) -> complete(session, line, candidates)).build();
            for (String line = reader.readLine("trawl> "); !ShellSession.ends(line); line = reader
                    .readLine("trawl> ")) {
                execute(session, line, errors);
            }
        } catch (UserInterruptException | EndOfFileException e) {
            // Ctrl-C and Ctrl-D end the session.
        }
        return true;
    }

    private static void complete(ShellSession session, ParsedLine line, List<Candidate> candidates) {
        if (line.wordIndex() == 0) {
            ShellSession.HELP
                    .forEach(command -> candidates.add(new Candidate(command.substring(0, command.indexOf(' ')))));
        } else if (line.wordIndex() == 1 && line.words().getFirst().equals("open")) {
            session.links().forEach(link -> candidates.add(new Candidate(link)));
        }
    }

    private static boolean execute(ShellSession session, String line, PrintWriter errors) throws InterruptedException {
        try {
            session.execute(line);
            return true;
        } catch (InvalidValueException e) {
            errors.println("trawl: " + e.getMessage());
            errors.flush();
            return false;
        }
    }
}
