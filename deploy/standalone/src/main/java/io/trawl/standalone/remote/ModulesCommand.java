package io.trawl.standalone.remote;

import io.trawl.coordinator.summary.FleetSummary.MissingKind;
import io.trawl.coordinator.text.ModulesText;
import io.trawl.coordinator.text.TreeText;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registration;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.ApiResponse;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.text.Printer;
import io.trawl.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code trawl modules}: lists the live processes, or shows the summary of one. */
@Command(name = "modules", sortOptions = false, description = "List the live processes, or show the summary of one.", footerHeading = "%nExamples:%n", footer = {
        "  trawl modules", "  trawl modules D1", "  trawl modules --json | jq -r '.[].mid'"})
public final class ModulesCommand extends CoordinatorCommand {
    @Parameters(paramLabel = "MID", arity = "0..1", description = "A live process, such as D3, or its MID in quotes because of the bar. Default: all.")
    private @Nullable String mid;

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (mid == null) {
            ApiResponse all = api.getAll("/api/v1/modules");
            printer.answer(all.body(), screen -> {
                List<Registration> live = all.list(Registration.class);
                return ModulesText.of(live, MissingKind.among(live), Time.system().now(), screen);
            });
        } else {
            ApiResponse one = api.get("/api/v1/modules/" + Api.encoded(mid) + "/summary");
            printer.answer(one.body(), screen -> TreeText.of(one.as(ModuleSummary.class), screen));
        }
    }
}
