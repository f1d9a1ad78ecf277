package io.trawl.downloader.robots;

import static io.trawl.downloader.robots.CachedRobotsTest.allows;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.Body;
import io.trawl.politeness.RobotsAnswer;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that are written to cost time or memory. The time-outs are far above what linear time takes, and below what
 * quadratic time takes.
 */
class HostileRobotsTest {
    private static final String SITE = "https://example.org";
    private static final int LEGAL = 500 * 1024;

    private static RobotsFile parse(String file) {
        return parse(file, "text/plain");
    }

    private static RobotsFile parse(String file, String contentType) {
        return RobotsParser.parse(new Body(file.getBytes(UTF_8)), false, contentType, "trawl");
    }

    private static String rules(int count, String rule) {
        return "User-agent: *\n" + IntStream.range(0, count).mapToObj(i -> "Disallow:" + rule.formatted(i) + "\n")
                .collect(Collectors.joining());
    }

    private static RobotsFile wildcards() {
        String file = rules(40_000, "/*%05x") + "Disallow:/*!\n";
        assertThat(file.length()).isBetween(LEGAL, RobotsAnswer.LIMIT);
        return parse(file);
    }

    @Test
    void everyOfFortyThousandWildcardRulesCounts() {
        RobotsFile file = wildcards();
        assertThat(allows(file, SITE + "/2020/10/10/an-article-00-of-the-usual-length-and-some-words.html")).isTrue();
        assertThat(allows(file, SITE + "/g!")).isFalse();
        assertThat(allows(file, SITE + "/g/09c3f")).as("the last of them").isFalse();
    }

