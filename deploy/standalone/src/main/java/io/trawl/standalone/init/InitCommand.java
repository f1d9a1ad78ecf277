package io.trawl.standalone.init;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.local.LocalOptions;
import io.trawl.standalone.local.LocalPreviewer;
import io.trawl.standalone.text.Terminal;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl init}: writes a crawl file to begin with: a template, or one that fits a site. */
@Command(name = "init", sortOptions = false, description = "Write a short crawl file with comments, to begin with. With a URL, look at about ten pages of the site, politely and without any server, and propose a file for it.", footerHeading = "%nExamples:%n", footer = {
        "  trawl init docs.yaml && trawl crawl --file docs.yaml",
        "  trawl init https://docs.example.org/ --out docs.yaml"})
public final class InitCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE|URL", arity = "0..1", description = "The file for the template, which must not exist; or the first page of a site. Default: ${DEFAULT-VALUE}.", defaultValue = "site.yaml")
    private String about = "site.yaml";

    @Option(names = "--out", paramLabel = "FILE", description = "With a URL: the file for the proposal, which must not exist. Default: standard output.")
    private @Nullable Path out;

    @Option(names = "--allow-network", paramLabel = "CIDR", split = ",", description = "With a URL: a private or loopback network that this process may fetch from; can be repeated. Default: none.")
    private List<String> allowNetwork = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        LogSetup.none();
        Optional<Path> file = Optional.ofNullable(out);
        if (!about.contains("://")) {
            if (file.isPresent()) {
                throw new InvalidValueException("--out", file.get().toString(), "together with a URL");
            }
            write(Path.of(about), template());
            return 0;
        }
        file.filter(Files::exists).ifPresent(InitCommand::exists);
        String proposal = proposal(about, LocalOptions.settings(allowNetwork), Time.system());
        if (file.isPresent()) {
            write(file.get(), proposal.getBytes(StandardCharsets.UTF_8));
        } else {
            spec.commandLine().getOut().print(proposal);
            spec.commandLine().getOut().flush();
        }
        return 0;
    }

    private static byte[] template() throws IOException {
        try (InputStream template = InitCommand.class.getResourceAsStream("site.yaml")) {
            if (template == null) {
                throw new IllegalStateException("the template is not on the class path");
            }
            return template.readAllBytes();
        }
    }

    /** A crawl file for the site of a URL. */
    private String proposal(String url, Settings settings, Time time) throws InterruptedException {
        try (LocalPreviewer previewer = new LocalPreviewer(settings, time)) {
            return new CrawlProposal(previewer, settings)
                    .of(new SiteSurvey(previewer, settings, spec.commandLine().getErr()).of(url));
        }
    }

    private void write(Path file, byte[] content) {
        try {
            Files.write(file, content, StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            exists(file);
        } catch (IOException e) {
            throw new UserMistakeException(file + " cannot be written (" + e.getMessage() + ")");
        }
        List<String> next = Stream.concat(Stream.of("crawl", "--file", file.toString()),
                allowNetwork.stream().flatMap(network -> Stream.of("--allow-network", network))).toList();
        spec.commandLine().getOut().println(file + " is written; next: " + Terminal.ofLauncher().typed(next));
    }

    private static void exists(Path file) {
        throw new UserMistakeException(file + " exists: give the name of a new file");
    }
}
