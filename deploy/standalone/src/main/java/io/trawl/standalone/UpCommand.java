package io.trawl.standalone;

import io.trawl.model.InvalidValue;
import io.trawl.standalone.crawl.FleetPlan;
import io.trawl.standalone.crawl.FleetRunner;
import io.trawl.worker.Signals;
import io.trawl.worker.StopRequest;
import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trawl up}: a whole deployment on this machine, with its dashboard, until it is stopped. */
@Command(name = "up", sortOptions = false, description = "Run everything on this machine, with a dashboard, for any number of crawls.", footerHeading = "%nExamples:%n", footer = {
        "  trawl up", "  trawl up --port 9000 --out /data/pages --allow-network 10.0.0.0/8", "",
        "Prints the address of the dashboard and of the REST interface, and runs until SIGTERM or Ctrl-C.",
        "Started again on the same folder it goes on where it stopped, also after a crash."})
final class UpCommand implements Callable<Integer> {
    @Option(names = "--port", paramLabel = "PORT", description = "Of the dashboard and the REST interface. Default: 8080, or the next one that is free.")
    private @Nullable Integer port;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "Where pages and errors are written, a folder per crawl. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "Where Kafka, Redis and the log are kept, in a folder named up. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Mixin
    private DownloadOptions download = new DownloadOptions();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help.")
    private boolean help;

    @Override
    public Integer call() throws InterruptedException {
        Logs.none();
        FleetPlan plan = plan();
        OptionalInt wanted = port();
        Logs.into(plan.data());
        StopRequest stop = new StopRequest();
        Signals.ask(stop, System.err);
        new FleetRunner(plan, wanted, stop).run(step -> System.err.println(step + " ..."), this::say);
        return 0;
    }

    /**
     * The options, checked as far as that is possible without any server.
     *
     * @throws InvalidValue naming the option, the value and the rule
     */
    FleetPlan plan() {
        return new FleetPlan(out.toAbsolutePath().normalize(), data.toAbsolutePath().normalize().resolve("up"),
                download.allowNetwork(), download.concurrency(), true);
    }

    private OptionalInt port() {
        return port == null ? OptionalInt.empty() : OptionalInt.of(Ports.checked("--port", port));
    }

    private void say(URI dashboard) {
        System.out.println("Trawl is running: " + dashboard + "/");
        System.out.flush();
        System.err.println("pages are written to " + out.toAbsolutePath().normalize() + "; Ctrl-C stops");
    }
}
