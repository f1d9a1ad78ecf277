package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.DirectFetch.DirectFetchResult;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names are looked up before the turns of their requests, and those that take long delay only themselves. */
class NameLookupsTest {
    private static final Duration LOOK_UP = Duration.ofSeconds(2);
    private final World world = new World().open("a:80", "b:80", "c:80");

    @Test
    void aRequestHasItsTurnWhenItsNameIsLookedUpAndTakesNoSlotUntilThen() {
        world.unknownNames.add("a");
        world.deliver(1, "http://a:80/1");
        assertThat(world.settle().begun()).isEmpty();
        assertThat(world.resolves).extracting(FrontierAction.ResolveNames::names).containsExactly(List.of("a"));
        assertThat(world.frontier.status(world.now))
                .matches(status -> status.slotsUsed() == 0 && status.resolving() == 1);
        assertThat(world.later(Duration.ofMinutes(5)).resolves).as("one look-up").hasSize(1);
        assertThat(world.resolve(true).begun()).containsExactly("http://a:80/1");
    }

    @Test
    void robotsIsNotLoadedBefore() {
        world.unknownNames.add("new");
        world.deliver(1, "http://new:80/1");
        world.settle();
        assertThat(world.all).noneMatch(FrontierAction.LoadRobots.class::isInstance);
        assertThat(world.resolve(true).all).anyMatch(FrontierAction.LoadRobots.class::isInstance);
    }

    @Test
    void whatWasFoundCountsForTheTurnHoweverLongThatWaits() {
        World one = new World(Map.of(), 3, 1, 10_000).open("a:80", "b:80");
        one.assign(0);
        one.deliver(1, "http://b:80/1");
        one.settle();
        one.unknownNames.add("a");
        one.deliver(1, "http://a:80/1");
        one.settle().resolve(false);
        one.later(Duration.ofMinutes(5)).endWithPage().settle();
        assertThat(one.begun()).containsExactly("http://a:80/1");
        assertThat(one.all).filteredOn(FrontierAction.ResolveNames.class::isInstance).hasSize(1);
    }

    @Test
    void aRetryLooksTheNameUpAgain() {
        world.unknownNames.add("a");
        world.deliver(1, "http://a:80/1");
        world.settle().resolve(false).end(World.failure(FailureReason.DNS)).settle();
        assertThat(world.later(Duration.ofMinutes(1)).begun()).isEmpty();
        assertThat(world.resolves).hasSize(1);
        assertThat(world.resolve(true).begun()).hasSize(1);
    }

    @Test
    void whatIsAnsweredWithoutAFetchNeedsNoName() {
        world.unknownNames.add("a");
        world.facts.put("http://a:80/seen", UrlFacts.responded(0, 8));
        world.deliver(1, "http://a:80/seen");
        world.settle();
        assertThat(world.sendAnswers).hasSize(1);
    }

    @Test
    void throughAProxyItsNameIsLookedUpAndNotThatOfTheHost() {
        world.unknownNames.addAll(List.of("a", "proxy.test"));
        Request request = world.request(World.RUN, "http://a:80/1", 1, Optional.empty());
        world.deliver(new RequestPartition(1, 0),
                RequestBuilder.builder().id(request.id()).run(request.run()).url(request.url()).host(request.host())
                        .depth(1).domains(1).options(FetchOptions.NONE.withProxy(Optional.of("http://proxy.test:3128")))
                        .build());
        world.settle();
        assertThat(world.resolves).extracting(FrontierAction.ResolveNames::names)
                .containsExactly(List.of("proxy.test"));
        assertThat(world.resolve(true).begun()).hasSize(1);
    }

    @Test
    void aPreviewWaitsForItsNameWithoutASlot() {
        List<DirectFetchResult> results = new ArrayList<>();
        world.unknownNames.add("a");
        world.frontier.fetchDirectly(
                new DirectFetch(world.request(World.RUN, "http://a:80/1", 0, Optional.empty()),
                        new FetchProfile("Probe/1"), Duration.ZERO, 0, true, Duration.ofMinutes(1), results::add),
                world.now);
        assertThat(world.settle().begun()).isEmpty();
        assertThat(world.later(LOOK_UP).resolves).hasSize(1);
        assertThat(world.frontier.status(world.now).slotsUsed()).isZero();
        assertThat(world.resolve(false).begun()).containsExactly("http://a:80/1");
    }

    @Test
    void aHostWhosePartitionIsRevokedIsForgottenWhenItsLookUpEnds() {
        world.unknownNames.add("a");
        world.deliver(1, "http://a:80/1");
        world.settle();
        world.frontier.revoked(0, world.now);
        assertThat(world.resolve(true).begun()).isEmpty();
        assertThat(world.later(Duration.ofHours(1)).frontier.status(world.now).hosts()).isZero();
    }

    /** A page of a live host takes 100 ms, a look-up of a dead name 2 s, and its fetch after that no time. */
    @Test
    void besideATenthOfNamesWithoutAnAnswerTheOthersKeepTheirRate() {
        int alone = pagesInTwentySeconds(0);
        assertThat(alone).as("all slots are used").isEqualTo(4 * 200);
        assertThat(pagesInTwentySeconds(9)).as("a tenth").isGreaterThanOrEqualTo(alone * 95 / 100);
        assertThat(pagesInTwentySeconds(500)).as("more than are prepared at a time")
                .isGreaterThanOrEqualTo(alone * 95 / 100);
    }

    private static int pagesInTwentySeconds(int dead) {
        World busy = new World(
                Map.of("trawl.downloader.give-up-failures", "0", "trawl.downloader.retries-failure", "9",
                        "trawl.downloader.back-off", "10ms", "trawl.downloader.longest-pause", "10ms"),
                3, 4, 1_000_000, 16 << 20);
        busy.assign(0);
        for (int i = 0; i < dead; i++) {
            busy.open("dead" + i + ":80").unknownNames.add("dead" + i);
            busy.deliver(1, "http://dead" + i + ":80/1");
        }
        for (int i = 0; i < 80; i++) {
            busy.open("live" + i + ":80");
            for (int page = 0; page < 20; page++) {
                busy.deliver(1, "http://live" + i + ":80/" + page);
            }
        }
        busy.settle();
        int pages = 0;
        for (int tenth = 1; tenth <= 200; tenth++) {
            busy.now += Duration.ofMillis(100).toNanos();
            for (int left = busy.fetches.size(); left > 0; left--, pages++) {
                busy.endWithPage();
            }
            busy.acknowledge();
            if (tenth % 20 == 0) {
                busy.resolve(false);
            }
            busy.settle();
            endDead(busy);
        }
        return pages;
    }

    private static void endDead(World busy) {
        for (Optional<FrontierAction.BeginFetch> dead = dead(busy); dead.isPresent(); dead = dead(busy)) {
            busy.fetches.remove(dead.get());
            busy.frontier.fetched(dead.get().ticket(), World.failure(FailureReason.DNS), busy.now);
            busy.settle();
        }
    }

    private static Optional<FrontierAction.BeginFetch> dead(World busy) {
        return busy.fetches.stream().filter(fetch -> fetch.request().url().contains("dead")).findFirst();
    }
}
