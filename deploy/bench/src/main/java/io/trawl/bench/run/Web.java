package io.trawl.bench.run;

import io.trawl.bench.web.GeneratedSites;
import io.trawl.bench.web.LoopbackWeb;
import io.trawl.bench.web.Pages;
import io.trawl.bench.web.SlowWeb;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code web}: a web server in a process of its own. */
@Command(name = "web", sortOptions = false, description = "Serve loopback addresses at one port, until the process is stopped.")
public final class Web implements Callable<Integer> {
    @Option(names = "--port", defaultValue = "0", description = "Default: any free one; it is printed.")
    private int port;

    @Option(names = "--hosts", defaultValue = "100", description = "How many hosts there are. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--pages", defaultValue = "0", description = "Serve sites of so many pages each, linked from their roots; 0: every path is a page.")
    private int pages;

    @Option(names = "--slow", defaultValue = "0ms", converter = Common.DurationOption.class, description = "How long an answer takes at most, if every path is a page.")
    private Duration slow = Duration.ZERO;

    @Mixin
    private Common common = new Common();

    @Override
    public Integer call() throws InterruptedException {
        Time time = Time.system();
        Pages served = pages > 0 ? new GeneratedSites(hosts, pages) : new SlowWeb(hosts, slow, time::nanos);
        try (LoopbackWeb web = LoopbackWeb.start(port, served, time)) {
            System.out.println("port " + web.port());
            System.out.flush();
            new CountDownLatch(1).await();
        }
        return 0;
    }
}
