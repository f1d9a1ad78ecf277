package io.trawl.standalone.crawl;

import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.UserMistakeException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl init}: writes a crawl file to begin with. */
@Command(name = "init", sortOptions = false, description = "Write a short crawl file with comments, to begin with.", footerHeading = "%nExamples:%n", footer = {
        "  trawl init docs.yaml && trawl crawl --file docs.yaml"})
public final class InitCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "0..1", description = "The file, which must not exist. Default: ${DEFAULT-VALUE}.", defaultValue = "site.yaml")
    private Path file = Path.of("site.yaml");

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        LogSetup.none();
        try (InputStream template = InitCommand.class.getResourceAsStream("site.yaml")) {
            if (template == null) {
                throw new IllegalStateException("the template is not on the class path");
            }
            Files.copy(template, file);
        } catch (FileAlreadyExistsException e) {
            throw new UserMistakeException(file + " exists: give the name of a new file");
        } catch (IOException e) {
            throw new UserMistakeException(file + " cannot be written (" + e.getMessage() + ")");
        }
        spec.commandLine().getOut().println(file + " is written; next: trawl crawl --file " + file);
        return 0;
    }
}
