package io.trawl.analyzer.batch;

import io.trawl.admission.Admission;
import io.trawl.admission.Admitted;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.DomainQuestions;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.admission.Verdict;
import io.trawl.analyzer.parse.Analyzed;
import io.trawl.analyzer.parse.ParseThreads.Result;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.direct.AnalyzeCall;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.LedgerRules;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Item;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What one response would lead to, for somebody who wants to see it: the same parsers, rules and admission as for a batch, as if its URL had not been
 * answered before. Asks the ledger and tells it nothing, writes nothing. Thread-safe.
 */
public final class DirectAnalysis {
    private final Ports ports;
    private final Parsing parsing;
    private final Limits limits;
    private final Duration patience;

    /** A reference as it is shown, with what admission says so far. */
    private record Reference(String shown, Candidate candidate, int depth, boolean nofollow) {}

    /** What was read out of a response, before anything is asked about the URLs it names. */
    private record Read(List<Reference> references, Finding finding) {}

    /** @param patience for how long the page is parsed, waiting for a thread included: twice as long */
    public DirectAnalysis(Ports ports, Parsing parsing, Limits limits, Duration patience) {
        this.ports = ports;
        this.parsing = parsing;
        this.limits = limits;
        this.patience = patience.multipliedBy(2);
    }

    /**
     * Analyses a response. Blocks while it is parsed and while Redis is asked.
     *
     * @throws io.trawl.ledger.LedgerUnavailable if Redis does not answer
     */
    public AnalyzeAnswer of(AnalyzeCall call, Response response) throws InterruptedException {
        Findings findings = new Findings(parsing.parsers(), new Admission(limits.urlLength()), limits.redirects(),
                call.definition());
        Judged judged = new Judged(new Received(response, 0, 0), true, true);
        Callable<Read> job = () -> read(findings, judged);
        Read read = switch (parsing.threads().runAll(List.of(job), parsing.threads().budget(patience)).getFirst()) {
            case Result.Done<Read>(Read done) -> done;
            case Result.Failed<Read>(String cause) -> new Read(List.of(), Findings.unparsed(judged, cause));
        };
        List<Item> items = read.finding().item().stream().toList();
        List<String> errors = new ArrayList<>(read.finding().errors());
        items.stream().flatMap(item -> Optional.ofNullable(item.fields().get("cause")).stream()).map(String::valueOf)
                .forEach(errors::add);
        return new AnalyzeAnswer(verdicts(call, response, read.references()), items, errors);
    }

    private static Read read(Findings findings, Judged judged) {
        Response response = judged.response();
        return switch (response.outcome()) {
            case Outcome.Page page -> {
                Analyzed analyzed = findings.parse(response);
                yield new Read(references(findings, analyzed, response), findings.page(judged, page, analyzed));
            }
            case Outcome.Redirect redirect -> {
                Candidate target = findings.target(redirect, response.request());
                yield new Read(
                        List.of(new Reference(shown(redirect.location(), target), target, response.request().depth(), false)),
                        findings.of(judged));
            }
            case Outcome.HttpError _,Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ ->
                new Read(List.of(), findings.of(judged));
        };
    }

    private static String shown(String reference, Candidate candidate) {
        return candidate instanceof Candidate.Open open ? open.url() : io.trawl.admission.UrlNormalizer.shown(reference);
    }

    private static List<Reference> references(Findings findings, Analyzed analyzed, Response response) {
        BaseUrl page = BaseUrl.of(new NormalUrl(response.url()));
        int depth = response.request().depth() + 1;
        List<Reference> references = new ArrayList<>();
        for (Analyzed.Target link : analyzed.links().orElse(List.of())) {
            boolean nofollow = link.nofollow() || analyzed.robots().nofollow();
            references.add(new Reference(link.url().text(), findings.candidate(page, link, analyzed, response.request()), depth,
                    nofollow));
        }
        analyzed.strays().forEach(stray -> references.add(new Reference(stray.reference(), stray.why(), depth, false)));
        return references;
    }

    private List<LinkVerdict> verdicts(AnalyzeCall call, Response response, List<Reference> references) {
        if (call.run().isEmpty()) {
            Set<String> accepted = call.accepted();
            return references.stream().map(r -> verdict(r, r.candidate().verdict(accepted))).toList();
        }
        CrawlRun run = call.run().get();
        DomainQuestions domains = new DomainQuestions(ports.domains());
        long version = Math.max(response.request().domains(), ports.control().domains(run).version());
        references.forEach(r -> domains.add(run, r.candidate(), version));
        domains.ask();
        Map<String, UrlFacts> known = known(run, references.stream()
                .filter(r -> domains.verdict(run, r.candidate()) instanceof Admitted).map(Reference::shown).distinct().toList());
        DepthMode mode = call.definition().depthMode();
        return references.stream().map(r -> verdict(r, switch (domains.verdict(run, r.candidate())) {
            case Refused no -> no;
            case Admitted yes -> LedgerRules.emits(known.getOrDefault(yes.url(), UrlFacts.NOTHING), mode.inLedger(r.depth()))
                    ? yes
                    : new Refused(RefusalReason.SEEN, "the crawl knows it already");
        })).toList();
    }

    private Map<String, UrlFacts> known(CrawlRun run, List<String> urls) {
        List<UrlFacts> facts = urls.isEmpty()
                ? List.of()
                : ports.ledger().lookUp(run, urls.stream().map(Fingerprint::of).toList());
        return java.util.stream.IntStream.range(0, urls.size()).boxed()
                .collect(Collectors.toMap(urls::get, (Function<Integer, UrlFacts>) facts::get));
    }

    private static LinkVerdict verdict(Reference reference, Verdict verdict) {
        return switch (verdict) {
            case Admitted _ -> new LinkVerdict(reference.shown(), LinkVerdict.ADMITTED, Optional.empty(), reference.nofollow());
            case Refused no ->
                new LinkVerdict(reference.shown(), no.reason().name(), Optional.of(no.cause()), reference.nofollow());
        };
    }
}
