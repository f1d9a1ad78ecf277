package io.trawl.downloader.fetch.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.PoliteExchanges;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.robots.CachedRobots;
import io.trawl.downloader.robots.EmptyRobotsStore;
import io.trawl.model.Body;
import io.trawl.model.FetchOptions;
import io.trawl.definition.FetchStyle;
import io.trawl.model.HostKey;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The pauses between the exchanges of one page, when its robots.txt must be looked up between two of them. */
class PoliteExchangesTest extends FetchFixture {
    private static final Duration DELAY = Duration.ofSeconds(1);
    private final ManualTime time = ManualTime.flowing();

    /** The fleet's cache, which has this file of every host. */
    private record FleetFile(String text) implements RobotsStore {
        @Override
        public Optional<StoredRobots> find(HostKey host, String token) {
            return Optional.of(new StoredRobots(
                    new RobotsAnswer.File("text/plain", false, new Body(text.getBytes(UTF_8))), Duration.ofHours(1)));
        }

        @Override
        public void keep(HostKey host, String token, RobotsAnswer answer, Duration believed) {
            throw new AssertionError("no site was asked for it");
        }
    }

    /** Fetches a page, looks robots.txt up, and fetches another. */
    private RawServer twoPages(RobotsStore fleet) throws IOException, InterruptedException {
        RawServer server = server(turn -> turn.answer("200 OK", ""));
        FetchBounds bounds = new FetchBounds(fetcher, new CachedRobots(fetcher.web(), fleet, Duration.ofHours(1), time),
                new Politeness(0, Duration.ofMinutes(1)), BodyMemory.of(64 << 20, 64, Time.system()),
                settings(Map.of()).downloader(), time);
        PoliteExchanges exchanges = new PoliteExchanges(bounds, new HostKey("127.0.0.1:" + server.port()),
                new FetchProfile("Trawl-Test/1.0").withDelay(DELAY), () -> true);
        exchanges.exchange(request(server.url("/1"), FetchOptions.NONE));
        assertThat(exchanges.allowed(server.url("/2"))).isTrue();
        exchanges.exchange(request(server.url("/2"), FetchOptions.NONE));
        return server;
    }

    @Test
    void aRequestForRobotsTxtIsAnExchangeWithAPauseOfItsOwn() throws Exception {
        assertThat(twoPages(new EmptyRobotsStore()).heads()).hasSize(3);
        assertThat(time.pauses()).containsExactly(DELAY, DELAY);
    }

    @Test
    void aLookUpThatTheFleetAnswersCostsNoPause() throws Exception {
        assertThat(twoPages(new FleetFile("")).heads()).hasSize(2);
        assertThat(time.pauses()).containsExactly(DELAY);
    }

    @Test
    void theCrawlDelayThatTheFleetKnowsHoldsSinceTheLastExchange() throws Exception {
        twoPages(new FleetFile("User-agent: *\nCrawl-delay: 5\n"));
        assertThat(time.pauses()).containsExactly(DELAY, Duration.ofSeconds(4));
    }
}
