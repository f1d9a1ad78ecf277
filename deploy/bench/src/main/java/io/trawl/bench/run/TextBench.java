package io.trawl.bench.run;

import io.trawl.analyzer.extract.TextRule;
import io.trawl.bench.text.TextBenchmark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code text}: the main text against a public benchmark. */
@Command(name = "text", sortOptions = false, description = "Score the main text of pages by a public benchmark's own evaluate.py; docs/text.md explains it.")
public final class TextBench implements Callable<Integer> {
    @Option(names = "--corpus", paramLabel = "FOLDER", required = true, description = "A copy of web-content-extraction-benchmark or article-extraction-benchmark.")
    private Path corpus = Path.of("");

    @Option(names = "--part", paramLabel = "NAME", defaultValue = "dev", description = "dev or test, of a corpus that has parts. Default: ${DEFAULT-VALUE}.")
    private String part = "dev";

    @Option(names = "--without", paramLabel = "RULE", split = ",", description = "Leave heuristics out: ${COMPLETION-CANDIDATES}.")
    private Set<TextRule> without = Set.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "CPU times are those of the last of N rounds. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--out", paramLabel = "FOLDER", description = "A folder for the files of the results. Default: a new one.")
    private @Nullable Path out;

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            Path named = out;
            Path folder = named == null
                    ? Files.createTempDirectory("trawl-text")
                    : Files.createDirectories(named).toAbsolutePath();
            new TextBenchmark(corpus, part, folder).run(Math.max(1, rounds), without).forEach(System.out::println);
            return 0;
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }
}
