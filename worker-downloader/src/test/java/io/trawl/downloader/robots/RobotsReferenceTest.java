package io.trawl.downloader.robots;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import crawlercommons.robots.SimpleRobotRulesParser;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.Body;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** The parser and the matcher against two others: that of crawler-commons, and regular expressions. */
class RobotsReferenceTest {
    private static final String SITE = "http://example.org";

    private static RobotsVerdict verdict(String file, String path) {
        return RobotsParser.parse(new Body(file.getBytes(UTF_8)), false, "text/plain", "trawl").check(SITE + path,
                RobotsRules.MOST_STEPS);
    }

    @Provide
    Arbitrary<List<String>> lines() {
        Arbitrary<String> path = path(".*$%é", 8);
        Arbitrary<String> rule = Arbitraries.of("Disallow: ", "Allow: ", "disalow :", "ALLOW\t", " Disallow:")
                .flatMap(field -> path.map(p -> field + p));
        Arbitrary<String> agent = Arbitraries.of("User-agent: *", "user-agent:trawl", "User-agent: Trawl/1.0 (x)",
                "User-agent: other", "useragent: trawler", "User-agent:", "User agent: trawl");
        Arbitrary<String> noise = Arbitraries.of("# comment", "Sitemap: http://example.org/s.xml", "Crawl-delay: 3",
                "nonsense", "Disallow: # all", "Disallow", "Unknown: x");
        return Arbitraries.frequencyOf(Tuple.of(5, rule), Tuple.of(2, agent), Tuple.of(1, noise)).list().ofMaxSize(12);
    }

    @Provide
    Arbitrary<String> urls() {
        return path(".*$%é", 10).filter(path -> !path.contains("%") && !path.contains("é"));
    }

    private static Arbitrary<String> path(String more, int most) {
        return Arbitraries.strings().withChars("ab/" + more).ofMaxLength(most).map(text -> "/" + text);
    }

    /**
     * crawler-commons does not find {@code *b$} in {@code bb}: it takes the first b, which is not at the end; and it
     * never finds a {@code $} that is not at the end.
     */
    @Property(tries = 3000)
    void agreesWithCrawlerCommons(@ForAll("lines") List<String> lines, @ForAll("urls") String path) {
        List<String> plain = lines.stream().filter(line -> !line.contains("*") || !line.endsWith("$"))
                .filter(line -> line.indexOf('$') == -1 || line.indexOf('$') == line.length() - 1).toList();
        String file = "User-agent: *\n" + String.join("\n", plain);
        boolean allowed = new SimpleRobotRulesParser(Long.MAX_VALUE, 0)
                .parseContent(SITE + "/robots.txt", file.getBytes(UTF_8), "text/plain", List.of("trawl"))
                .isAllowed(SITE + path);
        assertThat(verdict(file, path)).as(file + "\n" + path)
                .isEqualTo(allowed ? RobotsVerdict.ALLOWED : RobotsVerdict.FORBIDDEN);
    }

    @Provide
    Arbitrary<String> patterns() {
        return words("aab*$/").map(text -> "/" + text);
    }

    @Provide
    Arbitrary<String> words() {
        return words("aab$/").map(text -> "/" + text);
    }

    private static Arbitrary<String> words(String characters) {
        Arbitrary<String> text = Arbitraries.strings().withChars(characters).ofMaxLength(6);
        Arbitrary<String> index = Arbitraries.of("", "", "index.htm", "index.html", "/index.html");
        return Combinators.combine(text, index, Arbitraries.oneOf(text, Arbitraries.of("", "$")))
                .as((before, file, after) -> before + file + after);
    }

    private static boolean matches(String pattern, String path) {
        boolean whole = pattern.endsWith("$");
        String text = whole ? pattern.substring(0, pattern.length() - 1) : pattern;
        String regex = Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.matches(regex + (whole ? "" : ".*"), path);
    }

    @Property(tries = 3000)
    void aProhibitionMatchesAsItsRegularExpressionAlsoWithDollarsAndNamesOfIndexFilesInIt(
            @ForAll("patterns") String pattern, @ForAll("words") String path) {
        assertThat(verdict("User-agent: *\nDisallow: " + pattern, path) == RobotsVerdict.FORBIDDEN)
                .as(pattern + " " + path).isEqualTo(matches(pattern, path));
        assertThat(verdict("User-agent: *\nDisallow: /\nDisallow: " + pattern, path)).as("it permits nothing")
                .isEqualTo(RobotsVerdict.FORBIDDEN);
    }

    @Test
    void anEncodedStarOrDollarInARuleIsThatCharacter() {
        String file = "User-agent: *\nDisallow: /a%2Ab\nDisallow: /c%24";
        for (String path : List.of("/a*b", "/a%2ab", "/c$", "/c%24/d")) {
            assertThat(verdict(file, path)).as(path).isEqualTo(RobotsVerdict.FORBIDDEN);
        }
        for (String path : List.of("/a-b", "/ab", "/c")) {
            assertThat(verdict(file, path)).as(path).isEqualTo(RobotsVerdict.ALLOWED);
        }
    }

    @Property(tries = 3000)
    void aPermissionOfAnIndexFileIsOneOfItsFolderAndOfNothingElse(@ForAll("patterns") String pattern,
            @ForAll("words") String path) {
        boolean folder = path.endsWith("/")
                && List.of("index.htm", "index.html", "index.htm$", "index.html$")
                        .contains(pattern.substring(pattern.lastIndexOf('/') + 1))
                && matches(pattern.substring(0, pattern.lastIndexOf('/') + 1) + "$", path);
        assertThat(verdict("User-agent: *\nDisallow: /\nAllow: " + pattern, path) == RobotsVerdict.ALLOWED)
                .as(pattern + " " + path).isEqualTo(matches(pattern, path) || folder);
    }
}
