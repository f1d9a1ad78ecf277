package io.trawl.standalone.crawl;

import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.standalone.client.LogSetup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl validate}: checks crawl files without a coordinator. */
@Command(name = "validate", sortOptions = false, description = "Check crawl files: names every fault with line, column and rule. Calls no server.", footerHeading = "%nExamples:%n", footer = {
        "  trawl validate site.yaml", "  trawl validate crawls/*.yaml"})
public final class ValidateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Crawl files in YAML, or in JSON if the name ends with .json.")
    private List<Path> files = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        LogSetup.none();
        FaultCollector faults = new FaultCollector();
        for (Path file : files) {
            FaultCollector own = new FaultCollector();
            CrawlFile.read(file, own).ifPresent(read -> read.check(own));
            if (!own.addTo(faults)) {
                spec.commandLine().getOut().println(file + ": valid");
            }
        }
        faults.check();
        return 0;
    }
}
