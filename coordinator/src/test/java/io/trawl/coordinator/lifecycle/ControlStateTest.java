package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.ListedControl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlStateTest {
    private final ListedControl control = new ListedControl();
    private final ControlState state = new ControlState(control);

    private static CrawlStatus crawl(String id, long version, CrawlState state) {
        return CrawlStatus.of(CrawlRun.parse(id + "/1"), version, CrawlDefinition.of(List.of()), state);
    }

    @Test
    void theListOfCrawlsIsMadeOnceForEachRecord() {
        state.enter(crawl("b", 1, CrawlState.INITIALIZED));
        state.enter(crawl("a", 1, CrawlState.INITIALIZED));
        List<CrawlStatus> two = state.crawls();
        assertThat(two).extracting(crawl -> crawl.run().crawl().value()).containsExactly("a", "b");
        assertThat(state.crawls()).isSameAs(two);
        state.enter(crawl("b", 2, CrawlState.STARTED));
        assertThat(state.crawls()).extracting(CrawlStatus::state).containsExactly(CrawlState.INITIALIZED,
                CrawlState.STARTED);
        state.enter(new Deleted(CrawlRun.parse("a/1"), 2, Instant.EPOCH));
        assertThat(state.crawls()).hasSize(1);
    }

    @Test
    void aRecordThatIsReadBackChangesNothing() {
        CrawlStatus record = crawl("a", 2, CrawlState.INITIALIZED);
        state.enter(record);
        long before = state.changes();
        List<CrawlStatus> crawls = state.crawls();
        state.whenChanged(_ -> {
            throw new AssertionError("it is known");
        });
        state.enter(crawl("a", 2, CrawlState.INITIALIZED));
        state.enter(crawl("a", 1, CrawlState.INITIALIZING));
        assertThat(state.changes()).isEqualTo(before);
        assertThat(state.crawls()).isSameAs(crawls);
    }

    @Test
    void whatIsSaidOfARunIsReadBeforeItsCrawlIsUnknown() throws InterruptedException {
        CrawlStatus second = CrawlStatus.of(CrawlRun.parse("a/2"), 3, CrawlDefinition.of(List.of()),
                CrawlState.INITIALIZED);
        state.enter(crawl("a", 1, CrawlState.STARTED));
        control.stands(second);
        assertThat(state.asOf(CrawlRun.parse("a/1"))).map(CrawlStatus::version).contains(1L);
        assertThat(control.refreshes()).isZero();
        assertThat(state.asOf(second.run())).contains(second);
        Deleted deleted = new Deleted(second.run(), 4, Instant.EPOCH);
        state.enter(deleted);
        assertThat(state.asOf(second.run())).as("deleted").isEmpty();
        assertThat(control.refreshes()).isOne();
    }

    @Test
    void whoeverListensIsToldOfEachRecordThatIsEntered() {
        List<ControlRecord> told = new ArrayList<>();
        state.whenChanged(told::add);
        CrawlStatus record = crawl("a", 1, CrawlState.INITIALIZED);
        long before = state.changes();
        state.enter(record);
        assertThat(told).containsExactly(record);
        assertThat(state.changes()).isGreaterThan(before);
    }
}
