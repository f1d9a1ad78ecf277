package io.trawl.testkit;

import static java.util.Objects.requireNonNull;

import io.trawl.codec.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * A random scope of a crawl, and what it means without the rules of Trawl: its patterns in regular expressions of the
 * language. Immutable.
 *
 * @param maxDepth one rule or none
 * @param meanings what each pattern matches of path and query
 */
public record RandomScope(List<String> include, List<String> exclude, Optional<MaxDepth> maxDepth,
        Map<String, String> meanings) {
    private static final int DEEPEST = 3;

    /** The pages of a pattern are in scope at this depth at most. */
    public record MaxDepth(String match, int depth) {}

    /**
     * Some of these patterns in each part.
     *
     * @param including whether there may be any in {@code include}, which leaves out most of a site
     */
    public static RandomScope of(Map<String, String> meanings, boolean including, Random random) {
        List<String> patterns = meanings.keySet().stream().sorted().toList();
        return new RandomScope(including ? some(patterns, random) : List.of(), some(patterns, random),
                random.nextBoolean()
                        ? Optional.of(
                                new MaxDepth(patterns.get(random.nextInt(patterns.size())), random.nextInt(DEEPEST)))
                        : Optional.empty(),
                meanings);
    }

    private static List<String> some(List<String> patterns, Random random) {
        return random.ints(random.nextInt(3), 0, patterns.size()).mapToObj(patterns::get).distinct().toList();
    }

    /** As {@code scope} of a definition. */
    public String json() {
        return Json.text(Map.of("include", include, "exclude", exclude, "maxDepth", maxDepth.stream().toList()));
    }

    /** Whether a link to a URL is followed at a depth, besides the limit of the crawl and the endings that it skips. */
    public boolean admits(String url, int depth) {
        return exclude.stream().noneMatch(pattern -> matches(pattern, url))
                && (include.isEmpty() || include.stream().anyMatch(pattern -> matches(pattern, url)))
                && maxDepth.filter(rule -> depth > rule.depth() && matches(rule.match(), url)).isEmpty();
    }

    private boolean matches(String pattern, String url) {
        return Pattern.matches("https?://[^/]+(" + requireNonNull(meanings.get(pattern)) + ")", url);
    }
}
