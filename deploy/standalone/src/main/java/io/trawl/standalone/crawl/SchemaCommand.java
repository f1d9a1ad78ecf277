package io.trawl.standalone.crawl;

import io.trawl.definition.CrawlDefinition.ExtractRules;
import io.trawl.extract.ItemSchema;
import io.trawl.standalone.client.LogSetup;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl schema}: the JSON Schema of the items of a crawl file. */
@Command(name = "schema", sortOptions = false, description = "Print the JSON Schema of the lines that a crawl file stores. Calls no server.", footerHeading = "%nExample:%n", footer = {
        "  trawl schema site.yaml > items.schema.json"})
public final class SchemaCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "A crawl file in YAML, or in JSON if the name ends with .json.")
    private Path file = Path.of("");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        LogSetup.none();
        CrawlFile checked = CrawlFile.checked(file);
        ExtractRules rules = checked.definition().extract();
        spec.commandLine().getOut().println(ItemSchema.of(checked.crawl().value(), rules.items(), rules.pageItem()));
        return 0;
    }
}
