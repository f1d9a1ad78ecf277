package io.trawl.standalone.steer;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.model.CrawlId;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.standalone.UserMistake;
import io.trawl.standalone.client.Answer;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorCommand;
import io.trawl.standalone.client.Listing;
import io.trawl.standalone.print.Printer;
import io.trawl.standalone.print.Screen;
import io.trawl.standalone.view.CrawlView;
import io.trawl.standalone.view.SignText;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code trawl stop}: stops one crawl, or sets the stop sign of the fleet. */
@Command(name = "stop", sortOptions = false, description = "Stop a crawl, or the whole fleet: nothing new is fetched, what is fetched is analysed and stored.", footerHeading = "%nExamples:%n", footer = {
        "  trawl stop docs", "  trawl stop docs --wait",
        "  trawl stop --fleet --wait     # until every module has dealt with the stop sign",
        "", "trawl start docs lets a crawl go on, trawl reset the fleet."})
public final class StopCommand extends CoordinatorCommand {
    @ArgGroup(exclusive = true, multiplicity = "1")
    private What what = new What();

    @Option(names = {"-w",
            "--wait"}, description = "Wait until everything in flight is stored and every live module has dealt with the stop sign.")
    private boolean wait;

    /** One of the two. */
    private static final class What {
        @Parameters(paramLabel = "ID", description = "The crawl.")
        private @Nullable String crawl;

        @Option(names = "--fleet", description = "The whole fleet: all crawls of all modules.")
        private boolean fleet;
    }

    @Override
    protected void ask(Api api, Printer printer) throws InterruptedException {
        if (what.crawl == null) {
            fleet(api, printer);
        } else {
            crawl(api, printer, "/api/crawls/" + new CrawlId(what.crawl));
        }
    }

    private void crawl(Api api, Printer printer, String path) throws InterruptedException {
        Answer answer = api.post(path + "/stop");
        try (Waiting waiting = Waiting.onStandardError(Time.system())) {
            while (wait && !new CrawlView(answer.json()).settled()) {
                CrawlView now = new CrawlView(answer.json());
                waiting.show(now.run() + " is " + now.state() + ": what is fetched is being analysed and stored"
                        + waitedFor(api, path));
                answer = api.get(path);
            }
        }
        Answer last = answer;
        printer.answer(last.body(), screen -> Said.state(last.json()));
    }

    /** Who has not dealt with the crawl's sign yet; nothing with a coordinator that cannot say. */
    private static String waitedFor(Api api, String path) throws InterruptedException {
        try {
            JsonNode sign = api.get(path + "/stop-sign").json();
            return sign.path("signed").asBoolean() ? "; " + SignText.dealt(sign) : "";
        } catch (Unavailable e) {
            return "";
        }
    }

    private void fleet(Api api, Printer printer) throws InterruptedException {
        Answer signed = api.post("/api/stop-sign");
        boolean first = signed.json().path("first").asBoolean();
        JsonNode sign = signed.json();
        try (Waiting waiting = Waiting.onStandardError(Time.system())) {
            while (wait && !sign.path("complete").asBoolean()) {
                waiting.show(SignText.line(sign, Screen.FILE));
                sign = standing(api);
            }
        }
        JsonNode last = sign;
        printer.answer(wait ? Json.bytes(last) : signed.body(), screen -> signText(last, first, screen));
    }

    /** @throws UserMistake if somebody has taken the sign away meanwhile: it will never be complete */
    private static JsonNode standing(Api api) throws InterruptedException {
        return Listing.all(api, "/api/stop-signs").json().valueStream()
                .filter(sign -> !sign.hasNonNull("crawl") && sign.path("signed").asBoolean()).findFirst()
                .orElseThrow(() -> new UserMistake("the stop sign was taken away while it was waited for"));
    }

    private static List<String> signText(JsonNode sign, boolean first, Screen screen) {
        List<String> lines = new ArrayList<>(List.of(first ? "the fleet is told to stop" : "the fleet was told to stop before"));
        lines.addAll(SignText.of(sign, screen));
        return lines;
    }
}
