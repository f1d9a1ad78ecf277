package io.trawl.coordinator.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.definition.DefinitionTag.Expectation;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.view.ItemCalls.FoundItem;
import io.trawl.coordinator.view.ItemCalls.ItemList;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes a crawl of the failed URLs of another one. A failure is the final outcome of a URL in its run, so a retry is a crawl of its own: {@code docs-retry-1}. It has the
 * definition of the other one without its schedule, the failed URLs as its seeds, and depth 0: it stores these URLs only, and follows no links. Leader only. Thread-safe.
 */
public final class RetryCalls {
    private static final int MOST = 100_000;
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
        List<Seed> seeds = seeds(status, failed(status, kind));
        if (seeds.isEmpty()) {
            throw new CallRefusedException(409,
                    "no URL of " + status.run() + " has failed" + kind.map(k -> " with " + k).orElse(""));
        }
        CrawlId next = free(crawl);
        List<Seed> first = seeds.subList(0, Math.min(AT_ONCE, seeds.size()));
        CrawlDefinition definition = status.definition().with(d -> d.seeds(first).schedule(Optional.empty())
                .scope(status.definition().scope().withDomains(List.copyOf(controlState.domains(status.run()).domains())))
                .limits(status.definition().limits().withDepth(0)));
        crawls.define(next, new WrittenDefinition(definition, List.of(), 0), true, false, Expectation.NONE);
        for (int from = AT_ONCE; from < seeds.size(); from += AT_ONCE) {
            crawls.submit(next, seeds.subList(from, Math.min(from + AT_ONCE, seeds.size())));
        }
        return new RetriedCrawl(next, crawl, seeds.size());
    }

    private CrawlId free(CrawlId crawl) {
        int number = 1;
        while (controlState.crawl(new CrawlId(crawl + "-retry-" + number)).isPresent()) {
            number++;
        }
        return new CrawlId(crawl + "-retry-" + number);
    }

    private Set<String> failed(CrawlStatus status, Optional<String> kind) throws InterruptedException {
        Set<String> urls = new LinkedHashSet<>();
        Map<String, String> query = new HashMap<>(Map.of("kind", "error", "order", "oldest", "limit", "1000"));
        boolean complete = false;
        while (!complete) {
            ItemList page = items.page(status.run(), query, true);
            page.items().stream().map(FoundItem::item).filter(item -> kind.isEmpty() || is(item, kind.get()))
                    .forEach(item -> urls.add(item.path("url").asText()));
            if (urls.size() > MOST) {
                throw new CallRefusedException(409,
                        "more than " + MOST + " URLs have failed: retry one kind of error, or run the crawl again");
            }
            complete = page.complete();
            page.next().ifPresent(cursor -> query.put("cursor", cursor));
        }
        return urls;
    }

    private static boolean is(JsonNode item, String kind) {
        return List.of("kind", "reason", "status").stream().anyMatch(field -> item.path(field).asText().equalsIgnoreCase(kind));
    }

    /** A URL that was a seed keeps the headers and other options of that seed. */
    private static List<Seed> seeds(CrawlStatus status, Set<String> urls) {
        Map<String, Seed> known = new HashMap<>();
        status.definition().seeds().forEach(seed -> seed.url().ifPresent(url -> known.put(url, seed)));
        List<Seed> seeds = new ArrayList<>();
        urls.forEach(url -> seeds.add(Optional.ofNullable(known.get(url))
                .map(s -> new Seed(Optional.empty(), s.url(), s.priority(), s.headers(), s.cookie(), s.waitTime(), s.proxy(),
                        s.parser(),
                        s.metadata()))
                .orElseGet(() -> new Seed(Optional.empty(), Optional.of(url), Optional.empty(), Map.of(), Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.empty(), Map.of()))));
        return seeds;
    }
}
