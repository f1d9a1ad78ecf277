package io.trawl.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class GcLogTest {
    @Test
    void countsCollectionsAndWhatWasAllocatedBetweenThem() {
        GcLog log = GcLog.of(List.of("[0.02s][info][gc] Using Parallel",
                "[0.45s][info][gc    ] GC(0) Pause Young (Allocation Failure) 80M->9M(300M) 6.241ms",
                "[0.45s][info][gc,cpu] GC(0) User=0.01s Sys=0.01s Real=0.01s",
                "[1.10s][info][gc    ] GC(1) Pause Young (Allocation Failure) 89M->70M(300M) 9.001ms",
                "[1.10s][info][gc,cpu] GC(1) User=0.02s Sys=0.00s Real=0.01s",
                "[1.20s][info][gc    ] GC(2) Pause Full (Ergonomics) 70M->30M(300M) 40.120ms",
                "[1.20s][info][gc,cpu] GC(2) User=0.06s Sys=0.00s Real=0.04s"));
        assertThat(log).isEqualTo(new GcLog(3, 1, Duration.ofMillis(100), 160L << 20));
    }
}
