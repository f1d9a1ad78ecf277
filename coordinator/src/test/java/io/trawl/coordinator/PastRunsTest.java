package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.ListedControl;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PastRunsTest {
    private final Book book = new Book(new ListedControl());
    private final List<String> forgotten = new CopyOnWriteArrayList<>();
    private final AtomicInteger outages = new AtomicInteger();

    @Test
    void whatALeaderThatDiedHasLeftIsDeletedByTheNext() {
        book.enter(status("replaced/3"));
        book.enter(status("first/1"));
        book.enter(new Deleted(CrawlRun.parse("gone/2"), 9, Instant.EPOCH));
        try (PastRuns past = new PastRuns(book, new Recording(), Time.system())) {
            past.start();
            await().untilAsserted(() -> assertThat(forgotten)
                    .containsExactlyInAnyOrder("replaced/1", "replaced/2", "gone/1", "gone/2"));
        }
    }

    @Test
    void aRunThatEndsIsDeletedAtOnceAndARedisThatIsAwayStopsNothing() {
        outages.set(1);
        try (PastRuns past = new PastRuns(book, new Recording(), Time.system())) {
            past.start();
            past.over(CrawlRun.parse("lost/1"));
            past.over(CrawlRun.parse("docs/1"));
            await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(forgotten).containsExactly("docs/1"));
        }
    }

    private static CrawlStatus status(String run) {
        CrawlDefinition definition = Json.read("{}".getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
        return new CrawlStatus(CrawlRun.parse(run), 1, definition, CrawlState.STOPPED, 0, Optional.empty(), Optional.empty());
    }

    private final class Recording implements Ledger {
        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void forget(CrawlRun run) {
            if (outages.getAndDecrement() > 0) {
                throw new LedgerUnavailable("away", new IllegalStateException());
            }
            forgotten.add(run.toString());
        }
    }
}
