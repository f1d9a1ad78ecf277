package io.trawl.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Admission;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.pattern.UrlPattern;
import io.trawl.testkit.RandomScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Whatever the scope and the order, a crawl with exact depth fetches what a plain walk fetches that judges by regular
 * expressions of the language.
 */
class ScopePropertiesTest {
    private static final int PAGES = 40;
    private static final List<String> FOLDERS = List.of("/a/", "/b/", "/a/c/", "/");
    private static final List<String> ENDINGS = List.of("", ".html", ".zip", ".JPG");
    /** Patterns, and what they mean for a path. */
    private static final Map<String, String> PATTERNS = Map.of("/a/**", "/a/.*", "/b/*", "/b/[^/]*", "**/c/**",
            ".*/c/.*", "/*", "/[^/]*", "re:[13579](\\.|$)", ".*[13579](\\..*)?", "https://x.org/{a,b}/**", "/(a|b)/.*",
            "x.org/a/c/**", "/a/c/.*");

    /** A site: the links of each page, by their numbers. */
    private record Site(List<String> urls, List<List<Integer>> links) {
        static Site of(Random random) {
            List<String> urls = IntStream.range(0, PAGES)
                    .mapToObj(i -> "https://x.org" + any(FOLDERS, random) + "p" + i + any(ENDINGS, random)).toList();
            return new Site(urls, IntStream.range(0, PAGES)
                    .mapToObj(i -> random.ints(random.nextInt(5), 0, PAGES).boxed().toList()).toList());
        }
    }

    /** The rules of a scope, which also skips the endings of files. */
    private static ScopeRules rules(RandomScope scope, int depth) {
        return ScopeRules.of(depth, scope.include().stream().map(UrlPattern::parse).toList(),
                scope.exclude().stream().map(UrlPattern::parse).toList(), scope.maxDepth()
                        .map(rule -> new DepthRule(UrlPattern.parse(rule.match()), rule.depth())).stream().toList(),
                Optional.empty(), MediaTypeRules.ALL);
    }

    private static <T> T any(List<T> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    @Property(tries = 1000)
    void theSetOfPagesIsThatOfAPlainWalk(@ForAll long seed) {
        Random random = new Random(seed);
        Site site = Site.of(random);
        RandomScope scope = RandomScope.of(PATTERNS, true, random);
        int depth = 1 + random.nextInt(5);
        assertThat(crawl(site, rules(scope, depth), random)).isEqualTo(walk(site, scope, depth));
    }

    /** Breadth first. */
    private static Set<String> walk(Site site, RandomScope scope, int depth) {
        Map<Integer, Integer> depths = new HashMap<>(Map.of(0, 0));
        Deque<Integer> queue = new ArrayDeque<>(List.of(0));
        while (!queue.isEmpty()) {
            int page = queue.removeFirst();
            int next = depths.getOrDefault(page, 0) + 1;
            for (int link : site.links().get(page)) {
                String url = site.urls().get(link);
                if (next <= depth && !url.endsWith(".zip") && !url.endsWith(".JPG") && scope.admits(url, next)
                        && depths.putIfAbsent(link, next) == null) {
                    queue.addLast(link);
                }
            }
        }
        Set<String> urls = new HashSet<>();
        depths.keySet().forEach(page -> urls.add(site.urls().get(page)));
        return urls;
    }

    /** In any order, as a fleet does: a URL that is found again at a smaller depth is fetched again. */
    private static Set<String> crawl(Site site, ScopeRules rules, Random random) {
        Admission admission = new Admission(2048);
        Map<String, Integer> known = new HashMap<>(Map.of(site.urls().getFirst(), 0));
        List<String> waiting = new ArrayList<>(List.of(site.urls().getFirst()));
        Set<String> fetched = new LinkedHashSet<>();
        while (!waiting.isEmpty()) {
            String url = waiting.remove(random.nextInt(waiting.size()));
            fetched.add(url);
            int next = known.getOrDefault(url, 0) + 1;
            for (int link : site.links().get(site.urls().indexOf(url))) {
                Candidate candidate = admission.reference(BaseUrl.of(new NormalUrl(url)), site.urls().get(link), next,
                        rules);
                if (candidate instanceof Candidate.Open open
                        && next < known.getOrDefault(open.url(), Integer.MAX_VALUE)) {
                    known.put(open.url(), next);
                    waiting.add(open.url());
                }
            }
        }
        return fetched;
    }
}
