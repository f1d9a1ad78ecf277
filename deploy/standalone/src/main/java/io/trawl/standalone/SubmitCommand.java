package io.trawl.standalone;

import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValue;
import io.trawl.model.ModuleKind;
import io.trawl.redis.RedisModules;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.time.Time;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trawl submit}: defines and starts a crawl of a deployment whose processes run elsewhere. */
@Command(name = "submit", sortOptions = false, description = "Define and start a crawl at a coordinator that runs elsewhere.", footerHeading = "%nExamples:%n", footer = {
        "  trawl submit --crawl docs --depth 2 https://docs.example.org/",
        "  trawl submit --crawl docs --coordinator http://10.0.0.5:8080 https://docs.example.org/", "",
        "Without --coordinator one is looked up in the Redis of TRAWL_REDIS_URL."})
final class SubmitCommand implements Callable<Integer> {
    @Option(names = "--crawl", paramLabel = "ID", required = true, description = "The crawl's name.")
    private String crawl = "";

    @Option(names = "--coordinator", paramLabel = "URL", description = "Where a coordinator answers, for example http://127.0.0.1:8080.")
    private @Nullable String coordinator;

    @Mixin
    private DefinitionOptions definition = new DefinitionOptions();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Override
    public Integer call() throws InterruptedException {
        Logs.none();
        CrawlId id = new CrawlId(crawl);
        var wanted = definition.definition(id);
        CrawlSummary summary = define(id, wanted);
        System.out.println("crawl " + summary.run().crawl() + " is " + summary.state().name().toLowerCase(Locale.ROOT)
                + " (epoch " + summary.run().epoch() + ")");
        return 0;
    }

    private CrawlSummary define(CrawlId id, io.trawl.control.CrawlDefinition wanted) throws InterruptedException {
        Unavailable last = new Unavailable("no coordinator is registered; is one running?");
        for (URI base : coordinators()) {
            try (CoordinatorClient client = new CoordinatorClient(base)) {
                return client.define(id, wanted, definition.fresh());
            } catch (Unavailable e) {
                last = e;
            }
        }
        throw last;
    }

    private List<URI> coordinators() {
        if (coordinator != null) {
            return List.of(address(coordinator));
        }
        Settings settings = SettingsReader.fromEnvironment();
        try (RedisModules redis = RedisModules.connect(settings.redis().url(), settings.namespace(), Time.system())) {
            return redis.registrar().all(ModuleKind.COORDINATOR).stream().map(c -> URI.create("http://" + c.mid().address()))
                    .toList();
        } catch (LedgerUnavailable e) {
            throw new Unavailable("Redis does not answer at " + settings.redis().url().replaceFirst("//[^@/]*@", "//")
                    + ": set TRAWL_REDIS_URL, or name a coordinator with --coordinator");
        }
    }

    private static URI address(String text) {
        try {
            URI base = URI.create(text);
            if (base.getHost() != null && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new InvalidValue("--coordinator", text, "an http or https URL such as http://127.0.0.1:8080");
    }
}