    @Test
    void whatTakesTooManyStepsIsNotDecided() {
        RobotsFile file = wildcards();
        String url = SITE + "/" + "0g".repeat(1000);
        assertThat(file.check(url, RobotsRules.MOST_STEPS)).isEqualTo(RobotsVerdict.TOO_COSTLY);
        assertThat(file.check(SITE + "/page", 4000)).as("not on the frontier's thread")
                .isEqualTo(RobotsVerdict.TOO_COSTLY);
        assertThat(parse("User-agent: *\nDisallow: /*0").check(url, 5000)).isEqualTo(RobotsVerdict.FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/*aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b",
            "/*****************b", "/*ab*ab*ab*ab$", "/a*aa*aaa*aaaa*aaaaa*b$"})
    void aPatternIsMatchedInTimeLinearInItsLengthAndThatOfThePath(String pattern) {
        String path = "/" + "a".repeat(4000);
        PathMatcher matcher = new PathMatcher(path, Integer.MAX_VALUE);
        assertThat(matcher.matches(pattern, 0, pattern.length())).isFalse();
        assertThat(Integer.MAX_VALUE - matcher.left()).isLessThan(4 * (path.length() + pattern.length()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "a", "a*", "*a"})
    void aPatternOfHundredsOfKilobytesIsGivenUpAtTheLimit(String piece) {
        String pattern = "/" + piece.repeat(LEGAL / piece.length()) + "b";
        PathMatcher matcher = new PathMatcher("/" + "a".repeat(2000), 4000);
        matcher.matches(pattern, 0, pattern.length());
        assertThat(matcher.left()).isGreaterThan(-4 * 2000);
    }

    @Test
    @Timeout(30)
    void angleBracketsWithoutEndAreNoTags() {
        RobotsFile file = parse(
                "User-agent: *\nDisallow: /a\n" + "<".repeat(LEGAL) + "\nDisallow: /b<\n<b>Disallow</b>: /c",
                "text/html");
        assertThat(allows(file, SITE + "/a")).isFalse();
        assertThat(allows(file, SITE + "/b%3C")).isFalse();
        assertThat(allows(file, SITE + "/c")).isFalse();
        assertThat(allows(file, SITE + "/d")).isTrue();
    }

    @Test
    @Timeout(30)
    void aSitemapOfManyFoldersCostsNothing() {
        int folders = LEGAL / 5;
        RobotsFile file = parse(
                "User-agent: *\nDisallow: /a\nSitemap: /" + "x/".repeat(folders) + "../".repeat(folders));
        assertThat(allows(file, SITE + "/a")).isFalse();
        assertThat(file.bytes()).isLessThan(1000);
    }

    @Test
    @Timeout(30)
    void rulesWithOneHashValueCostNoMoreThanOthers() {
        String file = rules(16_384, "%d").lines().map(
                line -> line.startsWith("D") ? "Disallow:/" + collision(Integer.parseInt(line.substring(9))) : line)
                .collect(Collectors.joining("\n"));
        assertThat(allows(parse(file), SITE + "/" + collision(16_383))).isFalse();
    }

    /** Texts of the same hash value: each bit is one of two such texts. */
    private static String collision(int bits) {
        return IntStream.range(0, 14).mapToObj(i -> (bits >> i & 1) == 0 ? "Aa" : "BB").collect(Collectors.joining());
    }

    @Test
    void parsedRulesUseLittleMoreMemoryThanTheFile() {
        String file = rules(40_000, "/*%x");
        assertThat(parse(file).bytes()).isLessThan(file.length());
        assertThat(parse(rules(40_000, "/same")).bytes()).as("equal rules are kept once").isLessThan(1000);
    }

    @Test
    void theGroupsOfManyCrawlersAreNotMixedUp() {
        String others = IntStream.range(0, 15_000)
                .mapToObj(i -> "User-agent: bot" + (char) ('a' + i % 26) + "\nDisallow: /\n")
                .collect(Collectors.joining());
        RobotsFile file = parse(
                others + "User-agent: *\nDisallow: /all\n" + others + "User-agent: Trawl\nDisallow: /trawl\n" + others);
        assertThat(allows(file, SITE + "/all")).isTrue();
        assertThat(allows(file, SITE + "/trawl")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
    void aByteOrderMarkIsNoPartOfTheFirstLine(Charset charset) {
        Body body = new Body("\ufeffUser-agent: *\r\nDisallow: /a\r\n".getBytes(charset));
        assertThat(allows(RobotsParser.parse(body, false, "text/plain", "trawl"), SITE + "/a")).isFalse();
    }

    @Test
    void linesEndAsOnAnySystem() {
        RobotsFile file = parse("User-agent: *\rDisallow: /a\r\nDisallow: /b\n\nDisallow: /c\u2028Disallow: /d");
        for (String path : new String[]{"/a", "/b", "/c", "/d"}) {
            assertThat(allows(file, SITE + path)).as(path).isFalse();
        }
    }

    @Test
    void bytesThatAreNoTextHarmNoOtherLine() {
        byte[] bytes = "\0\0User-agent: *\nDis\0allow: /x\nDisallow: /a\0\n\u00ff\u00fe\u0080\nDisallow: /b\0c\n"
                .getBytes(ISO_8859_1);
        RobotsFile file = RobotsParser.parse(new Body(bytes), false, "text/plain", "trawl");
        assertThat(allows(file, SITE + "/a")).isFalse();
        assertThat(allows(file, SITE + "/b%00c")).isFalse();
        assertThat(allows(file, SITE + "/x")).isTrue();
    }

    @Test
    void aLineOfHalfAMebibyteIsARule() {
        String path = "/" + "x".repeat(LEGAL);
        RobotsFile file = parse("User-agent: *\nDisallow: " + path);
        assertThat(allows(file, SITE + path)).isFalse();
        assertThat(allows(file, SITE + "/xxx")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0.5,PT0.5S", "10,PT10S", "1e9,P1D", "1.0e300,P1D", "99999999999999999999,P1D", "Infinity,P1D", "-1,",
            "-0.5,", "0,", "NaN,", "0.0001,", "ten,", "1:30,", "'',"})
    void aCrawlDelayIsAPositiveTimeOfAtMostADay(String text, Duration delay) {
        assertThat(parse("User-agent: *\nCrawl-delay: " + text).crawlDelay()).isEqualTo(Optional.ofNullable(delay));
    }

    @Test
    void theFirstDelayOfAGroupAndTheShortestOfSeveralGroupsCounts() {
        assertThat(parse("User-agent: *\nCrawl-delay: 5\nCrawl-delay: 1").crawlDelay()).contains(Duration.ofSeconds(5));
        assertThat(parse("User-agent: *\nCrawl-delay: 1\nDisallow:\nUser-agent: trawl\nCrawl-delay: 7\nAllow: /\n"
                + "User-agent: trawl\nCrawl-delay: 6").crawlDelay()).contains(Duration.ofSeconds(6));
    }
}
