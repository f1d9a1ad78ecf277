package io.trawl.analyzer.batch;

import io.trawl.admission.Admission;
import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.Candidate;
import io.trawl.admission.DomainLookup;
import io.trawl.analyzer.batch.ResponseBatchHandler.AnalysisPorts;
import io.trawl.analyzer.batch.ResponseBatchHandler.Parsing;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.Budget;
import io.trawl.analyzer.parse.ParseThreads.ParseJob;
import io.trawl.codec.PageRules;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.PageChange;
import io.trawl.definition.url.CookieScope;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.RenderCounts;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes the responses of one run in one batch, from the ledger update to the ledger record (protocol, section
 * Analyzer). All blocking calls happen in {@link #of}; one transaction writes its result.
 */
final class RunBatch {
    /** A page of this length reserves what the worst one takes. */
    private static final int LEAST_SOURCE = 4 << 20;
    private final AnalysisPorts analysisPorts;
    private final Parsing parsing;
    private final AnalysisLimits analysisLimits;
    private final LongSupplier ids;
    private Optional<DigestedRules> digested = Optional.empty();

    /** The rules for pages of the last crawl whose visits were kept. */
    private record DigestedRules(CrawlDefinition definition, String digest) {}

    /**
     * The result of one run's part of a batch.
     *
     * @param visited what the visits tell
     * @param ledger the ledger record, of any size
     * @param facts to announce after the commit
     */
    record Result(List<Request> requests, VisitedPages visited, List<PageResult> pageResults, LedgerRecord ledger,
            List<Ledger.Fact> facts) {}

    /**
     * What the visits of pages tell.
     *
     * @param next the next visits of the pages, and which other pages have changed, as sources say
     * @param changes the events of items that differ from those of the visits before, if the crawl wants them
     */
    record VisitedPages(List<Request> next, List<PageChange> changes) {
        private static final VisitedPages NONE = new VisitedPages(List.of(), List.of());

        private VisitedPages and(List<Request> changed) {
            return changed.isEmpty()
                    ? this
                    : new VisitedPages(Stream.concat(next.stream(), changed.stream()).toList(), changes);
        }
    }

    RunBatch(AnalysisPorts analysisPorts, Parsing parsing, AnalysisLimits analysisLimits, LongSupplier ids) {
        this.analysisPorts = analysisPorts;
        this.parsing = parsing;
        this.analysisLimits = analysisLimits;
        this.ids = ids;
    }

    /**
     * @param responses of that run, in the order of positions within each partition
     * @param levels number of priorities of the deployment
     * @param budget parsing time of the whole batch: pages that are not parsed in time fail
     */
    Result of(CrawlStatus crawl, List<ReceivedResponse> responses, int levels, Budget budget)
            throws InterruptedException {
        CrawlRun run = crawl.run();
        CrawlDefinition definition = crawl.definition();
        List<JudgedResponse> judged = judge(crawl, responses);
        List<PageResult> pageResults = parseAll(judged, crawl, levels, budget);
        RequestEmission requestEmission = new RequestEmission(run, crawl.depthMode(), levels, crawl.closed(),
                crawl.version(), definition.identity(), ids);
        DomainLookup domains = new DomainLookup(analysisPorts.domains());
        List<FoundReference> found = pageResults.stream().flatMap(f -> f.found().stream()).toList();
        requestEmission.decide(found, SourceDates.of(crawl, found), domains, analysisPorts.ledger());
        VisitedPages visited = visited(crawl, judged, pageResults,
                candidate -> domains.verdict(run, candidate) instanceof Admitted).and(requestEmission.marks());
        return result(run, judged, pageResults, visited, requestEmission);
    }

    /**
     * The result of a response that cannot be analyzed: the ledger learns it like any other, and its request is
     * answered as a failure.
     */
    Result gaveUp(CrawlStatus crawl, ReceivedResponse response, String cause) {
        CrawlRun run = crawl.run();
        CrawlDefinition definition = crawl.definition();
        List<JudgedResponse> judged = judge(crawl, List.of(response));
        List<PageResult> pageResults = new ArrayList<>(List.of(PageResultBuilder.unparsed(judged.getFirst(), cause)));
        VisitedPages visited = visited(crawl, judged, pageResults, _ -> false);
        return result(run, judged, pageResults, visited,
                new RequestEmission(run, crawl.depthMode(), 1, false, 0, definition.identity(), ids));
    }

    /**
     * What the visits of the pages tell, if the run keeps visits.
     *
     * @param pageResults are replaced by what the visits tell of them
     * @param admitted the verdict on the target of a redirect
     */
    private VisitedPages visited(CrawlStatus crawl, List<JudgedResponse> judged, List<PageResult> pageResults,
            Predicate<Candidate> admitted) {
        if (crawl.visits().isEmpty()) {
            return VisitedPages.NONE;
        }
        NextVisits nextVisits = new NextVisits(crawl, rules(crawl), admitted, ids);
        boolean events = crawl.definition().refreshRules().events();
        List<Request> next = new ArrayList<>();
        List<PageChange> changes = new ArrayList<>();
        for (int i = 0; i < judged.size(); i++) {
            NextVisits.VisitedPage visited = nextVisits.of(judged.get(i), pageResults.get(i));
            pageResults.set(i, visited.result());
            visited.next().ifPresent(next::add);
            if (events) {
                Instant at = judged.get(i).response().fetchedAt();
                visited.result().items().stream().filter(PageChange::of).map(item -> PageChange.of(item, at))
                        .forEach(changes::add);
            }
        }
        return new VisitedPages(next, changes);
    }

    /** The definition as text is large, and batches are small. */
    private String rules(CrawlStatus crawl) {
        if (digested.filter(last -> last.definition().equals(crawl.definition())).isEmpty()) {
            digested = Optional
                    .of(new DigestedRules(crawl.definition(), PageRules.digest(crawl.definition(), parsing.plugins())));
        }
        return digested.map(DigestedRules::digest).orElseThrow();
    }

    /** Records all facts in one ledger call, in the given order, and decides by the facts before each. */
    private List<JudgedResponse> judge(CrawlStatus crawl, List<ReceivedResponse> responses) {
        CrawlRun run = crawl.run();
        DepthMode mode = crawl.depthMode();
        List<ReceivedResponse> real = responses.stream()
                .filter(r -> r.response().outcome().kind() != OutcomeKind.DUPLICATE).toList();
        List<UrlFacts> before = real.isEmpty()
                ? List.of()
                : analysisPorts.ledger().learn(run,
                        real.stream().map(r -> fact(r, mode, r.response().identity())).toList());
        List<JudgedResponse> judged = new ArrayList<>(responses.size());
        int next = 0;
        for (ReceivedResponse r : responses) {
            if (r.response().outcome().kind() == OutcomeKind.DUPLICATE) {
                judged.add(new JudgedResponse(r, false, false));
            } else {
                UrlFacts old = before.get(next++);
                int depth = mode.inLedger(r.response().request().depth());
                judged.add(new JudgedResponse(r, LedgerRules.stores(old, r.position()),
                        LedgerRules.follows(old, depth, r.position())));
            }
        }
        storedForGood(crawl, judged);
        return judged;
    }

    /**
     * What is stored of a URL answers its second request, too (docs/protocol.md, rule 32): at a smaller depth the URL
     * may meet a gate, and must not be stored once more behind it. Without depths a URL is followed once, so that
     * cannot happen.
     */
    private void storedForGood(CrawlStatus crawl, List<JudgedResponse> judged) {
        CrawlDefinition definition = crawl.definition();
        boolean keepsCookies = definition.fetch().cookies().filter(CookieScope.HOST::equals).isPresent()
                || !definition.fetch().login().isEmpty();
        DepthMode mode = crawl.depthMode();
        if (!keepsCookies || mode != DepthMode.EXACT) {
            return;
        }
        List<Ledger.Fact> facts = judged.stream()
                .filter(j -> j.stores() && !j.request().options().again()
                        && j.response().outcome().kind() != OutcomeKind.REDIRECT)
                .map(j -> fact(j.received(), mode, j.request().identityAgain())).toList();
        if (!facts.isEmpty()) {
            analysisPorts.ledger().learn(crawl.run(), facts);
        }
    }

    private static Ledger.Fact fact(ReceivedResponse r, DepthMode mode, String identity) {
        int depth = mode.inLedger(r.response().request().depth());
        return new Ledger.Fact(Fingerprint.of(identity), UrlFacts.responded(depth, r.position()));
    }

    /** Parses pages in parallel; other outcomes need no parser thread. */
    private List<PageResult> parseAll(List<JudgedResponse> judged, CrawlStatus crawl, int levels, Budget budget)
            throws InterruptedException {
        PageResultBuilder pageResultBuilder = new PageResultBuilder(parsing.parsers(),
                new Admission(analysisLimits.urlLength()), analysisLimits.redirects(), crawl.definition(), levels,
                crawl.startedAt());
        List<ParseJob<PageResult>> jobs = new ArrayList<>();
        for (JudgedResponse j : judged) {
            if (PageResultBuilder.parses(j)) {
                jobs.add(new ParseJob<>(size(j), memory -> pageResultBuilder.of(j, memory)));
            }
        }
        List<ParseThreads.JobResult<PageResult>> parsed = parsing.threads().runAll(jobs, budget);
        List<PageResult> all = new ArrayList<>(judged.size());
        int next = 0;
        for (JudgedResponse j : judged) {
            if (!PageResultBuilder.parses(j)) {
                all.add(pageResultBuilder.of(j, DocumentMemory.MOST));
                continue;
            }
            all.add(switch (parsed.get(next++)) {
                case ParseThreads.JobResult.JobDone<PageResult>(PageResult pageResult) -> pageResult;
                case ParseThreads.JobResult.JobFailed<PageResult>(String cause) -> PageResultBuilder.unparsed(j, cause);
                case ParseThreads.JobResult.JobLate<PageResult>(String cause) -> PageResultBuilder.late(j, cause);
            });
        }
        return all;
    }

    /** What the memory for parsing is reserved for: a sitemap is compressed, and may be as large as the worst page. */
    private static int size(JudgedResponse judged) {
        int body = judged.response().body().length();
        return judged.request().options().source() ? Math.max(body, LEAST_SOURCE) : body;
    }

    private static Result result(CrawlRun run, List<JudgedResponse> judged, List<PageResult> pageResults,
            VisitedPages visited, RequestEmission requestEmission) {
        RefusalCounts refused = new RefusalCounts();
        pageResults.forEach(f -> refused.add(f.refused()));
        refused.add(requestEmission.refused());
        long bytes = judged.stream().mapToLong(j -> j.response().body().length()).sum();
        List<Request> requests = requestEmission.requests();
        LedgerRecord ledger = new LedgerRecord(run, requests.stream().map(LedgerRecordBuilder::emitted).toList(),
                LedgerRecordBuilder.answered(pageResults), refused.reasons(), refused.rules(), requestEmission.strays(),
                bytes, Optional.of(items(pageResults))).rendered(rendered(judged))
                .withExempt(requests.stream().filter(r -> r.options().requisite()).map(Request::id).toList());
        return new Result(requestEmission.requests(), visited, pageResults, ledger, requestEmission.facts());
    }

    private static Optional<RenderCounts> rendered(List<JudgedResponse> judged) {
        return judged.stream().filter(JudgedResponse::stores).flatMap(j -> j.response().render().stream())
                .map(RenderCounts::of).reduce(RenderCounts::plus);
    }

    private static ItemCounts items(List<PageResult> pageResults) {
        long written = pageResults.stream().mapToLong(result -> result.items().size()).sum();
        return ItemCounts.written(written, pageResults.stream().flatMap(result -> result.errors().stream())
                .collect(Collectors.groupingBy(PageError::kind, Collectors.summingLong(PageError::count))));
    }
}
