package io.trawl.bench.run;

import io.trawl.bench.fleet.BenchFleet;
import io.trawl.bench.fleet.RequestLoad;
import io.trawl.model.CrawlRun;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.Loopback;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code requests-load}: writes a backlog into a running deployment. */
@Command(name = "requests-load", sortOptions = false, description = "Write a backlog into a running deployment (TRAWL_KAFKA_BOOTSTRAP_SERVERS, TRAWL_REDIS_URL).", footerHeading = "%nExample:%n", footer = {
        "  ./trawl bench web --port 8000 --hosts 1001 --slow 5s",
        "  ./trawl bench requests-load --shares 1x1000000@0,1000x100@1 --web-port 8000"})
public final class RequestLoadCommand extends Benchmark {
    @Option(names = "--shares", split = ",", required = true, description = "HOSTSxREQUESTS@PRIORITY, comma separated; hosts are 127.1.0.0, 127.1.0.1, ...")
    private List<String> shares = List.of();

    @Option(names = "--listed", description = "Write one share after the other. Default: evenly mixed.")
    private boolean listed;

    @Option(names = "--web-port", required = true, description = "Port of all hosts, as printed by 'bench web'.")
    private int webPort;

    @Option(names = "--coordinator", defaultValue = "http://127.0.0.1:8080", description = "Default: ${DEFAULT-VALUE}.")
    private URI coordinator = URI.create("");

    @Option(names = "--delay", defaultValue = "1s", description = "Delay of the crawl 'bench', which this command defines and starts. Default: ${DEFAULT-VALUE}.")
    private Duration delay = Duration.ZERO;

    @Option(names = "--announce", description = "Announce the requests to the ledger in Redis, too, like an analyzer after its commit; 22 bytes each.")
    private boolean announce;

    @Override
    boolean measure(Results results) throws InterruptedException {
        BacklogPlan backlogPlan = new BacklogPlan(shares.stream().map(BacklogShare::parse).toList(), !listed);
        CrawlRun run;
        try (CoordinatorClient client = new CoordinatorClient(coordinator)) {
            String seed = "http://" + Loopback.address(0) + ":" + webPort + "/seed.html";
            run = client.define(BenchFleet.CRAWL, BenchCrawl.over(seed, List.of(), delay), false).run();
        }
        long begun = time.nanos();
        RequestLoad.write(SettingsReader.fromEnvironment(), time, run,
                new RequestLoad.LoadedBacklog(backlogPlan, webPort, announce));
        double seconds = secondsSince(begun);
        results.row("requests", backlogPlan.requests(), "seconds", seconds, "per second",
                backlogPlan.requests() / seconds);
        return true;
    }
}
