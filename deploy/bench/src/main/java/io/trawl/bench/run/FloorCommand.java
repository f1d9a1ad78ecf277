package io.trawl.bench.run;

import io.trawl.bench.floor.FloorCrawl;
import io.trawl.bench.floor.KafkaFloorCrawl;
import io.trawl.standalone.crawl.CompilerDirectives;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code floor}: the floor program in its own process. */
@Command(name = "floor", sortOptions = false, description = "Crawl without any promise: fetch, parse, write; prints the number of pages.")
public final class FloorCommand implements Callable<Integer> {
    @Parameters(paramLabel = "URL", arity = "1..*", description = "Where to begin.")
    private List<String> seeds = List.of();

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "The file for the pages.")
    private Path out = Path.of("");

    @Option(names = "--kafka", paramLabel = "FOLDER", description = "Join the stages by topics of an embedded broker with its data in this new folder.")
    private @Nullable Path kafka;

    @Option(names = "--seeds-only", description = "Follow no link.")
    private boolean seedsOnly;

    @Override
    public Integer call() throws InterruptedException {
        try {
            System.out.println(pages(seedsOnly
                    ? Set.of()
                    : seeds.stream().map(seed -> URI.create(seed).getHost()).collect(Collectors.toSet())));
            return 0;
        } catch (RuntimeException e) {
            System.err.println(e.getMessage());
            return 1;
        }
    }

    private long pages(Set<String> hosts) throws InterruptedException {
        Path broker = kafka;
        if (broker == null) {
            return new FloorCrawl(hosts).run(seeds, out);
        }
        CompilerDirectives.apply();
        return KafkaFloorCrawl.run(hosts, seeds, out, broker);
    }
}
