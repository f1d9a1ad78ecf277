package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.frontier.inflight.TroubledHosts.HostTrouble;
import io.trawl.downloader.frontier.inflight.TroubledHosts.TroubleKind;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.Map;
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

    @Test
    void aHostIsSlowWhileItsRequestIsInFlightForFifteenSeconds() {
        fetching("http://a/1").later(FAULT.minusSeconds(1));
        assertThat(world.frontier.troubles(world.now)).isEmpty();
        world.later(Duration.ofSeconds(1));
        assertThat(world.frontier.troubles(world.now)).singleElement().satisfies(trouble -> {
            assertThat(trouble.kind()).isEqualTo(TroubleKind.SLOW);
            assertThat(trouble.waiting()).as("the request in flight waits for it").isOne();
            assertThat(trouble.lasts()).isEqualTo(FAULT);
        });
    }

    @Test
    void aHostIsSilentAlsoWhileItsOnlyRequestIsTriedAgainLater() {
        fetching("http://a/1", "http://b/1", "http://b/2");
        world.end(World.failure(FailureReason.TIMEOUT)).end(World.failure(FailureReason.TIMEOUT)).later(FAULT);
        assertThat(world.frontier.troubles(world.now)).singleElement().satisfies(trouble -> {
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
        assertThat(world.frontier.troubles(world.now)).extracting(HostTrouble::worst).isEmpty();
    }
}
