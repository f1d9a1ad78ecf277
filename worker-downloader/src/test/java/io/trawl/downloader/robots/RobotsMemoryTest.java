package io.trawl.downloader.robots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.robots.RobotsMemory.Kept;
import io.trawl.downloader.robots.RobotsMemory.Key;
import io.trawl.model.Body;
import io.trawl.model.HostKey;
import org.junit.jupiter.api.Test;

class RobotsMemoryTest {
    private static Key key(int n) {
        return new Key(new HostKey("host" + n + ":80"), "trawl");
    }

    private static Kept file(int rules) {
        byte[] text = ("User-agent: *\n" + "Disallow: /a/path/of/some/length/%\n".repeat(rules)).getBytes(UTF_8);
        for (int i = 0, n = 0; i < text.length; i++) {
            if (text[i] == '%') {
                text[i] = (byte) ('a' + n++ % 26);
            }
        }
        return new Kept(RobotsFile.read("http://x/robots.txt", new Body(text), false, "text/plain", "trawl"), 0, 1);
    }

    @Test
    void theLeastUsedGoesFirstWhenThereAreTooMany() {
        RobotsMemory memory = new RobotsMemory(3, 1 << 20);
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
        RobotsMemory memory = new RobotsMemory(1000, 20_000);
        for (int i = 0; i < 20; i++) {
            memory.put(key(i), file(1));
        }
        assertThat(memory.known(key(0))).isPresent();
        memory.put(key(20), file(120));
        assertThat(memory.bytes()).isBetween(1L, 20_000L);
        assertThat(memory.known(key(1))).as("pushed out").isEmpty();
        assertThat(memory.known(key(0))).as("looked at lately").isPresent();
        assertThat(memory.known(key(20))).isPresent();
    }

    @Test
    void whatIsTooLongForAllTheRoomIsStillKeptForWhomItWasLoaded() {
        RobotsMemory memory = new RobotsMemory(10, 1000);
        memory.put(key(0), file(1));
        memory.put(key(1), file(200));
        assertThat(memory.known(key(1))).isPresent();
        memory.put(key(1), file(1));
        memory.put(key(2), file(1));
        assertThat(memory.known(key(0))).isEmpty();
        assertThat(memory.bytes()).isLessThanOrEqualTo(1000);
    }
}
