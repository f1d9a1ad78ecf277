package io.trawl.standalone.view;

import io.trawl.model.MID;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Listing;
import io.trawl.standalone.print.Printer;
import io.trawl.time.Time;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl modules}: the live processes, or what one of them says about itself. */
@Command(name = "modules", sortOptions = false, description = "List the live processes, or show what one of them says about itself.", footerHeading = "%nExamples:%n", footer = {
        "  trawl modules", "  trawl modules 'D1|127.0.0.1:40123'", "  trawl modules --json | jq -r '.[].mid'"})
public final class ModulesCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "MID", arity = "0..1", description = "A module, in quotes because of the bar. Default: all.")
    private @Nullable String mid;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (mid == null) {
            Answer all = Listing.all(api, "/api/modules");
            printer.answer(all.body(), screen -> ModulesText.of(all.json(), Time.system().now(), screen));
        } else {
            Answer one = api.get("/api/modules/" + Api.encoded(MID.parse(mid).toString()) + "/summary");
            printer.answer(one.body(), screen -> TreeText.of(one.json(), screen));
        }
    }
}
