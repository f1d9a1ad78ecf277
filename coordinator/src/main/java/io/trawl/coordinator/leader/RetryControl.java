package io.trawl.coordinator.leader;

import io.trawl.coordinator.summary.Tally;
import java.util.stream.Stream;
import io.trawl.definition.CrawlDefinition.Scope;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.IllegalMoveException;
import io.trawl.coordinator.lifecycle.RetriedCrawl;
import io.trawl.coordinator.lifecycle.RunContinuation;
import io.trawl.http.CallRefusedException;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
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
 * Makes a crawl of the failed requests of another one. A failure is the final outcome of a request in its run, so a
 * retry is a crawl of its own: {@code docs-retry-1}. It has the definition of the other one without its schedule, and
 * the failed requests as its seeds, at their depth. It knows what the other run knows, except the requests that failed
 * there, so it stores nothing again that the other run has stored. Leader only. Thread-safe.
 *
 * @param errors those that the crawl has stored
 * @param tally knows the domains of seeds
 */
public record RetryControl(ControlState controlState, CrawlControl crawls, DefinitionControl definitions,
        StoredErrors errors, Tally tally) {
    private static final int MOST = 100_000;
    private static final int MOST_KNOWN = 1_000_000;
    private static final int AT_ONCE = 1000;
    /** Characters of all bodies in the memory of the leader, and of those that one call submits. */
    private static final long MOST_BODIES = 64 << 20;
    private static final int BODIES_AT_ONCE = 256 << 10;

    /** The errors that crawls have stored. */
    @FunctionalInterface
    public interface StoredErrors {
        /** A page of them. @param query the parameters of the call for items */
        ErrorPage page(CrawlRun run, Map<String, String> query) throws InterruptedException;
    }

    /**
     * Some errors.
     *
     * @param complete whether they are the last ones
     * @param next where the next page begins
     */
    public record ErrorPage(List<JsonNode> errors, boolean complete, Optional<String> next) {}

    /**
     * Defines and starts the crawl.
     *
     * @param kind HTTP_ERROR, FAILURE, a reason or an HTTP status; empty for all errors
     * @throws CallRefusedException 409 if no URL has failed in this way
     * @throws IllegalMoveException if the facts of the run are gone
     */
    public RetriedCrawl retry(CrawlId crawl, Optional<String> kind) throws InterruptedException {
        CrawlStatus status = controlState.known(crawl);
        IllegalMoveException.checkRemembered(status);
        Failures failures = failures(status, kind);
        List<List<Seed>> calls = calls(seeds(status, failures.wanted()));
        if (calls.isEmpty()) {
            throw new CallRefusedException(409,
                    "no URL of " + status.run() + " has failed" + kind.map(k -> " with " + k).orElse(""));
        }
        CrawlId next = free(crawl);
        CrawlDefinition definition = status.definition().with(d -> d.seeds(calls.getFirst()).schedule(Optional.empty())
                .refresh(Optional.empty()).scope(status.definition().scope().withDomains(domains(status))));
        definitions.defineContinuation(next, definition,
                new RunContinuation(status.run(), List.copyOf(failures.all())));
        for (List<Seed> further : calls.subList(1, calls.size())) {
            crawls.submit(next, further, Optional.empty());
        }
        return new RetriedCrawl(next, crawl, failures.wanted().size());
    }

    /** Those that the run accepts now, the domains of its seeds included: the facts of the run are about them, too. */
    private List<String> domains(CrawlStatus status) {
        Stream<String> seeds = status.definition().scope().ofSeeds()
                ? Stream.concat(Stream.of(Scope.SEEDS), tally.domains(status.run()).names().stream())
                : Stream.empty();
        return Stream.concat(controlState.domains(status.run()).domains().stream(), seeds).distinct().toList();
    }

    /** The seeds in parts that one call can take. */
    private static List<List<Seed>> calls(List<Seed> seeds) {
        List<List<Seed>> calls = new ArrayList<>();
        int bodies = 0;
        for (Seed seed : seeds) {
            int body = seed.body().map(String::length).orElse(0);
            if (calls.isEmpty() || calls.getLast().size() == AT_ONCE || bodies + body > BODIES_AT_ONCE) {
                calls.add(new ArrayList<>());
                bodies = 0;
            }
            calls.getLast().add(seed);
            bodies += body;
        }
        return calls;
    }

    private CrawlId free(CrawlId crawl) {
        int number = 1;
        while (controlState.crawl(RunContinuation.name(crawl, number)).isPresent()) {
            number++;
        }
        return RunContinuation.name(crawl, number);
    }

    /**
     * The requests that failed.
     *
     * @param wanted those of the kind that is retried, by their identities
     * @param all of them: the retry knows none, so that a late call for another kind does not make one known that is
     * fetched
     */
    private record Failures(Map<String, Seed> wanted, Set<Fingerprint> all) {}

    private Failures failures(CrawlStatus status, Optional<String> kind) throws InterruptedException {
        Failures failures = new Failures(new LinkedHashMap<>(), new HashSet<>());
        Map<String, String> query = new HashMap<>(Map.of("kind", "error", "order", "oldest", "limit", "1000"));
        boolean complete = false;
        long bodies = 0;
        while (!complete) {
            ErrorPage page = errors.page(status.run(), query);
            for (JsonNode error : page.errors()) {
                Seed failed = seed(error);
                String identity = status.definition().identity().identity(error.path("url").asText(), failed.options());
                failures.all().add(Fingerprint.of(identity));
                if (kind.isEmpty() || is(error, kind.get())) {
                    failures.wanted().put(identity, failed);
                    bodies += failed.body().map(String::length).orElse(0);
                }
            }
            if (failures.wanted().size() > MOST || failures.all().size() > MOST_KNOWN || bodies > MOST_BODIES) {
                throw new CallRefusedException(409,
                        "more than " + MOST + " requests of this kind, or " + MOST_KNOWN
                                + " of any, have failed, or their bodies are longer than " + MOST_BODIES
                                + " characters together: retry one kind of error, or run the crawl again");
            }
            complete = page.complete();
            page.next().ifPresent(cursor -> query.put("cursor", cursor));
        }
        return failures;
    }

    private static boolean is(JsonNode item, String kind) {
        return List.of("kind", "reason", "status").stream()
                .anyMatch(field -> item.path(field).asText().equalsIgnoreCase(kind));
    }

    /** The request of an item, of which headers and other options are not known. */
    private static Seed seed(JsonNode item) {
        return Seed.of(item.path("url").asText()).with(seed -> seed.depth(Optional.of(item.path("depth").asInt()))
                .method(text(item, "method").or(() -> Optional.of("GET"))).body(text(item, "requestBody")));
    }

    private static Optional<String> text(JsonNode item, String field) {
        return Optional.of(item.path(field).asText()).filter(text -> !text.isEmpty());
    }

    /** A request that was a seed keeps the headers and other options of that seed. */
    private static List<Seed> seeds(CrawlStatus status, Map<String, Seed> failed) {
        Map<String, Seed> known = new HashMap<>();
        status.definition().seeds()
                .forEach(
                        seed -> known.put(
                                status.definition().identity().identity(seed.url().orElse(""),
                                        status.definition().fetch().sent(seed, seed.url().orElse("")).options()),
                                seed));
        List<Seed> seeds = new ArrayList<>();
        failed.forEach(
                (identity, seed) -> seeds.add(known.getOrDefault(identity, seed).atDepth(seed.depth().orElse(0))));
        return seeds;
    }
}
