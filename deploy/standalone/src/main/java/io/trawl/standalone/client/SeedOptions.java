package io.trawl.standalone.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name a list of seeds. */
public final class SeedOptions {
    @Option(names = "--seeds", paramLabel = "FILE", description = "A list of seeds of any length: a file, - for standard input, or the URL of a sitemap.")
    private @Nullable String seeds;

    @Option(names = "--column", paramLabel = "NAME", description = "The list is CSV, and this column has the URLs: its name in the first line, or its number.")
    private @Nullable String column;

    /** Whether a list is named. */
    public boolean given() {
        return seeds != null;
    }

    /** The list, if one is named. */
    public Optional<SeedSource> source() {
        if (seeds == null && column != null) {
            throw new UserMistakeException("--column goes with --seeds FILE");
        }
        return Optional.ofNullable(seeds).map(name -> new SeedSource(name, Optional.ofNullable(column)));
    }
}
