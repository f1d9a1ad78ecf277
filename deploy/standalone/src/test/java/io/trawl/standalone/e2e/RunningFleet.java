package io.trawl.standalone.e2e;

import io.trawl.standalone.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import java.nio.file.Path;

/** A fleet that works, whatever it is made of. Closing it stops it, and fails if it does not stop as it should. */
interface RunningFleet extends AutoCloseable {
    /** Asks its coordinator. */
    CoordinatorClient client();

    /** Its namespace, to write seeds and to read topics. */
    KafkaFixture fixture();

    /** Where its pipelines write. */
    Path out();

    /** What its processes have printed, for the message of a failed test. */
    default String printed() {
        return "";
    }

    @Override
    void close() throws Exception;
}
