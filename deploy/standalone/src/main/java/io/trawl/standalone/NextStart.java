package io.trawl.standalone;

import io.trawl.worker.ShutdownRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the launcher make its cache of classes when the first crawl of a build has ended, so that this crawl shares no
 * processor with it.
 */
final class NextStart {
    /** The launcher, if there is no cache yet. */
    private static final String LAUNCHER = "trawl.prepare";
    private static final Logger LOG = LoggerFactory.getLogger(NextStart.class);
    private static final Duration LOOK = Duration.ofMillis(100);

    private NextStart() {}

    /** Returns when the cache is made, or at once when a stop is requested: then the next start makes it. */
    static void prepare(ShutdownRequest stop) throws InterruptedException {
        Optional<String> launcher = Optional.ofNullable(System.getProperty(LAUNCHER));
        if (launcher.isPresent() && !stop.asked()) {
            try {
                Process maker = new ProcessBuilder(launcher.get(), "prepare").inheritIO().start();
                while (maker.isAlive() && !stop.within(LOOK)) {
                    // waits
                }
                maker.destroy();
            } catch (IOException e) {
                LOG.info("cannot prepare faster starts: {}", e.toString());
            }
        }
    }
}
