package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.api.Counts;
import io.trawl.coordinator.queue.StageRates;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.SlotCount;
import io.trawl.module.SlotCount.Bound;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdviceTest {
    private static final Map<ModuleKind, Integer> PARTITIONS = Map.of(ModuleKind.DOWNLOADER, 8, ModuleKind.ANALYZER, 12,
            ModuleKind.PIPELINE, 4);
    private static final Registration ANALYZER = module("A1", Phase.RUNNING, 0, 0);
    private static final Registration PIPELINE = module("P1", Phase.RUNNING, 0, 0);
    private StageRates rates = new StageRates();
    private final List<Registration> live = new ArrayList<>();

    private static Registration module(String mid, StageState state, long done, long handling) {
        return downloader(mid, state, done, handling, Optional.empty());
    }

    private static Registration downloader(String mid, StageState state, long done, long handling,
            Optional<SlotCount> slots) {
        return new Registration(MID.parse(mid + "|a:1"), 0,
                new Counts(done + handling, done + handling, done, 0, 0, handling), Instant.EPOCH, Map.of(), state,
                List.of(), Optional.empty(), Optional.empty(), slots, Optional.empty(), Optional.empty(), List.of(),
                Map.of());
    }

    private void second(int second, Registration... modules) {
        live.clear();
        live.addAll(List.of(modules));
        rates.seen(live, Instant.ofEpochSecond(second), second * 1_000_000_000L);
    }

    private Advice advice(long waiting) {
        return Advice.of(live, rates.latest(), PARTITIONS, waiting).orElseThrow();
    }

    @Test
    void analyzersThatHoldDownloadersAreTheLimitAndTheirShareOfTheSupplySaysHowManyMoreWouldDo() {
        long fetched = 0;
        for (int i = 0; i <= 30; i++) {
            // It holds two of three seconds.
            StageState state = i % 6 < 2 ? Phase.RUNNING : new HoldingFor(HoldReason.ANALYZERS);
            fetched += i % 6 == 1 ? 180 : 0;
            second(i, module("D1", state, fetched, 5), module("A1", Phase.RUNNING, 61L * i, 1));
        }
        second(31, module("D1", new HoldingFor(HoldReason.ANALYZERS), fetched, 5),
                module("A1", Phase.RUNNING, 61L * 31, 1));
        Advice advice = advice(1000);
        assertThat(advice.limit()).isEqualTo(ModuleKind.ANALYZER);
        assertThat(advice.more()).contains(2);
        assertThat(advice.text())
                .isEqualTo("analyzers are the limit: 61 of 180 responses/s; 2 more would do; 12 partitions allow 12");
    }

    @Test
    void moreProcessesThanPartitionsAreNotAdvised() {
        for (int i = 0; i <= 3; i++) {
            second(i, module("A1", Phase.RUNNING, 1000L * i, 1), module("P1", Phase.RUNNING, 10L * i, 0));
        }
        second(4, module("A1", new HoldingFor(HoldReason.PIPELINES), 4000, 1), module("P1", Phase.RUNNING, 40, 0));
        assertThat(advice(1000).text())
                .isEqualTo("pipelines are the limit: 10 of 1000 items/s; 3 more would do; 4 partitions allow 4");
    }

    private String adviceWith(StageState state, int used, int waiting, Bound limit) {
        return adviceBeside(ANALYZER, state, used, waiting, limit);
    }

    private String adviceBeside(Registration analyzer, StageState state, int used, int waiting, Bound limit) {
        rates = new StageRates();
        for (int i = 0; i <= 4; i++) {
            second(i, downloader("D1", state, 50L * i, used, Optional.of(new SlotCount(64, used, waiting, limit))),
                    analyzer, PIPELINE);
        }
        return advice(1000).text();
    }

    @Test
    void theAdviceSaysWhetherSlotsBytesOrHostsAreMissing() {
        String slots = "downloaders are the limit: 50 requests/s with 64 of 64 slots in use; slots are missing: 9 hosts wait for one; ";
        String more = "; one more process would add about 50; 8 partitions allow 8";
        assertThat(adviceWith(Phase.RUNNING, 64, 9, Bound.SETTING))
                .isEqualTo(slots + "a larger TRAWL_DOWNLOADER_CONCURRENCY would help" + more);
        assertThat(adviceWith(Phase.RUNNING, 64, 9, Bound.MEMORY)).isEqualTo(slots + "more heap would help" + more);
        assertThat(adviceWith(Phase.RUNNING, 64, 9, Bound.DESCRIPTORS))
                .isEqualTo(slots + "a larger limit of open files would help" + more);
        assertThat(adviceWith(new HoldingFor(HoldReason.MEMORY), 20, 9, Bound.MEMORY))
                .isEqualTo("downloaders are the limit: "
                        + "50 requests/s with 20 of 64 slots in use; bytes are missing: bodies fill their part of the heap; more heap would help"
                        + more);
        String hosts = "the pauses and the speed of hosts are the limit: 50 requests/s with %d of 64 slots in use; "
                + "more processes would not be faster";
        assertThat(adviceWith(Phase.RUNNING, 3, 1, Bound.MEMORY)).isEqualTo(hosts.formatted(3));
        assertThat(adviceWith(Phase.RUNNING, 64, 0, Bound.MEMORY)).as("no host waits").isEqualTo(hosts.formatted(64));
        assertThat(
                adviceBeside(module("A1", new HoldingFor(HoldReason.MEMORY), 0, 0), Phase.RUNNING, 3, 1, Bound.MEMORY))
                .as("the bytes of an analyzer").isEqualTo(hosts.formatted(3));
    }

    @Test
    void aStageWithoutProcessesAndAStandstillAreNoMatterOfSpeed() {
        for (int i = 0; i <= 4; i++) {
            second(i, module("D1", Phase.RUNNING, 50L * i, 3), PIPELINE);
        }
        assertThat(Advice.of(live, rates.latest(), PARTITIONS, 1000)).isEmpty();

        StageRates standing = new StageRates();
        for (int i = 0; i <= 4; i++) {
            standing.seen(List.of(module("D1", Phase.RUNNING, 50, 0), ANALYZER, PIPELINE), Instant.ofEpochSecond(i),
                    i * 1_000_000_000L);
        }
        assertThat(Advice.of(List.of(module("D1", Phase.RUNNING, 50, 0), ANALYZER, PIPELINE), standing.latest(),
                PARTITIONS, 1000)).isEmpty();
    }

    @Test
    void withoutWorkThereIsNoAdvice() {
        second(0, module("D1", Phase.RUNNING, 0, 0));
        assertThat(Advice.of(live, rates.latest(), PARTITIONS, 0)).isEmpty();
    }
}
