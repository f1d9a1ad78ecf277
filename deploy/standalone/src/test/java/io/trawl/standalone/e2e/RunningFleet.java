package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import java.net.URI;
import java.nio.file.Path;

/** A running fleet, in one JVM or many. Closing it stops it, and fails if it does not stop cleanly. */
interface RunningFleet extends AutoCloseable {
    /** Asks its coordinator. */
    CoordinatorClient client();

    /** Where its coordinator answers, for commands. */
    URI address();

    /** Its namespace, to write seeds and to read topics. */
    KafkaFixture fixture();

    /** Where its pipelines write. */
    Path out();

    /** The output of its processes, for the message of a failed test. */
    default String printed() {
        return "";
    }

    /**
     * Fails, with what it printed last, if one of its processes has ended: waiting for its work would take until the
     * time-out.
     */
    default void checkRunning() {}

    /** Waits until a crawl has ended, asserts that it is finished, and returns its sums. */
    default CrawlSummary awaitFinished(CrawlId crawl) {
        CrawlSummary ended = await().until(() -> client().crawl(crawl).orElseThrow(),
                c -> c.state() == CrawlState.STOPPED && c.end().isPresent());
        assertThat(ended.end()).map(End::reason).contains(EndReason.FINISHED);
        return ended;
    }

    @Override
    void close() throws Exception;
}
