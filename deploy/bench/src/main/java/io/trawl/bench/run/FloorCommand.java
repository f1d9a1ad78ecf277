package io.trawl.bench.run;

import io.trawl.bench.floor.FloorCrawl;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code floor}: the floor program in its own process. */
@Command(name = "floor", sortOptions = false, description = "Crawl without any promise: fetch, parse, write; prints the number of pages.")
public final class FloorCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", arity = "1..*", description = "Where to begin.")
    private List<String> seeds = List.of();

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "The file for the pages.")
    private Path out = Path.of("");

    @Mixin
    private BenchOptions benchOptions = new BenchOptions();

    @Override
    public Integer call() throws InterruptedException {
        FloorCrawl crawl = new FloorCrawl(seeds.stream().map(seed -> URI.create(seed).getHost()).collect(Collectors.toSet()));
        System.out.println(crawl.run(seeds, out));
        return 0;
    }
}
