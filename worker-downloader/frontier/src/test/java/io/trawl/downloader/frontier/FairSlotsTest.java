package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.trap.SpiderTraps.HostOfRun;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Slots are shared fairly among domains, crawls and groups of hosts, and none is idle without need. */
class FairSlotsTest {
    private static final int SLOTS = 64;
    private static final CrawlRun OTHER = new CrawlRun(new CrawlId("other"), 1);
    private final World world = new World(Map.of(), 3, SLOTS, 1_000_000, 16 << 20);

    FairSlotsTest() {
        world.assign(0);
        world.crawls.put(OTHER, World.terms(Duration.ZERO));
    }

    private void deliver(CrawlRun run, String host, int pages) {
        world.open(host);
        for (int i = 0; i < pages; i++) {
            world.deliver(new RequestPartition(1, 0),
                    world.request(run, "http://" + host + "/" + run.crawl() + i, 1, Optional.empty()));
        }
    }

    private long inFlight(String part) {
        return world.begun().stream().filter(url -> url.contains(part)).count();
    }

    @Test
    void manyHostsOfOneDomainLeaveSlotsToOthersThatComeLater() {
        for (int i = 0; i < 400; i++) {
            deliver(World.RUN, "h" + i + ".silent.test:80", 3);
        }
        for (int i = 0; i < 10; i++) {
            deliver(World.RUN, "www.honest" + i + ".test:80", 3);
        }
        world.settle();
        assertThat(inFlight("honest")).isEqualTo(10);
        assertThat(inFlight("silent")).isEqualTo(SLOTS - 10);
    }

    @Test
    void aDomainAloneHasAllSlots() {
        for (int i = 0; i < 400; i++) {
            deliver(World.RUN, "h" + i + ".big.test:80", 3);
        }
        world.settle();
        assertThat(world.fetches).hasSize(SLOTS);
        for (int port = 0; port < 100; port++) {
            deliver(World.RUN, "127.0.0.1:" + (8000 + port), 3);
        }
        assertThat(world.frontier.status(world.now).slotsUsed()).isEqualTo(SLOTS);
    }

    @Test
    void hostsOfOneAddressAloneHaveAllSlots() {
        for (int port = 0; port < 100; port++) {
            deliver(World.RUN, "127.0.0.1:" + (8000 + port), 3);
        }
        assertThat(world.settle().fetches).hasSize(SLOTS);
    }

    @Test
    void aLateDomainGetsSlotsAlthoughAnotherHoldsItsExchangesOpen() {
        for (int i = 0; i < 400; i++) {
            deliver(World.RUN, "h" + i + ".silent.test:80", 3);
        }
        deliver(World.RUN, "www.one.test:80", 1);
        world.settle();
        deliver(World.RUN, "www.late.test:80", 1);
        for (int i = 0; i < 20; i++) {
            deliver(World.RUN, "late" + i + ".test:80", 1);
        }
        world.settle();
        assertThat(inFlight("one")).isOne();
        // The one slot that max-min fairness did not give away, and then every one that becomes free.
        while (inFlight("late") < 21) {
            int silent = world.begun()
                    .indexOf(world.begun().stream().filter(url -> url.contains("silent")).findFirst().orElseThrow());
            world.frontier.fetched(world.fetches.remove(silent).ticket(), World.page(Duration.ZERO), world.now);
            long before = inFlight("silent");
            world.settle();
            assertThat(inFlight("silent")).as("no slot returns to the large domain").isEqualTo(before);
        }
    }

    @Test
    void twoCrawlsHaveHalfOfTheSlotsEach() {
        for (int i = 0; i < 400; i++) {
            deliver(World.RUN, "www.a" + i + ".test:80", 3);
            deliver(OTHER, "www.b" + i + ".test:80", 3);
            deliver(OTHER, "www.c" + i + ".test:80", 3);
        }
        for (int turns = 0; turns < 500; turns++) {
            world.settle();
            assertThat(world.fetches).hasSize(SLOTS);
            if (turns > 200) {
                assertThat(inFlight("docs")).as("after " + turns + " turns").isBetween(31L, 33L);
            }
            world.endWithPage();
        }
    }

    /** Hosts that answer robots.txt at once, and of which the pages are not known yet. */
    private void deliverTo(String name, int hosts, int pages) {
        for (int host = 0; host < hosts; host++) {
            for (int page = 0; page < pages; page++) {
                world.deliver(1, "http://www." + name + host + ".test:80/" + page);
            }
        }
    }

    /** Lets all exchanges end after that time, so often that each of these hosts is known. */
    private void pagesTake(Duration took, int hosts) {
        for (int ended = 0; ended < 2 * hosts; ended += SLOTS) {
            world.settle();
            world.now += took.toNanos();
            while (!world.fetches.isEmpty()) {
                world.end(World.page(took));
            }
        }
    }

