package io.trawl.downloader.frontier.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlotTimeTest {
    private static long nanos(String duration) {
        return Duration.parse("PT" + duration).toNanos();
    }

    @Test
    void theFirstPageIsTheAverageAndEachLaterOneCountsAQuarter() {
        SlotTime first = SlotTime.UNKNOWN.page(nanos("1S"));
        assertThat(first.nanos()).isEqualTo(nanos("1S"));
        assertThat(first.page(nanos("5S")).nanos()).isEqualTo(nanos("2S"));
        assertThat(first.page(0).nanos()).isEqualTo(nanos("0.75S"));
    }

    @Test
    void robotsTxtShowsThatAHostIsSlowButNotThatItIsQuick() {
        assertThat(SlotTime.UNKNOWN.robots(nanos("0.001S"))).isEqualTo(SlotTime.UNKNOWN);
        assertThat(SlotTime.UNKNOWN.robots(nanos("30S")).nanos()).isEqualTo(nanos("30S"));
    }

    @Test
    void classesDoubleAndTheAgeOfAnExchangeCountsAsSoonAsItExceedsTheAverage() {
        SlotTime tenSeconds = new SlotTime(nanos("10S"));
        assertThat(new SlotTime(nanos("0.05S")).slotClass(0)).isEqualTo(6);
        assertThat(new SlotTime(nanos("0.1S")).slotClass(0)).isEqualTo(7);
        assertThat(tenSeconds.slotClass(nanos("9S"))).isEqualTo(14);
        assertThat(tenSeconds.slotClass(nanos("20S"))).isEqualTo(15);
        assertThat(new SlotTime(Long.MAX_VALUE / 4).slotClass(0)).isEqualTo(SlotTime.CLASSES - 1);
        assertThat(new SlotTime(0).slotClass(0)).isZero();
        assertThat(SlotTime.UNKNOWN.slotClass(0)).isBetween(new SlotTime(nanos("0.9S")).slotClass(0) + SlotTime.GAP,
                tenSeconds.slotClass(0) - SlotTime.GAP);
    }

    @Test
    void theLoadIsThePartOfTheTimeWithARequestInFlight() {
        assertThat(new SlotTime(nanos("1S")).load(0)).isEqualTo(SlotTime.WHOLE);
        assertThat(new SlotTime(nanos("1S")).load(nanos("3S"))).isEqualTo(SlotTime.WHOLE / 4);
        assertThat(new SlotTime(0).load(Long.MAX_VALUE)).isZero();
    }
}
