package io.trawl.telemetry;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a dependency is unavailable. Logs once when it becomes unavailable and once when it is back. Thread-safe. */
public final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private final String dependency;
    private volatile Optional<String> cause = Optional.empty();

    /** @param dependency the name in the log: {@code redis} */
    public Outage(String dependency) {
        this.dependency = dependency;
    }

    /** The dependency does not answer. */
    public void begin(Throwable cause) {
        begin(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    }

    /** The dependency does not answer, for a reason without an exception. */
    public void begin(String reason) {
        if (cause.isEmpty()) {
            cause = Optional.of(reason);
            LOG.warn("waiting for {}: {}", dependency, reason);
        }
    }

    /** The dependency answers. */
    public void end() {
        if (cause.isPresent()) {
            cause = Optional.empty();
            LOG.info("{} is back", dependency);
        }
    }

    /** Whether the dependency is unavailable. */
    public boolean now() {
        return cause.isPresent();
    }

    /** Why it is unavailable, for people; empty while it answers. */
    public Optional<String> cause() {
        return cause;
    }
}
