package io.trawl.testkit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValueException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogPlanTest {
    private static final List<BacklogShare> SHARES = List.of(BacklogShare.parse("1x6"), BacklogShare.parse("3x4@2"));

    @Test
    void everyPageOfEveryHostOccursOnce() {
        for (boolean mixed : new boolean[]{false, true}) {
            List<String> all = visits(new BacklogPlan(SHARES, mixed));
            assertThat(all).hasSize(18).doesNotHaveDuplicates().contains("0/0@0", "0/5@0", "1/0@2", "3/3@2");
        }
    }

    @Test
    void mixedSharesAreSpreadOverTheWholeLog() {
        List<String> all = visits(new BacklogPlan(SHARES, true));
        for (int third = 0; third < 3; third++) {
            assertThat(all.subList(third * 6, third * 6 + 6).stream().filter(v -> v.startsWith("0/"))).hasSize(2);
        }
    }

    @Test
    void listedSharesFollowEachOther() {
        assertThat(visits(new BacklogPlan(SHARES, false)).subList(0, 6)).allMatch(v -> v.startsWith("0/"));
    }

    @Test
    void aWrongShareIsRefusedWithTheRule() {
        assertThatThrownBy(() -> BacklogShare.parse("10")).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("HOSTSxREQUESTS");
    }

    private static List<String> visits(BacklogPlan backlogPlan) {
        List<String> all = new ArrayList<>();
        backlogPlan.forEach((host, page, priority) -> all.add(host + "/" + page + "@" + priority));
        return all;
    }
}
