package io.trawl.downloader.robots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.robots.LocalRobotsCache.Kept;
import io.trawl.downloader.robots.LocalRobotsCache.Key;
import io.trawl.model.Body;
import io.trawl.model.HostKey;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LocalRobotsCacheTest {
    private static Key key(int n) {
        return new Key(new HostKey("host" + n + ":80"), "trawl");
    }

    private static Kept file(int rules) {
        String text = "User-agent: *\n" + IntStream.range(0, rules)
                .mapToObj(i -> "Disallow: /a/path/of/some/length/" + i + "\n").collect(Collectors.joining());
        return new Kept(RobotsParser.parse(new Body(text.getBytes(UTF_8)), false, "text/plain", "trawl"), 0, 1);
    }

    @Test
    void theLeastUsedGoesFirstWhenThereAreTooMany() {
        LocalRobotsCache memory = new LocalRobotsCache(3, 1 << 20);
        for (int i = 0; i < 3; i++) {
            memory.put(key(i), file(1));
        }
        memory.known(key(0));
        memory.put(key(3), file(1));
        assertThat(memory.known(key(1))).isEmpty();
        assertThat(memory.known(key(0))).isPresent();
    }

    @Test
    void longFilesPushOutMoreThanShortOnes() {
        LocalRobotsCache memory = new LocalRobotsCache(1000, 20_000);
        for (int i = 0; i < 20; i++) {
            memory.put(key(i), file(1));
        }
        assertThat(memory.known(key(0))).isPresent();
        memory.put(key(20), file(400));
        assertThat(memory.bytes()).isBetween(1L, 20_000L);
        assertThat(memory.known(key(1))).as("evicted").isEmpty();
        assertThat(memory.known(key(0))).as("used lately").isPresent();
        assertThat(memory.known(key(20))).isPresent();
    }

    @Test
    void aFileLargerThanTheCacheIsStillKeptForItsHost() {
        LocalRobotsCache memory = new LocalRobotsCache(10, 1000);
        memory.put(key(0), file(1));
        memory.put(key(1), file(200));
        assertThat(memory.known(key(1))).isPresent();
        memory.put(key(1), file(1));
        memory.put(key(2), file(1));
        assertThat(memory.known(key(0))).isEmpty();
        assertThat(memory.bytes()).isLessThanOrEqualTo(1000);
    }
}
