package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.batch.Bench.Written;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.testkit.RandomScope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Whatever the scope, the order of fetches, the sizes of batches and the transactions that abort, the requests of an
 * analyzer lead to the pages of a plain walk.
 */
class ScopeOfAGraphTest {
    private static final int PAGES = 30;
    private static final int DEPTH = 3;
    private static final int PARTITIONS = 2;
    private static final String HOST = "http://example.org";
    private static final List<String> FOLDERS = List.of("/a/", "/b/", "/a/c/", "/");
    private static final Map<String, String> PATTERNS = Map.of("/a/**", "/a/.*", "/b/*", "/b/[^/]*", "**/c/**",
            ".*/c/.*", "/*", "/[^/]*", "re:[13579]$", ".*[13579]", HOST + "/{a,b}/**", "/[ab]/.*");

    /** Pages with links, some of them redirects to one page. */
    private record Site(List<String> urls, List<List<Integer>> links, Set<Integer> redirects) {
        static Site of(Random random) {
            List<String> urls = IntStream.range(0, PAGES)
                    .mapToObj(i -> HOST + FOLDERS.get(random.nextInt(FOLDERS.size())) + "p" + i).toList();
            List<List<Integer>> links = IntStream.range(0, PAGES)
                    .mapToObj(i -> random.ints(1 + random.nextInt(4), 0, PAGES).boxed().toList()).toList();
            // Not in a row: what is beyond the limit of redirects would be missing.
            Set<Integer> redirects = new TreeSet<>();
            random.ints(3, 1, PAGES).filter(
                    i -> redirects.stream().noneMatch(r -> links.get(r).contains(i) || links.get(i).contains(r)))
                    .forEach(redirects::add);
            return new Site(urls, links, redirects);
        }

        ConsumerRecord<byte[], byte[]> answer(int partition, long offset, Request request) {
            int page = urls.indexOf(request.url());
            String target = urls.get(links.get(page).getFirst());
            Outcome outcome = redirects.contains(page)
                    ? new Outcome.Redirect(301, target)
                    : new Outcome.Success(200, false);
            byte[] html = Bench.linking(links.get(page).stream().map(urls::get).toArray(String[]::new))
                    .getBytes(StandardCharsets.UTF_8);
            return Bench.record(partition, offset, Fixtures.response(request, outcome,
                    Map.of("content-type", "text/html"), redirects.contains(page) ? new byte[0] : html));
        }
    }

    @Property(tries = 60)
    void theRequestsAreThoseOfAPlainWalk(@ForAll long seed) {
        Random random = new Random(seed);
        Site site = Site.of(random);
        RandomScope scope = RandomScope.of(PATTERNS, true, random);
        assertThat(crawl(site, scope, random)).as("%s", scope.json()).isEqualTo(walk(site, scope));
    }

    /** Breadth first; a redirect leads on at the same depth. */
    private static Set<String> walk(Site site, RandomScope scope) {
        Map<Integer, Integer> depths = new HashMap<>(Map.of(0, 0));
        Deque<Integer> queue = new ArrayDeque<>(List.of(0));
        while (!queue.isEmpty()) {
            int page = queue.removeFirst();
            boolean redirect = site.redirects().contains(page);
            int next = depths.getOrDefault(page, 0) + (redirect ? 0 : 1);
            for (int link : redirect ? site.links().get(page).subList(0, 1) : site.links().get(page)) {
                if (next <= DEPTH && scope.admits(site.urls().get(link), next)
                        && next < depths.getOrDefault(link, Integer.MAX_VALUE)) {
                    depths.put(link, next);
                    queue.addLast(link);
                }
            }
        }
        Set<String> urls = new TreeSet<>();
        depths.keySet().forEach(page -> urls.add(site.urls().get(page)));
        return urls;
    }

    private static Set<String> crawl(Site site, RandomScope scope, Random random) {
        Ledger ledger = new MapLedger();
        Set<String> fetched = new TreeSet<>();
        try (Bench bench = Bench.with(ledger)) {
            bench.control.read(Fixtures.started(Fixtures.RUN,
                    "{\"limits\":{\"depth\":" + DEPTH + "},\"scope\":" + scope.json() + "}"));
            List<Request> waiting = new ArrayList<>(List.of(Fixtures.request(site.urls().getFirst(), 0)));
            List<Deque<ConsumerRecord<byte[], byte[]>>> log = List.of(new ArrayDeque<>(), new ArrayDeque<>());
            long[] ends = new long[PARTITIONS];
            while (!waiting.isEmpty() || log.stream().anyMatch(responses -> !responses.isEmpty())) {
                if (!waiting.isEmpty() && random.nextInt(3) > 0) {
                    Request request = waiting.remove(random.nextInt(waiting.size()));
                    int partition = Math.floorMod(request.url().hashCode(), PARTITIONS);
                    if (fetches(ledger, request)) {
                        fetched.add(request.url());
                        log.get(partition).addLast(site.answer(partition, ends[partition], request));
                        ledger.learn(Fixtures.RUN, List.of(new Ledger.Fact(Fingerprint.of(request.identity()),
                                UrlFacts.responded(request.depth(), ends[partition]++))));
                    }
                }
                Deque<ConsumerRecord<byte[], byte[]>> responses = log.get(random.nextInt(PARTITIONS));
                if (!responses.isEmpty() && random.nextInt(3) == 0) {
                    waiting.addAll(analyzed(bench, responses, random));
                }
            }
        }
        return fetched;
    }

    /** As the frontier decides. */
    private static boolean fetches(Ledger ledger, Request request) {
        UrlFacts known = ledger.lookUp(Fixtures.RUN, List.of(Fingerprint.of(request.identity()))).getFirst();
        return !LedgerRules.duplicate(known, DepthMode.EXACT.inLedger(request.depth()));
    }

    /** A batch of the first responses, which may be handled in vain before. */
    @SuppressWarnings("unchecked")
    private static List<Request> analyzed(Bench bench, Deque<ConsumerRecord<byte[], byte[]>> responses, Random random) {
        int size = 1 + random.nextInt(Math.min(5, responses.size()));
        ConsumerRecord<byte[], byte[]>[] batch = responses.stream().limit(size).toArray(ConsumerRecord[]::new);
        if (random.nextInt(4) == 0) {
            bench.handle(batch);
            return List.of();
        }
        Written written = bench.commit(batch);
        for (int i = 0; i < size; i++) {
            responses.removeFirst();
        }
        return written.requests();
    }
}
