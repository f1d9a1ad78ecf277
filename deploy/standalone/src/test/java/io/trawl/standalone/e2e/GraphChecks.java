package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.summary.ItemTotals;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.testkit.Expected;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.TreeMap;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The output of a crawl of a link graph against the graph itself. */
final class GraphChecks {
    /** A host notes the time when it has read a request, which may be late for one and in time for the next. */
    private static final Duration TOLERANCE = Duration.ofMillis(5);

    private GraphChecks() {}

    /** The crawl of a whole graph from its first page. */
    static CrawlDefinition definition(LinkGraph graph, int depth, String delay) {
        return definition(graph, List.of(graph.url(0)), depth, delay);
    }

    /** The same from these seeds. */
    static CrawlDefinition definition(LinkGraph graph, List<String> seeds, int depth, String delay) {
        String urls = seeds.stream().map("{\"url\": \"%s\"}"::formatted).collect(Collectors.joining(","));
        return Json.read("""
                {"seeds": [%s], "limits": {"depth": %d}, "fetch": {"delay": "%s"}, "scope": {"domains": ["%s"]}}"""
                .formatted(urls, depth, delay, String.join("\",\"", graph.domains())).getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }

    /** A page of each host, among the first so many. */
    static List<String> ofEachHost(LinkGraph graph, int pages) {
        Map<String, String> byHost = new TreeMap<>();
        IntStream.range(0, pages).mapToObj(graph::url)
                .forEach(url -> byHost.putIfAbsent(URI.create(url).getHost(), url));
        return List.copyOf(byHost.values());
    }

    /** The pages are exactly those that a breadth-first search reaches, and so are the errors. */
    static void output(LinkGraph graph, Collection<String> seeds, int depth, Output output) {
        output(graph.reachable(seeds, depth, graph.domains()), output);
    }

    /** The pages are exactly these, and so are the errors. */
    static void output(Map<String, Expected> reachable, Output output) {
        assertThat(output.errors().keySet()).as("%s", output.errors())
                .isEqualTo(urls(reachable, OutcomeKind.HTTP_ERROR));
        assertThat(output.pages().keySet()).isEqualTo(urls(reachable, OutcomeKind.PAGE));
        assertThat(output.unfinished()).isEmpty();
    }

    /** The same, but a page may be there more than once: after a loss in Redis. */
    static void outputWithRepeats(LinkGraph graph, Collection<String> seeds, int depth, Output output) {
        Map<String, Expected> reachable = graph.reachable(seeds, depth, graph.domains());
        assertThat(output.pageUrls()).isEqualTo(urls(reachable, OutcomeKind.PAGE));
        assertThat(output.unfinished()).isEmpty();
    }

    /**
     * Conservation, at any moment: every request that was emitted is counted once, every page and error made an item,
     * and none is stored before it is written.
     */
    static void conserved(Totals totals) {
        requestsConserved(totals);
        ItemTotals items = totals.items();
        assertThat(items.stored() + items.dropped() + items.rejected() + items.waiting()).as("%s", totals)
                .isEqualTo(items.written());
        assertThat(items.waiting()).as("%s", totals).isNotNegative();
        assertThat(items.written()).as("%s", totals).isGreaterThanOrEqualTo(totals.pages());
    }

    /** Every request that was emitted is counted once, also after a loss in Kafka. */
    static void requestsConserved(Totals totals) {
        assertThat(totals.found() + totals.sources() + totals.requisites() + totals.repeats() + totals.redirects()
                + totals.httpErrors() + totals.failures() + totals.refused() + totals.duplicates() + totals.waiting())
                .as("%s", totals).isEqualTo(totals.emitted());
    }

    /** A refresh of pages that have not changed: each has one answer, and nothing is stored. */
    static void unchanged(Totals before, Totals refresh) {
        conserved(refresh);
        assertThat(refresh.waiting()).isZero();
        assertThat(List.of(refresh.unchanged(), refresh.redirects(), refresh.httpErrors(), refresh.failures(),
                refresh.refused())).as("%s after %s", refresh, before)
                .isEqualTo(List.of(before.found(), before.redirects(), before.httpErrors(), before.failures(),
                        before.refused()));
        assertThat(refresh.items().written()).as("%s", refresh).isZero();
    }

    /** At the end: the output holds as many lines as the ledger says, and no item waits. */
    static void accounted(Totals totals, Output output) {
        conserved(totals);
        int lines = output.pages().size() + output.errors().size();
        assertThat(totals.waiting()).isZero();
        ItemTotals items = totals.items();
        assertThat(new ItemTotals(items.written(), items.stored(), items.dropped(), items.rejected(), items.waiting()))
                .as("%s", totals).isEqualTo(new ItemTotals(lines, lines, 0, 0, 0));
        assertThat(items.sinks().values()).as("%s", totals).allMatch(stored -> stored == lines);
        assertThat(items.skipped()).as("%s", totals).isEmpty();
        assertThat(totals.pages() + totals.errors()).as("%s", totals).isEqualTo(lines);
    }

    /** The cost of exactness, as the hosts have counted it: how often each URL was fetched. */
    static String cost(FakeWeb web) {
        List<String> fetched = web.visits().stream().map(SeenRequest::url).filter(url -> !url.endsWith("/robots.txt"))
                .toList();
        int urls = Set.copyOf(fetched).size();
        return "%d fetches of %d URLs: %.3f each".formatted(fetched.size(), urls,
                (double) fetched.size() / Math.max(1, urls));
    }

    /**
     * How long no host was asked for a page, the longest first: from each request to the next one, or from a moment
     * between them.
     *
     * @param moments in nanoseconds of the system's time
     */
    static List<Duration> pauses(FakeWeb web, List<Long> moments) {
        long[] requests = web.visits().stream().filter(visit -> !visit.path().equals("/robots.txt"))
                .mapToLong(SeenRequest::arrived).sorted().toArray();
        long last = requests[requests.length - 1];
        long[] all = LongStream.concat(LongStream.of(requests), moments.stream().mapToLong(moment -> moment))
                .filter(moment -> moment >= requests[0] && moment <= last).sorted().toArray();
        return IntStream.range(1, all.length).mapToObj(i -> Duration.ofNanos(all[i] - all[i - 1]))
                .sorted(Comparator.reverseOrder()).toList();
    }

    static Set<String> urls(Map<String, Expected> reachable, OutcomeKind kind) {
        return reachable.values().stream().filter(e -> e.kind() == kind).map(Expected::url)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Requests that came sooner after the one before, at the same host, than the delay; robots.txt included. */
    static List<String> tooEarly(FakeWeb web, Duration delay) {
        List<String> early = new ArrayList<>();
        for (FakeHost host : web.hosts()) {
            List<SeenRequest> visits = web.visits(host);
            for (int i = 1; i < visits.size(); i++) {
                Duration gap = Duration.ofNanos(visits.get(i).arrived() - visits.get(i - 1).arrived());
                if (gap.compareTo(delay.minus(TOLERANCE)) < 0) {
                    early.add(visits.get(i).url() + " " + gap.toMillis() + " ms after " + visits.get(i - 1).url());
                }
            }
        }
        return early;
    }
}