    /** Ends pages of honest hosts at once; returns how many slots the others have had at least and at most. */
    private IntSummaryStatistics whileHonestHostsGoOn(int turns, int inFlight) {
        IntSummaryStatistics slow = new IntSummaryStatistics();
        for (int turn = 0; turn < turns; turn++) {
            world.later(Duration.ofMillis(1));
            assertThat(inFlight("honest")).as("after " + turn + " turns").isGreaterThanOrEqualTo(inFlight);
            slow.accept((int) inFlight("slow"));
            endFirst("honest");
        }
        return slow;
    }

    @Test
    void hostsWithSlowPagesLeaveASlotToEachQuickOneHoweverQuickTheirRobotsTxtIs() {
        deliverTo("slow", 100, 30);
        pagesTake(Duration.ofSeconds(10), 100);
        deliverTo("honest", 10, 60);
        IntSummaryStatistics slow = whileHonestHostsGoOn(500, 10);
        assertThat(slow.getMin()).as("and use all others").isEqualTo(SLOTS - 10);
    }

    @Test
    void hostsThatTimeOutLeaveASlotToEachQuickOneAlthoughTheyAreFew() {
        deliverTo("honest", 30, 60);
        pagesTake(Duration.ofMillis(5), 30);
        deliverTo("slow", 70, 30);
        world.settle();
        assertThat(inFlight("slow")).isEqualTo(SLOTS - 30);
        while (inFlight("honest") > 0) {
            endFirst("honest");
        }
        world.now += Duration.ofSeconds(30).toNanos();
        while (inFlight("slow") > 0) {
            int first = world.begun()
                    .indexOf(world.begun().stream().filter(url -> url.contains("slow")).findFirst().orElseThrow());
            world.frontier.fetched(world.fetches.remove(first).ticket(), World.failure(FailureReason.TIMEOUT),
                    world.now);
        }
        whileHonestHostsGoOn(500, 30);
    }

    @Test
    void slowHostsAloneHaveAllSlots() {
        deliverTo("slow", 100, 30);
        pagesTake(Duration.ofSeconds(10), 100);
        assertThat(world.settle().fetches).hasSize(SLOTS);
    }

    @Test
    void hostsThatHaveNotAnsweredYetLeaveSlotsToThoseThatHave() {
        for (int i = 0; i < 10; i++) {
            deliver(World.RUN, "www.honest" + i + ".test:80", 40);
        }
        world.settle();
        deliverTo("slow", 400, 3);
        for (int turns = 0; turns < 300; turns++) {
            world.settle();
            assertThat(inFlight("honest")).as("after " + turns + " turns").isEqualTo(10);
            endFirst("honest");
        }
        assertThat(inFlight("slow")).isEqualTo(SLOTS - 10);
    }

    @Test
    void slowAndUnknownHostsHaveASixteenthWhileQuickOnesUseAllSlots() {
        deliverTo("slow", 60, 30);
        pagesTake(Duration.ofSeconds(10), 60);
        deliverTo("honest", 120, 100);
        world.settle();
        while (world.begun().stream().filter(url -> url.contains("honest")).count() < SLOTS - 4) {
            endFirst(inFlight("slow") > 4 ? "slow" : "honest");
            world.later(Duration.ofMillis(1));
        }
        IntSummaryStatistics slow = whileHonestHostsGoOn(400, SLOTS - 5);
        deliverTo("slower", 400, 3);
        slow.combine(whileHonestHostsGoOn(400, SLOTS - 5));
        assertThat(slow.getMax()).isLessThanOrEqualTo(SLOTS / 16);
        assertThat(slow.getMin()).as("never less than one turn").isPositive();
    }

    @Test
    void aSlowHostThatBecomesQuickIsQuickAfterSomePages() {
        deliverTo("slow", 100, 30);
        pagesTake(Duration.ofSeconds(10), 100);
        deliverTo("honest", 1, 300);
        world.settle();
        world.now += Duration.ofSeconds(10).toNanos();
        endFirst("honest");
        for (int page = 0; page < 20; page++) {
            while (inFlight("honest") == 0) {
                endFirst("slow");
                world.later(Duration.ofSeconds(1));
            }
            endFirst("honest");
        }
        whileHonestHostsGoOn(100, 1);
    }

    private void endFirst(String part) {
        int first = world.begun()
                .indexOf(world.begun().stream().filter(url -> url.contains(part)).findFirst().orElseThrow());
        world.frontier.fetched(world.fetches.remove(first).ticket(), World.page(Duration.ZERO), world.now);
    }

