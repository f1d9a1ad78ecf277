package io.trawl.standalone.steer;

import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValue;
import io.trawl.standalone.DefinitionOptions;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.Refused;
import io.trawl.standalone.print.Printer;
import io.trawl.standalone.report.Figures;
import io.trawl.standalone.view.CrawlView;
import io.trawl.time.Time;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl submit}: defines and starts a crawl of a deployment whose processes run elsewhere, and gives it seeds from a file or a pipe. */
@Command(name = "submit", sortOptions = false, description = "Define and start a crawl at a coordinator, or give further seeds to one.", footerHeading = "%nExamples:%n", footer = {
        "  trawl submit --crawl docs --depth 2 https://docs.example.org/",
        "  trawl submit --crawl docs --seeds urls.txt                     # of a crawl that there is",
        "  trawl submit --crawl shops --domain example.com --domain example.net --seeds urls.txt",
        "  zcat seeds.jsonl.gz | trawl submit --crawl docs --seeds -", "",
        "A line of --seeds is a URL, or a seed as a JSON object: {\"url\":\"https://docs.example.org/\",\"priority\":2}.",
        "Empty lines and lines that begin with # are left out."})
public final class SubmitCommand extends CoordinatorCommand {
    private static final int BUFFER = 1 << 16;

    @Option(names = "--crawl", paramLabel = "ID", required = true, description = "The crawl's name.")
    private String crawl = "";

    @Parameters(paramLabel = "URL", arity = "0..*", description = "Where the crawl begins: absolute http or https URLs.")
    private List<String> urls = List.of();

    @Option(names = "--seeds", paramLabel = "FILE", description = "A file of seeds, one per line; - is standard input. Any number: they are sent as they are read.")
    private @Nullable String seeds;

    @Mixin
    private DefinitionOptions definition = new DefinitionOptions();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        CrawlId id = new CrawlId(crawl);
        if (urls.isEmpty() && seeds == null) {
            throw new UserMistake("name at least one URL, or a file of seeds with --seeds");
        }
        CrawlDefinition wanted = definition.definition(id, urls);
        if (seeds == null) {
            Answer defined = define(api, id, wanted, true);
            printer.answer(defined.body(), screen -> Said.state(defined.json()));
        } else {
            Seeded seeded = seed(api, id, wanted, seeds);
            printer.answer(seeded.taken().body(), screen -> List.of(seeded.said(id)));
        }
    }

    /** What a coordinator has taken, and whether the crawl is started behind it. */
    private record Seeded(Answer taken, boolean started) {
        String said(CrawlId id) {
            long count = taken.json().path("seeds").asLong();
            return Figures.count(count) + (count == 1 ? " seed is" : " seeds are") + " given to crawl " + id
                    + (started ? ", which is started" : "");
        }
    }

    private Answer define(Api api, CrawlId id, CrawlDefinition wanted, boolean start) throws InterruptedException {
        return api.put("/api/crawls/" + id + "?start=" + start + "&fresh=" + definition.fresh(), wanted);
    }

    /** The crawl is started behind its seeds: before them it would be finished at once. */
    private Seeded seed(Api api, CrawlId id, CrawlDefinition wanted, String source) throws InterruptedException {
        boolean defines = !urls.isEmpty() || definition.fresh() || !known(api, id);
        if (defines && urls.isEmpty() && wanted.domains().isEmpty()) {
            throw new UserMistake(
                    "crawl " + id + " is to begin: name a URL where it does, or the domains to stay in with --domain");
        }
        try (SeedLines lines = new SeedLines(open(source))) {
            boolean start = defines && !new CrawlView(define(api, id, wanted, false).json()).started();
            Answer taken = send(api, id, lines);
            if (start) {
                api.post("/api/crawls/" + id + "/start");
            }
            return new Seeded(taken, start);
        } catch (IOException e) {
            throw new UserMistake("--seeds: " + source + " cannot be read (" + e.getMessage() + ")");
        }
    }

    private static Answer send(Api api, CrawlId id, SeedLines lines) throws InterruptedException {
        try (SeedProgress progress = SeedProgress.of(lines, Time.system())) {
            return api.stream("/api/crawls/" + id + "/seeds", SeedLines.CONTENT_TYPE, progress.watched());
        }
    }

    private boolean known(Api api, CrawlId id) throws InterruptedException {
        try {
            api.get("/api/crawls/" + id);
            return true;
        } catch (Refused e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static InputStream open(String source) throws IOException {
        if (source.equals("-")) {
            return new BufferedInputStream(System.in, BUFFER);
        }
        Path file = Optional.of(Path.of(source)).filter(Files::isReadable).filter(f -> !Files.isDirectory(f))
                .orElseThrow(() -> new InvalidValue("--seeds", source, "a file that can be read, or - for standard input"));
        return new BufferedInputStream(Files.newInputStream(file), BUFFER);
    }
}
