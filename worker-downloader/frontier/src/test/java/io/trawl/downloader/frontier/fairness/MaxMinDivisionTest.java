package io.trawl.downloader.frontier.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MaxMinDivisionTest {
    @Test
    void aLargeDomainGetsWhatSmallOnesCannotUse() {
        MaxMinDivision division = new MaxMinDivision(64);
        division.changed(1, 0, 400);
        assertThat(division.part(1)).isEqualTo(64);
        for (int i = 0; i < 10; i++) {
            division.changed(1, 0, 1);
        }
        assertThat(division.part(1)).isEqualTo(54);
        division.changed(1, 0, 400);
        assertThat(division.part(1)).isEqualTo(27);
    }

    @Property(tries = 300)
    void theLevelIsTheLargestThatFits(@ForAll @Size(max = 40) List<@IntRange(min = 1, max = 100) Integer> demands,
            @ForAll @IntRange(min = 1, max = 70) int slots) {
        MaxMinDivision division = new MaxMinDivision(slots);
        demands.forEach(demand -> division.changed(1, 0, demand / 2));
        demands.forEach(demand -> division.changed(1, demand / 2, demand));
        int level = slots;
        while (used(demands, level) > slots) {
            level--;
        }
        assertThat(division.part(1)).isEqualTo(level);
        assertThat(division.parties()).isEqualTo(demands.size());
    }

    @Test
    void slotsAreDividedByWeight() {
        MaxMinDivision division = new MaxMinDivision(64);
        division.changed(3, 0, 400);
        division.changed(1, 0, 400);
        assertThat(division.part(3)).isEqualTo(48);
        assertThat(division.part(1)).isEqualTo(16);
        division.changed(3, 400, 10);
        assertThat(division.part(1)).as("what the other cannot use").isEqualTo(54);
    }

    private static int used(List<Integer> demands, int level) {
        return demands.stream().mapToInt(demand -> Math.min(demand, level)).sum();
    }
}
