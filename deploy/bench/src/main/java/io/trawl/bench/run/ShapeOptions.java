package io.trawl.bench.run;

import io.trawl.testkit.web.GeneratedSites.PageShape;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say what generated pages are like. */
final class ShapeOptions {
    @Option(names = "--page-size", paramLabel = "KB", defaultValue = "5", description = "The approximate size of a page in 1,000 bytes. Default: ${DEFAULT-VALUE}.")
    private int kilobytes;

    @Option(names = "--links", defaultValue = "25", description = "The approximate number of links of a page, 20 at least. Default: ${DEFAULT-VALUE}.")
    private int links;

    PageShape shape() {
        return new PageShape(kilobytes, links);
    }

    /** The same options for another process. */
    List<String> arguments() {
        return List.of("--page-size", Integer.toString(kilobytes), "--links", Integer.toString(links));
    }
}
