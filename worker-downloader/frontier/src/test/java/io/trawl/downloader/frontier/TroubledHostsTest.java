package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.trawl.downloader.frontier.inflight.TroubledHosts.HostTrouble;
import io.trawl.downloader.frontier.inflight.TroubledHosts.TroubleKind;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TroubledHostsTest {
    private static final Duration FAULT = Duration.ofSeconds(15);
    private final World world = new World(Map.of("trawl.downloader.back-off", "60s"), 3, 4, 10_000);

    private World fetching(String... urls) {
        world.assign(0);
        world.open("a", "b");
        for (String url : urls) {
            world.deliver(1, url);
        }
        return world.settle();
    }

    private List<HostTrouble> troubles() {
        return world.frontier.troubles(world.now).stream().filter(trouble -> trouble.crawl().isEmpty()).toList();
    }

    @Test
    void aHostIsSlowWhileItsRequestIsInFlightForFifteenSeconds() {
        fetching("http://a/1").later(FAULT.minusSeconds(1));
        assertThat(troubles()).isEmpty();
        world.later(Duration.ofSeconds(1));
        assertThat(troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(TroubleKind.SLOW);
            assertThat(trouble.waiting()).as("the request in flight waits for it").isOne();
            assertThat(trouble.lasts()).isEqualTo(FAULT);
        });
    }

    @Test
    void aHostIsSilentAlsoWhileItsOnlyRequestIsTriedAgainLater() {
        fetching("http://a/1", "http://b/1", "http://b/2");
        world.end(World.failure(FailureReason.TIMEOUT)).end(World.failure(FailureReason.TIMEOUT)).later(FAULT);
        assertThat(troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(TroubleKind.SILENT);
            assertThat(trouble.hosts()).isEqualTo(2);
            assertThat(trouble.waiting()).isEqualTo(3);
            assertThat(trouble.worst()).isEqualTo(new HostKey("b"));
            assertThat(trouble.cause()).isPresent();
        });
    }

    @Test
    void aHostWithoutRequestsIsInNobodysWay() {
        fetching("http://a/1").end(World.failure(FailureReason.TLS)).settle().acknowledge().later(FAULT);
        assertThat(troubles()).extracting(HostTrouble::worst).isEmpty();
    }

    @Test
    void theRobotsTxtOfARequestIsNoRequestOfItsOwn() {
        world.assign(0);
        world.deliver(1, "http://a/1");
        world.deliver(1, "http://a/2");
        world.answerAllLookUps().now += FAULT.toNanos();
        assertThat(world.loads).as("robots.txt is in flight").hasSize(1);
        assertThat(troubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(TroubleKind.SLOW);
            assertThat(trouble.waiting()).isEqualTo(2);
        });
    }

    @Test
    void aCrawlIsToldOfTheHostsThatHoldUpItsOwnRequests() {
        CrawlRun other = new CrawlRun(new CrawlId("other"), 3);
        world.crawls.put(other, World.terms(Duration.ZERO));
        fetching("http://a/1");
        world.deliver(new RequestPartition(1, 0), world.request(other, "http://b/1", 1, Optional.empty()));
        world.deliver(1, "http://a/2");
        world.settle().later(FAULT);
        assertThat(world.frontier.troubles(world.now))
                .extracting(HostTrouble::crawl, HostTrouble::worst, HostTrouble::waiting, HostTrouble::hosts)
                .containsExactlyInAnyOrder(tuple(Optional.empty(), new HostKey("a"), 3L, 2),
                        tuple(Optional.of(World.RUN.crawl()), new HostKey("a"), 2L, 1),
                        tuple(Optional.of(other.crawl()), new HostKey("b"), 1L, 1));
    }
}
