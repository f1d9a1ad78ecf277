package io.trawl.standalone.steer;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.admission.AcceptedName;
import io.trawl.model.CrawlId;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.print.Cell;
import io.trawl.standalone.print.Printer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl domains}: the domains that a crawl accepts, and changes of them while it runs. */
@Command(name = "domains", sortOptions = false, description = "List the domains that a crawl accepts, add some or remove some; every analyzer heeds a change within seconds.", footerHeading = "%nExamples:%n", footer = {
        "  trawl domains docs", "  trawl domains docs add example.net static.example.com",
        "  trawl domains docs remove example.net"})
public final class DomainsCommand extends CoordinatorCommand {
    /** What is to be done with the names. */
    enum Change {
        /** Accept them. */
        ADD,
        /** Accept them no longer. */
        REMOVE;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    @Parameters(index = "0", paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "add|remove", description = "What to do with the names. Default: list those that are accepted.")
    private @Nullable Change change;

    @Parameters(index = "2..*", arity = "0..*", paramLabel = "NAME", description = "Domains or hosts; a host accepts itself and what is below it.")
    private List<String> names = List.of();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (change != null && names.isEmpty()) {
            throw new UserMistake("name at least one domain to " + change);
        }
        String path = "/api/crawls/" + new CrawlId(crawl) + "/domains";
        List<String> checked = names.stream().map(name -> AcceptedName.of("NAME", name)).toList();
        Answer answer = checked.isEmpty() ? api.get(path) : changed(api, path, checked);
        printer.answer(answer.body(), screen -> text(answer.json()));
    }

    private Answer changed(Api api, String path, List<String> names) throws InterruptedException {
        Answer last = api.get(path);
        for (String name : names) {
            String target = path + "/" + Api.encoded(name);
            last = change == Change.ADD ? api.put(target) : api.delete(target);
        }
        return last;
    }

    private static List<String> text(JsonNode domains) {
        List<String> lines = new ArrayList<>();
        domains.path("domains").forEach(name -> lines.add(Cell.of(name.asText()).text()));
        return lines.isEmpty() ? List.of("no domain is accepted") : lines;
    }
}
