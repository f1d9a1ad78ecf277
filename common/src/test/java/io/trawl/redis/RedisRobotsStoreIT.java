package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisRobotsStoreIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final HostKey HOST = new HostKey("[::1]:8080");
    private static final Duration HOUR = Duration.ofHours(1);
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = REDIS.store(namespace);
    private final RobotsStore robots = store.robots();

    @AfterEach
    void close() {
        store.close();
    }

    private static byte[] noise(int length) {
        byte[] bytes = new byte[length];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    static Stream<RobotsAnswer> answers() {
        return Stream.of(new RobotsAnswer.None(),
                new RobotsAnswer.File("text/plain; charset=utf-8", true, new Body(new byte[0])),
                new RobotsAnswer.File("", false,
                        new Body("User-agent: *\nDisallow: /\n".getBytes(StandardCharsets.UTF_8))),
                new RobotsAnswer.File("x", false,
                        new Body("Disallow: /a\n".repeat(RobotsAnswer.LIMIT / 13).getBytes(StandardCharsets.UTF_8))),
                new RobotsAnswer.File("x", true, new Body(noise(400 * 1024))),
                new RobotsAnswer.Unreachable(new Outcome.HttpError(503), Optional.of(Duration.ofSeconds(90))),
                new RobotsAnswer.Unreachable(new Outcome.Failure(FailureReason.CONNECT, "refused\nby whom"),
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void aStoredAnswerIsFoundByteForByteWithItsRemainingTime(RobotsAnswer answer) {
        robots.keep(HOST, "trawl", answer, HOUR);
        try (RedisStore other = REDIS.store(namespace)) {
            RobotsStore.StoredRobots storedRobots = other.robots().find(HOST, "trawl").orElseThrow();
            assertThat(storedRobots.answer()).usingRecursiveComparison().withEqualsForType(Arrays::equals, byte[].class)
                    .isEqualTo(answer);
            assertThat(storedRobots.left()).isBetween(HOUR.minusMinutes(1), HOUR);
        }
    }

    @Test
    void aLongFileIsCompressed() {
        robots.keep(HOST, "trawl", new RobotsAnswer.File("x", false,
                new Body("Disallow: /some/path\n".repeat(20_000).getBytes(StandardCharsets.UTF_8))), HOUR);
        String key = REDIS.keys(namespace + "*").getFirst();
        assertThat(Integer.parseInt(REDIS.command("STRLEN " + key))).isLessThan(5000);
    }

    @Test
    void aFileThatStaysTooLongWhenPackedIsNotStored() {
        robots.keep(HOST, "trawl", new RobotsAnswer.File("x", true, new Body(noise(RobotsAnswer.LIMIT))), HOUR);
        assertThat(robots.find(HOST, "trawl")).isEmpty();
    }

    @Test
    void eachHostAndEachCrawlerHasItsOwnAnswer() {
        robots.keep(HOST, "trawl", new RobotsAnswer.None(), HOUR);
        assertThat(robots.find(HOST, "other")).isEmpty();
        assertThat(robots.find(new HostKey("[::1]:8081"), "trawl")).isEmpty();
        robots.keep(HOST, "trawl", new RobotsAnswer.Unreachable(new Outcome.HttpError(500), Optional.empty()), HOUR);
        assertThat(robots.find(HOST, "trawl").orElseThrow().answer()).isInstanceOf(RobotsAnswer.Unreachable.class);
    }

    @Test
    void anAnswerExpires() {
        robots.keep(HOST, "trawl", new RobotsAnswer.None(), Duration.ofMillis(300));
        robots.keep(HOST, "other", new RobotsAnswer.None(), Duration.ZERO);
        assertThat(robots.find(HOST, "other")).isEmpty();
        Awaitility.await().until(() -> REDIS.keys(namespace + "*").isEmpty());
        assertThat(robots.find(HOST, "trawl")).isEmpty();
    }

    @Test
    void anUnreadableAnswerCountsAsAbsent() {
        robots.keep(HOST, "trawl", new RobotsAnswer.None(), HOUR);
        String key = REDIS.keys(namespace + "*").getFirst();
        REDIS.command("SET " + key + " nonsense EX 100");
        assertThat(robots.find(HOST, "trawl")).isEmpty();
    }
}
