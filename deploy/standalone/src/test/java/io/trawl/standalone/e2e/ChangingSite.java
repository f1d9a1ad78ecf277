package io.trawl.standalone.e2e;

import io.trawl.process.builtin.SimilarText;
import io.trawl.testkit.Behaviour;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A host whose pages change at random from day to day: with entity tags, and a home page that links to all. It knows
 * what a refresh of each day has to tell. Not thread-safe.
 */
final class ChangingSite {
    static final String HOME = "/";
    static final String UNCHANGED = "unchanged";
    /** What is sent beside a body, at most. */
    private static final int HEAD = 250;
    private final FakeHost host;
    private final SiteKind kind;
    private final Random random;
    private final Map<String, Integer> versions = new TreeMap<>();
    /** How often a word of each page was replaced. */
    private final Map<String, Integer> touches = new HashMap<>();
    /** For how many days in a row each page was missing: every other one redirects then. */
    private final Map<String, Integer> missing = new HashMap<>();
    /** The pages that come today with the body that they had. */
    private final Set<String> same = new TreeSet<>();
    private final LongAdder sent = new LongAdder();
    private int next;

    /**
     * What a site is like.
     *
     * @param pages at first, beside the home page
     * @param sentences of a page
     * @param changes which share of the pages changes from day to day; half of them by a word
     * @param missing which share is missing then
     * @param more how many pages are new each day
     */
    record SiteKind(int pages, int sentences, double changes, double missing, int more) {}

    ChangingSite(FakeHost host, SiteKind kind, Random random) {
        this.host = host;
        this.kind = kind;
        this.random = random;
        add(kind.pages());
    }

    private void add(int pages) {
        for (int i = 0; i < pages; i++) {
            versions.put("/" + next++, 0);
        }
    }

    /** Serves the pages of today. Every page links to the home page, whose links are no content. */
    void serve() {
        String links = versions.keySet().stream().map(path -> "<a href='" + path + "'>a</a>")
                .collect(Collectors.joining(" "));
        host.route(HOME, counted(text("home", 0, 0) + "<nav>" + links + "</nav>"));
        versions.forEach((path, version) -> host.route(path,
                !missing.containsKey(path)
                        ? counted(page(path))
                        : moves(path) ? Behaviours.redirect(301, HOME) : Behaviours.notFound()));
    }

    private Behaviour counted(String html) {
        Behaviour tagged = Behaviours.tagged(html);
        return exchange -> {
            tagged.answer(exchange);
            sent.add(HEAD + (exchange.getResponseCode() == 200 ? html.length() : 0));
        };
    }

    /** How many bytes it has sent. */
    long sent() {
        return sent.sum();
    }

    /** Changes the site. @return what a refresh has to tell, by path */
    Map<String, String> nextDay() {
        Map<String, String> expected = new TreeMap<>();
        same.clear();
        for (Map.Entry<String, Integer> page : versions.entrySet()) {
            String path = page.getKey();
            int away = missing.getOrDefault(path, 0);
            double chance = random.nextDouble();
            if (away > 0 ? chance < 0.5 : chance < kind.missing()) {
                missing.put(path, away + 1);
                boolean moves = moves(path);
                expected.put(path, away == 0 ? moves ? "" : "404" : away == 1 ? moves ? "moved" : "gone" : "");
                continue;
            }
            missing.remove(path);
            String before = page(path);
            page.setValue(page.getValue() + (chance > 1 - kind.changes() / 2 ? 1 : 0));
            touches.merge(path, chance > 1 - kind.changes() ? 1 : 0, Integer::sum);
            String now = page(path);
            if (now.equals(before)) {
                same.add(path);
            }
            expected.put(path,
                    away > 1 ? "back" : now.equals(before) ? UNCHANGED : similar(before, now) ? "touched" : "changed");
        }
        int known = next;
        add(kind.more());
        IntStream.range(known, next).forEach(page -> expected.put("/" + page, "new"));
        expected.values().removeIf(String::isEmpty);
        expected.put(HOME, UNCHANGED);
        return expected;
    }

    /** The pages that come today with the body that they had, by path. */
    Set<String> same() {
        return Set.copyOf(same);
    }

    /** By URL what the text of each page ends with as it was visited last, if it has not been told gone. */
    Map<String, String> present() {
        Map<String, String> present = new HashMap<>();
        versions.keySet().stream().filter(path -> missing.getOrDefault(path, 0) < 2)
                .forEach(path -> present.put(host.url(path), ending(content(page(path)))));
        present.put(host.url(HOME), ending(content(text("home", 0, 0))));
        return present;
    }

    /** The last words of a text, which tell version and touches. */
    static String ending(String text) {
        String words = text.strip();
        return words.substring(Math.max(0, words.length() - 100));
    }

    /** How many of each change were told; a first 404 says nothing, and what is unchanged is no change. */
    static Map<String, Long> counted(Map<String, String> told) {
        return told.values().stream().filter(change -> !change.equals("404") && !change.equals(UNCHANGED))
                .collect(Collectors.groupingBy(change -> change, TreeMap::new, Collectors.counting()));
    }

    private static boolean moves(String path) {
        return Integer.parseInt(path.substring(1)) % 2 == 0;
    }

    private static boolean similar(String page, String other) {
        return SimilarText.similar(SimilarText.hash(content(page)).orElseThrow(),
                SimilarText.hash(content(other)).orElseThrow());
    }

    private static String content(String page) {
        return page.substring(page.indexOf("<main>")).replaceAll("<[^>]*>", " ");
    }

    private String page(String path) {
        return text(path, versions.getOrDefault(path, 0), touches.getOrDefault(path, 0));
    }

    private String text(String name, int version, int touched) {
        return page(name, kind.sentences(), version, touched);
    }

    /** A page of so many sentences. */
    static String page(String name, int sentences, int version, int touches) {
        return "<title>" + name + "</title><main><p>"
                + IntStream.range(0, sentences)
                        .mapToObj(
                                i -> "This is sentence " + i + " of version " + version + " of the page " + name + ". ")
                        .collect(Collectors.joining())
                + "One word was replaced " + touches + " times.</p></main>";
    }
}
