package io.trawl.standalone;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands as a user would, in this JVM. */
public final class TrawlCommand {
    private TrawlCommand() {}

    /** The exit status and the output of a command. */
    public record Said(int code, String out, String err) {}

    /** Runs one. */
    public static Said run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = Trawl.commandLine(System.getenv(), args).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        int code = command.execute(args);
        return new Said(code, out.toString(), err.toString());
    }
}
