package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.queue.CapacityRule;
import io.trawl.coordinator.queue.QueueWatch.BacklogReading;
import io.trawl.coordinator.summary.QueueSummary.Level;
import io.trawl.coordinator.summary.Traffic.LevelCounts;
import io.trawl.model.ModuleKind;
import io.trawl.model.RefusalReason;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ChangedPartitions;
import io.trawl.coordinator.summary.QueueSummary.Relaying;
import io.trawl.coordinator.text.QueueText;
import io.trawl.coordinator.text.Screen;
import io.trawl.model.PolitenessKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueueSummaryTest {
    private static final Traffic TRAFFIC = new Traffic(
            Map.of(2, new LevelCounts(20, 8, 12, 0), 0, new LevelCounts(9, 4, 3, 2)),
            Map.of(RefusalReason.CHANNEL_FULL, 5L, RefusalReason.ROBOTS, 7L));

    @Test
    void oneLineShowsHowFullEveryChannelIsAndOfItemsThoseThatAreNotRead() {
        QueueSummary summary = QueueSummary.of(Optional.of(new CapacityRule(1000, 3)),
                Optional.of(new BacklogReading(Instant.EPOCH, List.of(3L, 0L, 12L), List.of(), 40, 6, 9000, 5)),
                TRAFFIC, true, 20_000, 500, Map.of(), Optional.empty(), Optional.empty(), Set.of());
        assertThat(summary.line()).isEqualTo("status: started, requestChannel p2: 12/1000, requestChannel p1: 0/2000, "
                + "requestChannel p0: 3/3000, responseChannel: 40/20000, itemChannel: 6/500, errorChannel: 5/bounded");
        assertThat(summary.levels()).extracting(Level::priority).as("highest first").containsExactly(2, 1, 0);
        assertThat(summary.levels().getFirst())
                .isEqualTo(new Level(2, Optional.of(1000L), Optional.of(12L), 20, 8, 12, 0));
        assertThat(summary.items().unfinished()).contains(9000L);
        assertThat(summary.pushed()).isEqualTo(29);
        assertThat(summary.popped()).isEqualTo(12);
        assertThat(summary.refused()).containsExactly(Map.entry(RefusalReason.CHANNEL_FULL, 5L));
    }

    @Test
    void theLineNamesTheChannelsThatNobodyReads() {
        QueueSummary summary = QueueSummary.of(Optional.of(new CapacityRule(1000, 1)),
                Optional.of(new BacklogReading(Instant.EPOCH, List.of(3L), List.of(), 40, 6, 9, 5)), TRAFFIC, true,
                20_000, 500, Map.of(), Optional.empty(), Optional.empty(),
                Set.of(ModuleKind.DOWNLOADER, ModuleKind.ANALYZER, ModuleKind.PIPELINE));
        assertThat(summary.line()).isEqualTo("status: started, requestChannel p0: 3/1000 (no downloader), "
                + "responseChannel: 40/20000 (no analyzer), itemChannel: 6/500 (no pipeline), errorChannel: 5/bounded");
    }

    @Test
    void transactionMarkersDoNotMakeAChannelLongerThanWhatWaitsByTheLedger() {
        Optional<BacklogReading> reading = Optional
                .of(new BacklogReading(Instant.EPOCH, List.of(51L), List.of(), 0, 0, 0, 0));
        Traffic fifty = new Traffic(Map.of(0, new LevelCounts(50, 0, 50, 0)), Map.of());
        QueueSummary summary = QueueSummary.of(Optional.of(new CapacityRule(50, 1)), reading, fifty, true, 0, 0,
                Map.of(), Optional.empty(), Optional.empty(), Set.of());
        assertThat(summary.line()).contains("requestChannel p0: 50/50");
        assertThat(summary.levels().getFirst().backlog()).as("offsets").contains(51L);
        QueueSummary counted = QueueSummary.of(Optional.of(new CapacityRule(50, 1)), reading,
                new Traffic(Map.of(), Map.of()), true, 0, 0, Map.of(), Optional.of(new Counting(0, 50)),
                Optional.empty(), Set.of());
        assertThat(counted.line()).as("while the ledger is counted").contains("requestChannel p0: 51/50");
    }

    @Test
    void unknownValuesAreShownAsUnknown() {
        QueueSummary before = QueueSummary.of(Optional.empty(), Optional.empty(), new Traffic(Map.of(), Map.of()),
                false, 0, 0, Map.of(), Optional.empty(), Optional.empty(), Set.of());
        assertThat(before.line())
                .isEqualTo("status: uninitialized, responseChannel: ?/unlimited, itemChannel: ?/unlimited, "
                        + "errorChannel: ?/bounded");
        QueueSummary after = QueueSummary.of(Optional.of(new CapacityRule(0, 1)), Optional.empty(), TRAFFIC, false, 0,
                0, Map.of(), Optional.empty(), Optional.empty(), Set.of());
        assertThat(after.line()).startsWith("status: initialized, requestChannel p0: ?/unlimited");
    }

    @Test
    void whileTheRequestTopicsAreReplacedTheLineSaysHowMuchIsForwarded() {
        Channels old = ChannelsBuilder.builder().version(4).generation(1).levels(3).partitions(8)
                .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build();
        Channels now = old.replacedBy(2, 2, 32, Instant.EPOCH.minusSeconds(60), List.of(100L, 200L, 1000L))
                .open(Instant.EPOCH);
        BacklogReading reading = new BacklogReading(Instant.EPOCH.plusSeconds(10), List.of(40L, 300L),
                List.of(30L, 20L, 300L), 0, 0, 0, 0);
        QueueSummary summary = QueueSummary.of(Optional.of(new CapacityRule(0, 2)), Optional.of(reading), TRAFFIC, true,
                0, 0, Map.of(), Optional.empty(), Optional.of(now), Set.of());
        assertThat(summary.line())
                .startsWith("status: replacing g1->g2, requestChannel p1: 12/unlimited (forwarded 880/1200), "
                        + "requestChannel p0: 3/unlimited (forwarded 70/100), ");
        assertThat(summary.replacement().orElseThrow().secondsLeft())
                .as("950 in the 10 s since they are served, 350 are left").contains(3L);
        assertThat(summary.levels().getFirst()).as("requests of a level that is gone count for the nearest")
                .isEqualTo(new Level(1, Optional.empty(), Optional.of(300L), 20, 8, 12, 0));
    }

    @Test
    void whatAChangeOfTheChannelsTookIsToldWhenItIsDone() {
        Instant decided = Instant.EPOCH;
        Channels now = ChannelsBuilder.builder().version(4).generation(1).levels(3).partitions(8)
                .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()
                .replacedBy(2, 3, 32, decided, List.of()).open(decided.plusMillis(200))
                .replacementDone(880, decided.plusMillis(600)).closingResponses(16, decided.plusSeconds(2));
        assertThat(after(now).relaying()).contains(new Relaying(8, 16, decided.plusSeconds(2)));
        Channels done = now.openingResponses(List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L)).responsesHandled()
                .noting(new ChangedPartitions("responses", 8, 16, decided.plusSeconds(2), decided.plusSeconds(5)));
        QueueSummary queue = after(done);
        assertThat(queue.relaying()).isEmpty();
        assertThat(QueueText.of(queue, Screen.FILE)).containsSubsequence(
                "1970-01-01T00:00:05Z responses: 16 partitions instead of 8, done after 3s",
                "1970-01-01T00:00:00Z the request topics of generation 1 are replaced: nothing was fetched for 200ms, "
                        + "880 requests were forwarded in 400ms (2,200 a second)");
    }

    private static QueueSummary after(Channels channels) {
        return QueueSummary.of(Optional.of(new CapacityRule(0, 3)), Optional.empty(), TRAFFIC, true, 0, 0, Map.of(),
                Optional.empty(), Optional.of(channels), Set.of());
    }
}
