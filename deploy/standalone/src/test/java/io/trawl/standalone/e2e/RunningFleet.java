package io.trawl.standalone.e2e;

import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import java.nio.file.Path;

/** A running fleet, in one JVM or many. Closing it stops it, and fails if it does not stop cleanly. */
interface RunningFleet extends AutoCloseable {
    /** Asks its coordinator. */
    CoordinatorClient client();

    /** Its namespace, to write seeds and to read topics. */
    KafkaFixture fixture();

    /** Where its pipelines write. */
    Path out();

    /** The output of its processes, for the message of a failed test. */
    default String printed() {
        return "";
    }

    @Override
    void close() throws Exception;
}
