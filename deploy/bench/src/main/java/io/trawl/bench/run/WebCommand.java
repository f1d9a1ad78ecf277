package io.trawl.bench.run;

import io.trawl.bench.web.CorpusPages;
import io.trawl.bench.web.CorpusPages.Coding;
import io.trawl.bench.web.SlowWeb;
import io.trawl.bench.web.TimedPages;
import io.trawl.testkit.web.GeneratedSites;
import io.trawl.testkit.web.LoopbackWeb;
import io.trawl.testkit.web.WebPages;
import io.trawl.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code web}: a web server in its own process. */
@Command(name = "web", sortOptions = false, description = "Serve loopback addresses on one port until SIGTERM.")
public final class WebCommand implements Callable<Integer> {
    @Option(names = "--port", defaultValue = "0", description = "Port; it is printed. Default: any free port.")
    private int port;

    @Option(names = "--hosts", defaultValue = "100", description = "Number of hosts. Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(names = "--pages", defaultValue = "0", description = "Pages of each site, linked from its root; 0: every path is a page.")
    private int pages;

    @Mixin
    private ShapeOptions shape = new ShapeOptions();

    @Option(names = "--corpus", paramLabel = "FOLDER", description = "Serve the files of this folder at /0.html, /1.html and so on, the first again behind the last.")
    private @Nullable Path corpus;

    @Option(names = "--coding", defaultValue = "none", description = "How files of the corpus are sent: none or gzip. Default: ${DEFAULT-VALUE}.")
    private Coding coding = Coding.NONE;

    @Option(names = "--slow", defaultValue = "0ms", description = "Maximum response time, if every path is a page.")
    private Duration slow = Duration.ZERO;

    @Override
    public Integer call() throws InterruptedException {
        Time time = Time.system();
        try (LoopbackWeb web = LoopbackWeb.start(port, served(time), time)) {
            System.out.println("port " + web.port());
            System.out.flush();
            new CountDownLatch(1).await();
        }
        return 0;
    }

    private WebPages served(Time time) {
        Path folder = corpus;
        if (folder != null) {
            return new TimedPages(new CorpusPages(folder, coding), time);
        }
        return pages > 0
                ? new TimedPages(new GeneratedSites(hosts, pages, shape.shape()), time)
                : new SlowWeb(hosts, slow, time::nanos);
    }
}
