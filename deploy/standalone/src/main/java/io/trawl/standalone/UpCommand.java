package io.trawl.standalone;

import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.crawl.FleetRunner;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import io.trawl.worker.ShutdownRequest;
import io.trawl.worker.Signals;
import java.net.URI;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trawl up}: runs a whole deployment on this machine, with its dashboard, until it is stopped. */
@Command(name = "up", sortOptions = false, description = "Run everything on this machine, with a dashboard, for any number of crawls.", footerHeading = "%nExamples:%n", footer = {
        "  trawl up", "  trawl up --port 9000 --out /data/pages --allow-network 10.0.0.0/8", "",
        "Prints the address of the dashboard and of the REST interface, and runs until SIGTERM or Ctrl-C.",
        "Started again in the same folder, it resumes, also after a crash."})
final class UpCommand implements Callable<Integer>, CheckedOptions {
    @Option(names = "--port", paramLabel = "PORT", description = "The port of the dashboard and the REST interface. Default: 8080, or the next free one.")
    private @Nullable Integer port;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "pages", description = "The folder for pages and errors, with a subfolder per crawl. Default: ${DEFAULT-VALUE}.")
    private Path out = Path.of("pages");

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "The folder of Kafka, Redis and the log, in a subfolder named up. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Mixin
    private DownloadOptions download = new DownloadOptions();

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.none();
        FleetPlan plan = plan();
        OptionalInt wanted = port();
        LogSetup.into(plan.data());
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        new FleetRunner(plan, wanted, stop).run(System.err::println, this::say);
        return 0;
    }

    @Override
    public void check() {
        plan();
    }

    /**
     * The options and the settings, checked as far as possible without a server.
     *
     * @throws InvalidDefinitionException naming each option and variable with its value and the rule
     */
    FleetPlan plan() {
        FaultCollector faults = new FaultCollector();
        faults.note(this::port);
        faults.note(download::guard);
        FleetPlan plan = new FleetPlan(out.toAbsolutePath().normalize(),
                data.toAbsolutePath().normalize().resolve("up"), download.allowNetwork(), download.concurrency(faults),
                true);
        plan.check(System.getenv(), faults);
        faults.check();
        return plan;
    }

    private OptionalInt port() {
        return port == null ? OptionalInt.empty() : OptionalInt.of(PortOptions.checked("--port", port));
    }

    private void say(URI dashboard) {
        System.out.println("Trawl is running: " + dashboard);
        System.out.flush();
        System.err.println("pages are written to " + out.toAbsolutePath().normalize() + "; Ctrl-C stops");
    }

    /** Port options. */
    static final class PortOptions {
        private static final int HIGHEST = 65_535;

        private PortOptions() {}

        /** @throws InvalidValueException if the number is neither a port nor 0 */
        static int checked(String option, int port) {
            if (port < 0 || port > HIGHEST) {
                throw new InvalidValueException(option, Integer.toString(port),
                        "1 to " + HIGHEST + ", or 0 for any free one");
            }
            return port;
        }
    }
}
