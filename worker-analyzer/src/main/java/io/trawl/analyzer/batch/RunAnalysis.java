package io.trawl.analyzer.batch;

import io.trawl.admission.Admission;
import io.trawl.admission.DomainQuestions;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.Budget;
import io.trawl.control.CrawlDefinition;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;

/**
 * The responses of one run in one batch, from learning to the ledger record (protocol, section Analyzer). Everything that may wait happens in
 * {@link #of}; its result is written by one transaction.
 */
final class RunAnalysis {
    private final Ports ports;
    private final Parsing parsing;
    private final Limits limits;
    private final LongSupplier ids;

    /**
     * What a run's part of a batch leads to.
     *
     * @param ledger of any size
     * @param facts to be announced after the commit
     */
    record Result(List<Request> requests, List<Finding> findings, LedgerRecord ledger, List<Ledger.Fact> facts) {}

    RunAnalysis(Ports ports, Parsing parsing, Limits limits, LongSupplier ids) {
        this.ports = ports;
        this.parsing = parsing;
        this.limits = limits;
        this.ids = ids;
    }

    /**
     * @param responses of that run, in offset order within each partition
     * @param levels of priority that the deployment has
     * @param budget of the whole batch: pages that are not parsed when it is spent fail
     */
    Result of(CrawlRun run, CrawlDefinition definition, List<Received> responses, int levels, Budget budget)
            throws InterruptedException {
        List<Judged> judged = judge(run, definition.depthMode(), responses);
        List<Finding> findings = find(judged, definition, budget);
        Emission emission = new Emission(run, definition.depthMode(), levels, ids);
        emission.decide(findings.stream().flatMap(f -> f.found().stream()).toList(), new DomainQuestions(ports.domains()),
                ports.ledger());
        return result(run, judged, findings, emission);
    }

    /** What becomes of a response that cannot be analysed: it is learnt like any other, and answered as a failure. */
    Result gaveUp(CrawlRun run, CrawlDefinition definition, Received response, String cause) {
        List<Judged> judged = judge(run, definition.depthMode(), List.of(response));
        List<Finding> findings = List.of(Findings.unparsed(judged.getFirst(), cause));
        return result(run, judged, findings, new Emission(run, definition.depthMode(), 1, ids));
    }

    /** Learns all facts in one call, in the order given, and decides by what was known before each. */
    private List<Judged> judge(CrawlRun run, DepthMode mode, List<Received> responses) {
        List<Received> real = responses.stream().filter(r -> r.response().outcome().kind() != OutcomeKind.DUPLICATE).toList();
        List<UrlFacts> before = real.isEmpty()
                ? List.of()
                : ports.ledger().learn(run, real.stream().map(r -> fact(r, mode)).toList());
        List<Judged> judged = new ArrayList<>(responses.size());
        int next = 0;
        for (Received r : responses) {
            if (r.response().outcome().kind() == OutcomeKind.DUPLICATE) {
                judged.add(new Judged(r, false, false));
            } else {
                UrlFacts old = before.get(next++);
                int depth = mode.inLedger(r.response().request().depth());
                judged.add(new Judged(r, LedgerRules.stores(old, r.offset()), LedgerRules.follows(old, depth, r.offset())));
            }
        }
        return judged;
    }

    private static Ledger.Fact fact(Received r, DepthMode mode) {
        int depth = mode.inLedger(r.response().request().depth());
        return new Ledger.Fact(Fingerprint.of(r.response().url()), UrlFacts.responded(depth, r.offset()));
    }

    /** Pages are parsed in parallel; what needs no parser is not sent there. */
    private List<Finding> find(List<Judged> judged, CrawlDefinition definition, Budget budget) throws InterruptedException {
        Findings findings = new Findings(parsing.parsers(), new Admission(limits.urlLength()), limits.redirects(), definition);
        List<Callable<Finding>> jobs = new ArrayList<>();
        for (Judged j : judged) {
            if (Findings.parses(j)) {
                jobs.add(() -> findings.of(j));
            }
        }
        List<ParseThreads.Result<Finding>> parsed = parsing.threads().runAll(jobs, budget);
        List<Finding> all = new ArrayList<>(judged.size());
        int next = 0;
        for (Judged j : judged) {
            if (!Findings.parses(j)) {
                all.add(findings.of(j));
                continue;
            }
            all.add(switch (parsed.get(next++)) {
                case ParseThreads.Result.Done<Finding>(Finding finding) -> finding;
                case ParseThreads.Result.Failed<Finding>(String cause) -> Findings.unparsed(j, cause);
            });
        }
        return all;
    }

    private static Result result(CrawlRun run, List<Judged> judged, List<Finding> findings, Emission emission) {
        Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
        findings.forEach(f -> LedgerEntries.add(refused, f.refused()));
        LedgerEntries.add(refused, emission.refused());
        long bytes = judged.stream().mapToLong(j -> j.response().body().length()).sum();
        LedgerRecord ledger = new LedgerRecord(run, emission.requests().stream().map(LedgerEntries::emitted).toList(),
                LedgerEntries.answered(findings), refused,
                emission.strays(), bytes);
        return new Result(emission.requests(), findings, ledger, emission.facts());
    }
}
