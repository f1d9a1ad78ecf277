package io.trawl.downloader.frontier.queue;

import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What robots.txt says about one URL, and the version of the file that says so: with other rules it counts for nothing.
 * Belongs to the frontier's thread.
 */
public final class VersionedVerdict {
    /** A match of this many steps takes less time than it takes to hand it to another thread. */
    static final int STEPS_AT_ONCE = 4000;
    private RobotsRules.@Nullable Version version;
    private @Nullable RobotsVerdict verdict;
    private boolean running;

    /** The verdict of these rules. Empty: it takes more than a few steps, so another thread must make it. */
    public Optional<RobotsVerdict> verdict(RobotsRules rules, String url) {
        if (version != rules.version()) {
            version = rules.version();
            running = false;
            RobotsVerdict first = rules.check(url, STEPS_AT_ONCE);
            verdict = first == RobotsVerdict.TOO_COSTLY ? null : first;
        }
        return Optional.ofNullable(verdict);
    }

    /** The digest of the file that said so last; empty if there is none. */
    public Optional<String> digest() {
        return Optional.ofNullable(version).flatMap(RobotsRules.Version::digest);
    }

    /** Whether another thread is making the verdict. */
    public boolean running() {
        return running;
    }

    public void begin() {
        running = true;
    }

    /** Takes the verdict that another thread has made; ignored if the rules have changed since. */
    public void end(RobotsRules.Version of, RobotsVerdict made) {
        if (running && version == of) {
            running = false;
            verdict = made;
        }
    }
}
