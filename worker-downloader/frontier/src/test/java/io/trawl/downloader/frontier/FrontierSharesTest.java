package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trawl.ledger.UrlFacts;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The guarantees of shares over long runs in which every priority always has requests. */
class FrontierSharesTest {
    private static final Offset<Double> ONE_PERCENT = within(0.01);
    private final Map<String, String> settings = Map.of("trawl.downloader.shares", "90,7,3");
    private World world = world(1 << 20, 4);

    private World world(long bodies, int slots) {
        World fresh = new World(settings, 3, slots, 1_000_000, bodies);
        fresh.assign(0);
        return fresh;
    }

    /** Delivers this many requests per level at each of these hosts. */
    private void fill(int level, String hosts, int count, int each) {
        for (int i = 0; i < each; i++) {
            for (int h = 0; h < count; h++) {
                world.open(hosts + h).deliver(level, "http://" + hosts + h + "/" + level + "/" + i);
            }
        }
    }

    /** The proportions of this many fetches by level, according to their paths. */
    private double[] parts(int fetches) {
        double[] parts = new double[3];
        world.settle();
        for (int i = 0; i < fetches; i++) {
            parts[world.fetches.getFirst().request().url().split("/")[3].charAt(0) - '0'] += 1.0 / fetches;
            world.endWithPage().later(Duration.ofMillis(1)).acknowledge();
        }
        return parts;
    }

    private static void isFair(double[] parts) {
        assertThat(parts[2]).as(Arrays.toString(parts)).isCloseTo(0.90, ONE_PERCENT);
        assertThat(parts[1]).as(Arrays.toString(parts)).isCloseTo(0.07, ONE_PERCENT);
        assertThat(parts[0]).as(Arrays.toString(parts)).isCloseTo(0.03, ONE_PERCENT);
    }

    @Test
    void hostsOfDifferentPrioritiesShareTheSlots() {
        fill(0, "low", 100, 3);
        fill(1, "middle", 100, 5);
        fill(2, "high", 100, 40);
        isFair(parts(3000));
    }

    @Test
    void sharesHoldWithManySlotsAndHostsThatHaveNotAnsweredYet() {
        world = world(16 << 20, 64);
        fill(0, "low", 300, 3);
        fill(1, "middle", 300, 5);
        fill(2, "high", 300, 40);
        isFair(parts(6000));
    }

    @Test
    void theRequestsOfAHostShareItsTurns() {
        fill(0, "only", 1, 200);
        fill(1, "only", 1, 400);
        fill(2, "only", 1, 3000);
        isFair(parts(2500));
    }

    @Test
    void theRequestsOfEachOfManyHostsShareItsTurns() {
        fill(0, "h", 7, 50);
        fill(1, "h", 7, 100);
        fill(2, "h", 7, 500);
        isFair(parts(2800));
    }

    @Test
    void sharesHoldWithOneSlot() {
        world = world(1 << 20, 1);
        fill(0, "low", 20, 10);
        fill(1, "middle", 20, 20);
        fill(2, "high", 20, 150);
        isFair(parts(2000));
    }

    @Test
    void sharesHoldWhenBodiesMustBeReadFirst() {
        world = world(20_000, 4);
        fill(0, "low", 30, 6);
        fill(1, "middle", 30, 10);
        fill(2, "high", 30, 60);
        fill(0, "all", 10, 6);
        isFair(parts(1500));
    }

    @Test
    void duplicatesTakeNothingFromTheShareOfTheirPriority() {
        fill(0, "low", 50, 10);
        fill(1, "middle", 50, 10);
        for (int i = 0; i < 80; i++) {
            for (int h = 0; h < 50; h++) {
                String url = "http://high" + h + "/2/" + i;
                if (i % 2 == 0) {
                    world.facts.put(url, UrlFacts.responded(0, 1));
                }
                world.open("high" + h).deliver(2, url);
            }
        }
        isFair(parts(1500));
    }

    @Test
    void aPriorityWithoutReadyRequestsLeavesItsTurnsToTheOthers() {
        fill(0, "low", 50, 30);
        fill(1, "middle", 50, 30);
        double[] parts = parts(1000);
        assertThat(parts[1]).isCloseTo(0.7, ONE_PERCENT);
        assertThat(parts[0]).isCloseTo(0.3, ONE_PERCENT);
        fill(2, "high", 50, 30);
        isFair(parts(1000));
    }

    @Test
    void anUrgentRequestDoesNotWaitForALowerOneOfItsHostAmongAMillion() {
        fill(0, "low", 300, 3);
        fill(0, "mixed", 1, 50);
        fill(2, "mixed", 1, 200);
        double[] parts = parts(200);
        assertThat(parts[2]).as("the one host of the highest priority has one fetch in flight at a time")
                .isGreaterThan(0.2);
    }

    @Test
    void noPriorityStarvesAtAHostWithADelayHoweverRegularItsTurnsAre() {
        world.crawls.put(World.RUN, World.terms(Duration.ofSeconds(1)));
        fill(0, "h", 3, 10);
        fill(2, "h", 3, 200);
        int[] low = new int[3];
        world.settle();
        for (int i = 0; i < 300; i++) {
            while (world.fetches.isEmpty()) {
                world.later(Duration.ofMillis(250));
            }
            HostKey host = world.fetches.getFirst().request().host();
            if (world.fetches.getFirst().request().url().contains("/0/")) {
                low[host.value().charAt(1) - '0']++;
            }
            world.endWithPage().settle().acknowledge();
        }
        assertThat(low).containsExactly(3, 3, 3);
    }
}
