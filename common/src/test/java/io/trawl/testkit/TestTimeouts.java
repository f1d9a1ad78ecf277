package io.trawl.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long every test waits for something that must happen at some time. A machine that is busy with other work must
 * not fail a test, so a test states a limit of its own only where that limit is what it promises.
 *
 * <p>
 * JUnit finds it by itself (META-INF/services), so that no test can forget it. The limit for a whole test is in
 * junit-platform.properties.
 */
public final class TestTimeouts implements BeforeAllCallback {
    /** For a condition, an answer or the end of a process. */
    public static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(400);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
        // What is true soon is seen soon; what takes seconds is not asked for ten times a second.
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(TestTimeouts::next, Duration.ofMillis(30)));
    }

    private static Duration next(Duration last) {
        Duration longer = last.multipliedBy(5).dividedBy(4);
        return longer.compareTo(LONGEST_INTERVAL) < 0 ? longer : LONGEST_INTERVAL;
    }
}
