package io.trawl.standalone.remote;

import io.trawl.admission.AcceptedName;
import io.trawl.coordinator.leader.DomainControl.DomainSet;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl domains}: lists and changes the accepted domains of a crawl. */
@Command(name = "domains", sortOptions = false, description = "List, add or remove the accepted domains of a crawl; analyzers apply changes within seconds.", footerHeading = "%nExamples:%n", footer = {
        "  trawl domains docs", "  trawl domains docs add example.net static.example.com",
        "  trawl domains docs remove example.net"})
public final class DomainsCommand extends CoordinatorCommand {
    /** The change to make. */
    enum Change {
        /** Accept the names. */
        ADD,
        /** No longer accept the names. */
        REMOVE;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    @Parameters(index = "0", paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "add|remove", description = "The change to make. Default: list the accepted domains.")
    private @Nullable Change change;

    @Parameters(index = "2..*", arity = "0..*", paramLabel = "NAME", description = "Domains or hosts; a host includes its subdomains.")
    private List<String> names = List.of();

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (change != null && names.isEmpty()) {
            throw new UserMistakeException("name at least one domain to " + change);
        }
        String path = "/api/v1/crawls/" + new CrawlId(crawl) + "/domains";
        List<String> checked = names.stream().map(name -> AcceptedName.of("NAME", name)).toList();
        ApiResponse answer = checked.isEmpty() ? api.get(path) : changed(api, path, checked);
        printer.answer(answer.body(), screen -> text(answer.as(DomainSet.class)));
    }

    private ApiResponse changed(Api api, String path, List<String> names) throws InterruptedException {
        ApiResponse last = api.get(path);
        for (String name : names) {
            String target = path + "/" + Api.encoded(name);
            last = change == Change.ADD ? api.put(target) : api.delete(target);
        }
        return last;
    }

    private static List<String> text(DomainSet set) {
        return set.domains().isEmpty()
                ? List.of("no domain is accepted")
                : set.domains().stream().map(TerminalText::safe).toList();
    }
}
