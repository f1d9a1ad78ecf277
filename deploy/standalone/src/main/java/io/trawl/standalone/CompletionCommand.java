package io.trawl.standalone;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trawl completion}: what a shell needs to complete commands and options. */
@Command(name = "completion", sortOptions = false, description = "Print a script with which bash and zsh complete commands and options.", footerHeading = "%nExamples:%n", footer = {
        "  source <(trawl completion)                                 # in ~/.bashrc or ~/.zshrc",
        "  trawl completion > /etc/bash_completion.d/trawl            # for everybody"})
final class CompletionCommand implements Callable<Integer> {
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        spec.commandLine().getOut().print(AutoComplete.bash("trawl", spec.root().commandLine()));
        spec.commandLine().getOut().flush();
        return 0;
    }
}
