package io.trawl.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
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

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(LIMIT);
    }
}
