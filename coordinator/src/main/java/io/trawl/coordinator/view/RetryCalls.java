package io.trawl.coordinator.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.RunContinuation;
import io.trawl.coordinator.view.ItemCalls.FoundItem;
import io.trawl.coordinator.view.ItemCalls.ItemList;
import io.trawl.http.CallRefusedException;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a crawl of the failed URLs of another one. A failure is the final outcome of a URL in its run, so a retry is a crawl of its own: {@code docs-retry-1}. It has the
 * definition of the other one without its schedule, and the failed URLs as its seeds, at their depth. It knows what the other run knows, except the URLs that failed
 * there, so it stores nothing again that the other run has stored. Leader only. Thread-safe.
 */
public final class RetryCalls {
    private static final int MOST = 100_000;
    private static final int MOST_KNOWN = 1_000_000;
    private static final int AT_ONCE = 1000;
    private final ControlState controlState;
    private final CrawlControl crawls;
    private final ItemCalls items;

    /** @param items reads the errors that the crawl has stored */
    public RetryCalls(ControlState controlState, CrawlControl crawls, ItemCalls items) {
        this.controlState = controlState;
        this.crawls = crawls;
        this.items = items;
    }

    /**
     * Defines and starts the crawl.
     *
     * @param kind HTTP_ERROR, FAILURE, a reason or an HTTP status; empty for all errors
     * @throws CallRefusedException 409 if no URL has failed in this way
     */
    public RetriedCrawl retry(CrawlId crawl, Optional<String> kind) throws InterruptedException {
        CrawlStatus status = controlState.known(crawl);
        Failures failures = failures(status, kind);
        List<Seed> seeds = seeds(status, failures.wanted());
        if (seeds.isEmpty()) {
            throw new CallRefusedException(409,
                    "no URL of " + status.run() + " has failed" + kind.map(k -> " with " + k).orElse(""));
        }
        CrawlId next = free(crawl);
        List<Seed> first = seeds.subList(0, Math.min(AT_ONCE, seeds.size()));
        CrawlDefinition definition = status.definition().with(d -> d.seeds(first).schedule(Optional.empty())
                .scope(status.definition().scope().withDomains(List.copyOf(controlState.domains(status.run()).domains()))));
        crawls.defineContinuation(next, definition, new RunContinuation(status.run(), List.copyOf(failures.all())));
        for (int from = AT_ONCE; from < seeds.size(); from += AT_ONCE) {
            crawls.submit(next, seeds.subList(from, Math.min(from + AT_ONCE, seeds.size())));
        }
        return new RetriedCrawl(next, crawl, seeds.size());
    }

    private CrawlId free(CrawlId crawl) {
        int number = 1;
        while (controlState.crawl(RunContinuation.name(crawl, number)).isPresent()) {
            number++;
        }
        return RunContinuation.name(crawl, number);
    }

    /**
     * The URLs that failed.
     *
     * @param wanted those of the kind that is retried, with their depths
     * @param all of them: the retry knows none, so that a late call for another kind does not make a URL known that is fetched
     */
    private record Failures(Map<String, Integer> wanted, Set<Fingerprint> all) {}

    private Failures failures(CrawlStatus status, Optional<String> kind) throws InterruptedException {
        Failures failures = new Failures(new LinkedHashMap<>(), new HashSet<>());
        Map<String, String> query = new HashMap<>(Map.of("kind", "error", "order", "oldest", "limit", "1000"));
        boolean complete = false;
        while (!complete) {
            ItemList page = items.page(status.run(), query, true);
            for (FoundItem found : page.items()) {
                String url = found.item().path("url").asText();
                failures.all().add(Fingerprint.of(url));
                if (kind.isEmpty() || is(found.item(), kind.get())) {
                    failures.wanted().put(url, found.item().path("depth").asInt());
                }
            }
            if (failures.wanted().size() > MOST || failures.all().size() > MOST_KNOWN) {
                throw new CallRefusedException(409, "more than " + MOST + " URLs of this kind, or " + MOST_KNOWN
                        + " of any, have failed: retry one kind of error, or run the crawl again");
            }
            complete = page.complete();
            page.next().ifPresent(cursor -> query.put("cursor", cursor));
        }
        return failures;
    }

    private static boolean is(JsonNode item, String kind) {
        return List.of("kind", "reason", "status").stream().anyMatch(field -> item.path(field).asText().equalsIgnoreCase(kind));
    }

    /** A URL that was a seed keeps the headers and other options of that seed. */
    private static List<Seed> seeds(CrawlStatus status, Map<String, Integer> depths) {
        Map<String, Seed> known = new HashMap<>();
        status.definition().seeds().forEach(seed -> seed.url().ifPresent(url -> known.put(url, seed)));
        List<Seed> seeds = new ArrayList<>();
        depths.forEach((url, depth) -> seeds.add(known.getOrDefault(url, Seed.of(url)).atDepth(depth)));
        return seeds;
    }
}
