package io.trawl.downloader.robots;

import static io.trawl.downloader.robots.CachedRobotsTest.allows;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Body;
import io.trawl.model.ProductToken;
import io.trawl.politeness.RobotsAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class RobotsFileTest {
    private static final String SITE = "https://example.org";

    private static RobotsFile read(String file, String userAgent) throws IOException {
        try (InputStream in = Objects.requireNonNull(RobotsFileTest.class.getResourceAsStream(file + ".txt"), file)) {
            String type = file.startsWith("html") ? "text/html" : "text/plain";
            return RobotsParser.parse(new Body(in.readAllBytes()), false, type, ProductToken.of(userAgent));
        }
    }

    @ParameterizedTest(name = "{0}: {1} may fetch {2}: {3}")
    @CsvFileSource(resources = "cases.csv")
    void aFileIsReadAsTheStandardSays(String file, String userAgent, String path, boolean allowed) throws IOException {
        assertThat(allows(read(file, userAgent), SITE + path)).isEqualTo(allowed);
    }

    @Test
    void aLongCrawlDelayIsNotAProhibition() throws IOException {
        assertThat(read("crawl-delay-far-too-long", "Trawl/0.1").crawlDelay()).contains(Duration.ofDays(1));
        assertThat(read("crawl-delay-fraction", "Trawl/0.1").crawlDelay()).contains(Duration.ofMillis(500));
        assertThat(read("empty", "Trawl/0.1").crawlDelay()).isEmpty();
    }

    @Test
    void theHalfLastLineOfACutFileIsNotARule() {
        Body cut = new Body("User-agent: *\nDisallow: /a\nDisallow: /".getBytes(UTF_8));
        assertThat(allows(RobotsParser.parse(cut, true, "text/plain", "trawl"), SITE + "/b")).isTrue();
        assertThat(allows(RobotsParser.parse(cut, true, "text/plain", "trawl"), SITE + "/a")).isFalse();
        assertThat(allows(RobotsParser.parse(cut, false, "text/plain", "trawl"), SITE + "/b")).isFalse();
    }

    @Test
    void aVersionIsThatOfTheBytesWhoeverReadsThem() throws IOException {
        assertThat(read("empty", "Trawl/0.1").version().digest()).isPresent()
                .isEqualTo(read("empty", "Other").version().digest())
                .isNotEqualTo(read("crawl-delay-fraction", "Trawl/0.1").version().digest());
        assertThat(RobotsFile.none().version().digest()).isEmpty();
    }

    @Test
    void rulesBeyondHalfAMebibyteStillCount() {
        String file = "User-agent: *\n" + "# padding padding padding\n".repeat(30_000) + "Disallow: /late\n";
        assertThat(file.length()).isGreaterThan(500 * 1024).isLessThan(RobotsAnswer.LIMIT);
        assertThat(allows(RobotsParser.parse(new Body(file.getBytes(UTF_8)), false, "text/plain", "trawl"),
                SITE + "/late")).isFalse();
    }
}
