package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The turns of a host are dealt between runs by their weights; within a run the first request comes first. */
class RunTurnsTest {
    private static final int EACH = 40;
    private static final RequestPartition PARTITION = new RequestPartition(1, 0);

    private static CrawlRun run(int number) {
        return new CrawlRun(new CrawlId("crawl" + number), 1);
    }

    private static World world(List<Integer> weights, int slots, long bodies) {
        World world = new World(Map.of(), 3, slots, 1_000_000, bodies);
        world.assign(0);
        for (int number = 0; number < weights.size(); number++) {
            world.crawls.put(run(number), World.terms(Duration.ZERO).withWeight(weights.get(number)));
        }
        return world;
    }

    private static void deliver(World world, int number, String host, int count) {
        world.open(host);
        for (int i = 0; i < count; i++) {
            world.deliver(PARTITION,
                    world.request(run(number), "http://" + host + "/" + number + "/" + i, 1, Optional.empty()));
        }
    }

    /** Fetches everything; returns the paths by host, as run and number. */
    private static Map<String, List<String[]>> fetchAll(World world) {
        Map<String, List<String[]>> fetched = new HashMap<>();
        for (world.settle(); !world.fetches.isEmpty(); world.endWithPage().settle().acknowledge()) {
            String[] parts = world.begun().getFirst().split("/");
            fetched.computeIfAbsent(parts[2], host -> new ArrayList<>()).add(new String[]{parts[3], parts[4]});
        }
        return fetched;
    }

    @Property(tries = 60)
    void eachRunWithRequestsHasItsShareOfTheTurnsOfAHostWithinOne(
            @ForAll @Size(min = 2, max = 5) List<@IntRange(min = 1, max = 10) Integer> weights,
            @ForAll @IntRange(min = 1, max = 3) int hosts, @ForAll @IntRange(min = 0, max = 2) int memory) {
        World world = world(weights, 64, new long[]{0, 20_000, 1 << 20}[memory]);
        for (int number = 0; number < weights.size(); number++) {
            for (int host = 0; host < hosts; host++) {
                deliver(world, number, "h" + host, EACH);
            }
        }
        Map<String, List<String[]>> fetched = fetchAll(world);
        assertThat(fetched).hasSize(hosts);
        fetched.values().forEach(turns -> isFair(turns, weights));
    }

    private static void isFair(List<String[]> turns, List<Integer> weights) {
        int[] got = new int[weights.size()];
        double[] due = new double[weights.size()];
        for (String[] turn : turns) {
            double waiting = 0;
            for (int number = 0; number < got.length; number++) {
                waiting += got[number] < EACH ? weights.get(number) : 0;
            }
            for (int number = 0; number < got.length; number++) {
                due[number] += got[number] < EACH ? weights.get(number) / waiting : 0;
            }
            int served = Integer.parseInt(turn[0]);
            assertThat(turn[1]).as("first in, first out").isEqualTo(Integer.toString(got[served]++));
            for (int number = 0; number < got.length && got[number] < EACH; number++) {
                assertThat(got[number] - due[number]).as("run " + number + " of " + weights).isBetween(-2.0, 2.0);
            }
            boolean all = true;
            for (int count : got) {
                all &= count < EACH;
            }
            for (int number = 0; number < got.length && all; number++) {
                assertThat(got[number] - due[number]).as("run " + number + " of " + weights).isBetween(-1.001, 1.001);
            }
        }
        assertThat(got).containsOnly(EACH);
    }

    @Test
    void aSmallCrawlDoesNotWaitBehindALargeOneOfItsPriority() {
        World world = world(List.of(1, 1), 4, 1 << 20);
        deliver(world, 0, "shared", 2500);
        world.settle();
        deliver(world, 1, "shared", 3);
        List<String> order = new ArrayList<>();
        for (int turn = 0; turn < 8; turn++) {
            order.add(world.settle().begun().getFirst());
            world.endWithPage().acknowledge();
        }
        assertThat(order.stream().filter(url -> url.contains("/1/"))).hasSize(3);
    }

    @Test
    void aChangedWeightHoldsAtOnce() {
        World world = world(List.of(1, 1), 4, 1 << 20);
        deliver(world, 0, "shared", 100);
        deliver(world, 1, "shared", 100);
        world.settle();
        world.crawls.put(run(1), World.terms(Duration.ZERO).withWeight(9));
        world.crawlsChanged(List.of());
        int second = 0;
        for (int turn = 0; turn < 50; turn++) {
            second += world.settle().begun().getFirst().contains("/1/") ? 1 : 0;
            world.endWithPage().acknowledge();
        }
        assertThat(second).isBetween(43, 46);
    }

    @Test
    void slotsAreDividedByWeight() {
        World world = world(List.of(3, 1), 64, 16 << 20);
        for (int host = 0; host < 200; host++) {
            deliver(world, 0, "www.a" + host + ".test:80", 3);
            deliver(world, 1, "www.b" + host + ".test:80", 3);
        }
        for (int turns = 0; turns < 300; turns++) {
            world.settle();
            if (turns > 100) {
                assertThat(world.begun().stream().filter(url -> url.contains("/0/")).count()).isBetween(44L, 50L);
            }
            world.endWithPage();
        }
    }

    @Test
    void aQuestionAboutARequestNamesTheRunsBeforeIt() {
        World world = world(List.of(3, 1), 4, 1 << 20);
        deliver(world, 0, "shared", 100);
        deliver(world, 1, "shared", 10);
        world.settle();
        Map<String, Long> ahead = world.frontier
                .look(new HostKey("shared"), 0, run(1), Optional.of("http://shared/1/4"), world.now).request()
                .orElseThrow().aheadByRun();
        assertThat(ahead).containsEntry("crawl1/1", 4L).containsOnlyKeys("crawl0/1", "crawl1/1");
        assertThat(ahead.get("crawl0/1")).isBetween(12L, 16L);
        assertThat(world.frontier.look(new HostKey("shared"), 0, run(1), Optional.empty(), world.now).host()
                .pendingByRun()).isEqualTo(Map.of("crawl0/1", 99L, "crawl1/1", 10L));
    }

    @Test
    void anotherFrontierDealsTheSameTurnsFromTheSameLog() {
        List<List<String>> orders = new ArrayList<>();
        for (long bodies : new long[]{0, 1 << 20}) {
            World world = world(List.of(2, 5, 1), 4, bodies);
            for (int i = 0; i < 3; i++) {
                deliver(world, i, "shared", EACH);
            }
            orders.add(fetchAll(world).getOrDefault("shared", List.of()).stream().map(turn -> turn[0] + "/" + turn[1])
                    .toList());
        }
        assertThat(orders.getFirst()).isEqualTo(orders.getLast());
    }
}