    @Test
    void aPostponedHostUsesSavedTurnsWhileAllCleanHostsPause() {
        deliver(World.RUN, "trap.test:80", 500);
        world.frontier.postpone(new HostOfRun(World.RUN, new HostKey("trap.test:80")), true, world.now);
        for (int i = 0; i < 100; i++) {
            deliver(World.RUN, "www.clean" + i + ".test:80", 30);
        }
        world.settle();
        int trap = 0;
        for (int turns = 0; turns < 1100; turns++) {
            endFirst("clean");
            trap += endTraps();
            world.later(Duration.ofMillis(1));
        }
        assertThat(trap).as("others are ready all the time").isLessThanOrEqualTo(1);
        world.crawls.put(World.RUN, World.terms(Duration.ofMinutes(1)));
        world.crawlsChanged(List.of());
        while (inFlight("clean") > 0) {
            endFirst("clean");
        }
        for (int turns = 0; turns < 20; turns++) {
            world.now += Duration.ofSeconds(2).toNanos();
            world.settle();
            trap += endTraps();
        }
        assertThat(trap).as("turns of about 1,200").isBetween(1, 10);
    }

    private int endTraps() {
        int ended = 0;
        for (; inFlight("trap") > 0; ended++) {
            endFirst("trap");
        }
        return ended;
    }

    @Test
    void aPostponedHostGetsUnderTwoPercentWhileOthersHaveRequestsAndThenAllItNeeds() {
        deliver(World.RUN, "trap.test:80", 500);
        deliver(World.RUN, "www.clean.test:80", 2000);
        world.frontier.postpone(new HostOfRun(World.RUN, new HostKey("trap.test:80")), true, world.now);
        int clean = 0;
        int trap = 0;
        world.settle();
        while (clean < 2000) {
            assertThat(world.begun()).isNotEmpty();
            if (world.begun().getFirst().contains("clean")) {
                clean++;
            } else {
                trap++;
            }
            world.endWithPage().settle();
        }
        assertThat(trap).isBetween(10, 40);
        while (!world.fetches.isEmpty()) {
            trap++;
            world.endWithPage().settle();
        }
        assertThat(trap).as("never refused").isEqualTo(500);
    }

    @Test
    void aHostThatIsNoLongerPostponedIsAskedAgain() {
        HostOfRun host = new HostOfRun(World.RUN, new HostKey("trap.test:80"));
        world.frontier.postpone(host, true, world.now);
        deliver(World.RUN, "www.clean.test:80", 10);
        world.settle();
        deliver(World.RUN, "trap.test:80", 10);
        deliver(World.RUN, "trap2.test:80", 10);
        world.frontier.postpone(new HostOfRun(World.RUN, new HostKey("trap2.test:80")), true, world.now);
        world.settle();
        assertThat(world.frontier.status(world.now).postponed()).isEqualTo(2);
        assertThat(inFlight("trap")).as("one turn of a hundred").isLessThanOrEqualTo(1);
        world.frontier.postpone(host, false, world.now);
        assertThat(world.settle().begun()).anyMatch(url -> url.contains("trap.test"));
    }

    @Property(tries = 50)
    void everyRequestIsFetchedWhateverTheSharesAre(@ForAll @IntRange(min = 1, max = 6) int domains,
            @ForAll @IntRange(min = 1, max = 12) int hosts, @ForAll @IntRange(min = 1, max = 9) int slots,
            @ForAll @IntRange(max = 1) int cramped) {
        World small = new World(Map.of(), 3, slots, 100_000, cramped == 0 ? 0 : 1 << 20);
        small.assign(0);
        small.crawls.put(OTHER, World.terms(Duration.ZERO));
        for (int page = 0; page < 4; page++) {
            for (int d = 0; d < domains; d++) {
                for (int h = 0; h < hosts; h++) {
                    String host = "h" + h + ".d" + d + ".test:80";
                    small.open(host);
                    small.deliver(new RequestPartition(page % 3, 0), small.request(page % 2 == 0 ? World.RUN : OTHER,
                            "http://" + host + "/" + page, 1, Optional.empty()));
                }
            }
        }
        for (int d = 0; d < domains; d += 2) {
            small.frontier.postpone(new HostOfRun(World.RUN, new HostKey("h0.d" + d + ".test:80")), true, small.now);
        }
        int fetched = 0;
        for (small.settle(); !small.fetches.isEmpty(); small.endWithPage().settle()) {
            fetched++;
            assertThat(small.fetches).hasSizeLessThanOrEqualTo(slots);
        }
        assertThat(fetched).isEqualTo(4 * domains * hosts);
        assertThat(small.frontier.status(small.now).limited()).isZero();
    }
}
