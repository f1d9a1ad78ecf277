package io.trawl.analyzer.batch;

import io.trawl.admission.Admission;
import io.trawl.admission.AdmissionVerdict;
import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.DomainLookup;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.analyzer.batch.PageResult.Trouble;
import io.trawl.analyzer.batch.ResponseBatchHandler.AnalysisPorts;
import io.trawl.analyzer.batch.ResponseBatchHandler.Parsing;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.parse.ParseThreads.JobResult;
import io.trawl.analyzer.parse.ParseThreads.ParseJob;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.api.Item;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.url.IdentityRules;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.direct.AnalyzeCall;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.scope.PriorityRule;
import io.trawl.scope.ScopeRefusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Analyzes one response for a preview, with the same parsers, rules and admission as a batch and as if its URL had no
 * response yet. Reads the ledger and writes nothing. Thread-safe.
 */
public final class AnalyzeCallHandler {
    private final AnalysisPorts analysisPorts;
    private final Parsing parsing;
    private final AnalysisLimits analysisLimits;
    private final Duration callTimeout;

    /** A reference as it is displayed, the identity of its request, and the preliminary verdict of admission. */
    private record Reference(String displayed, String identity, Candidate candidate, int depth, boolean nofollow,
            Optional<PriorityRule> priority) {}

    /** The parsed response, before the ledger and the domains are consulted about its URLs. */
    private record Read(List<Reference> references, PageResult result, Optional<String> refusal) {
        Read(List<Reference> references, PageResult result) {
            this(references, result, Optional.empty());
        }
    }

    /**
     * @param parseTimeout the time limit for a page; a call takes up to twice as long, because it may wait for a thread
     */
    public AnalyzeCallHandler(AnalysisPorts analysisPorts, Parsing parsing, AnalysisLimits analysisLimits,
            Duration parseTimeout) {
        this.analysisPorts = analysisPorts;
        this.parsing = parsing;
        this.analysisLimits = analysisLimits;
        this.callTimeout = parseTimeout.multipliedBy(2);
    }

    /**
     * Analyzes a response. Blocks during parsing and during calls to Redis.
     *
     * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer
     */
    public AnalyzeAnswer of(AnalyzeCall call, Response response) throws InterruptedException {
        PageResultBuilder pageResultBuilder = new PageResultBuilder(parsing.parsers(),
                new Admission(analysisLimits.urlLength()), analysisLimits.redirects(), call.definition(),
                analysisPorts.control().channels().map(Channels::levels).orElse(Request.MOST_LEVELS),
                Optional.of(start(call, response)));
        JudgedResponse judgedResponse = new JudgedResponse(new ReceivedResponse(response, 0, 0), true, true);
        ParseJob<Read> job = new ParseJob<>(response.body().length(),
                memory -> read(pageResultBuilder, judgedResponse, memory));
        Read read = switch (parsing.threads().runAll(List.of(job), parsing.threads().budget(callTimeout)).getFirst()) {
            case JobResult.JobDone<Read>(Read done) -> done;
            case JobResult.JobFailed<Read>(String cause) ->
                new Read(List.of(), PageResultBuilder.unparsed(judgedResponse, cause));
            case JobResult.JobLate<Read>(String cause) ->
                new Read(List.of(), PageResultBuilder.late(judgedResponse, cause));
        };
        List<Item> items = read.result().items();
        List<String> errors = new ArrayList<>(read.result().errors().stream().map(PageError::cause).toList());
        read.refusal().map(cause -> "the page is not stored: " + cause).ifPresent(errors::add);
        read.result().trouble().map(Trouble::cause).ifPresent(errors::add);
        read.result().cuts().forEach(budget -> errors.add(budget.explanation()));
        return new AnalyzeAnswer(verdicts(call, response, read.references()), items, errors);
    }

    /** A crawl that was not started would start now. */
    private Instant start(AnalyzeCall call, Response response) {
        return call.run().flatMap(run -> analysisPorts.control().crawl(run.crawl())).flatMap(CrawlStatus::startedAt)
                .orElseGet(response::fetchedAt);
    }

    private static Read read(PageResultBuilder pageResultBuilder, JudgedResponse judgedResponse,
            DocumentMemory memory) {
        Response response = judgedResponse.response();
        IdentityRules identity = pageResultBuilder.identity();
        return switch (response.outcome()) {
            case Outcome.Success success -> {
                ParsedPage parsedPage = pageResultBuilder.parse(response, memory);
                PageResult pageResult = pageResultBuilder.page(judgedResponse, success, parsedPage);
                List<Reference> references = references(pageResultBuilder, identity, parsedPage, response);
                pageResult.found().stream().filter(found -> found.redirect().isPresent())
                        .forEach(onward -> references.add(reference(onward, identity, "")));
                yield new Read(references, pageResult,
                        pageResultBuilder.refusal(response.request(), parsedPage).map(ScopeRefusal::cause));
            }
            case Outcome.Redirect redirect -> {
                FoundReference target = pageResultBuilder.links().found(redirect, response.request());
                yield new Read(List.of(reference(target, identity, redirect.location())),
                        pageResultBuilder.of(judgedResponse, memory));
            }
            case Outcome.Unchanged _,Outcome.HttpError _,Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ ->
                new Read(List.of(), pageResultBuilder.of(judgedResponse, memory));
        };
    }

    /** The target of a redirect. @param location as the server wrote it */
    private static Reference reference(FoundReference target, IdentityRules identity, String location) {
        String shown = displayed(location, target.candidate());
        String known = target.candidate() instanceof Candidate.Open open
                ? identity.identity(open.url(), target.wanted())
                : shown;
        return new Reference(shown, known, target.candidate(), target.depth(), false, Optional.empty());
    }

    private static String displayed(String reference, Candidate candidate) {
        return candidate instanceof Candidate.Open open
                ? open.url()
                : io.trawl.admission.UrlNormalizer.shown(reference);
    }

    private static List<Reference> references(PageResultBuilder pageResultBuilder, IdentityRules identity,
            ParsedPage parsedPage, Response response) {
        BaseUrl page = BaseUrl.of(new NormalUrl(response.url()));
        int depth = FoundReference.depth(response.request());
        LinkAdmission links = pageResultBuilder.links();
        List<Reference> references = new ArrayList<>();
        for (ParsedPage.LinkTarget link : parsedPage.requests()) {
            boolean nofollow = link.nofollow() || parsedPage.robots().nofollow();
            Candidate candidate = links.candidate(page, link, parsedPage, response.request());
            references.add(new Reference(link.url().text(),
                    identity.identity(link.url().text(), links.found(candidate, link, response.request()).wanted()),
                    candidate, depth, nofollow,
                    link.options().priority().isPresent()
                            ? Optional.empty()
                            : links.priorityRule(link, response.request())));
        }
        parsedPage.strays().forEach(stray -> references
                .add(new Reference(stray.reference(), stray.reference(), stray.why(), depth, false, Optional.empty())));
        return references;
    }

    private List<LinkVerdict> verdicts(AnalyzeCall call, Response response, List<Reference> references) {
        if (call.run().isEmpty()) {
            Set<String> accepted = call.accepted();
            return references.stream().map(r -> verdict(r, r.candidate().verdict(accepted))).toList();
        }
        CrawlRun run = call.run().get();
        DomainLookup domains = new DomainLookup(analysisPorts.domains());
        long version = Math.max(response.request().domains(), analysisPorts.control().domains(run).version());
        references.forEach(r -> domains.add(run, r.candidate(), version));
        domains.ask();
        Map<String, UrlFacts> known = known(run,
                references.stream().filter(r -> domains.verdict(run, r.candidate()) instanceof Admitted)
                        .map(Reference::identity).distinct().toList());
        DepthMode mode = call.definition().limits().depthMode();
        return references.stream().map(r -> verdict(r, switch (domains.verdict(run, r.candidate())) {
            case Refusal no -> no;
            case Admitted yes ->
                mode.emits(known.getOrDefault(r.identity(), UrlFacts.NOTHING), mode.inLedger(r.depth()))
                        ? yes
                        : new Refusal(RefusalReason.SEEN, "the crawl has already requested this URL");
        })).toList();
    }

    private Map<String, UrlFacts> known(CrawlRun run, List<String> identities) {
        List<UrlFacts> facts = identities.isEmpty()
                ? List.of()
                : analysisPorts.ledger().lookUp(run, identities.stream().map(Fingerprint::of).toList());
        return java.util.stream.IntStream.range(0, identities.size()).boxed()
                .collect(Collectors.toMap(identities::get, (Function<Integer, UrlFacts>) facts::get));
    }

    private static LinkVerdict verdict(Reference reference, AdmissionVerdict admissionVerdict) {
        return switch (admissionVerdict) {
            case Admitted _ -> new LinkVerdict(reference.displayed(), LinkVerdict.ADMITTED, Optional.empty(),
                    reference.nofollow(), reference.priority().map(PriorityRule::toString));
            case Refusal no -> new LinkVerdict(reference.displayed(), no.reason().name(), Optional.of(no.cause()),
                    reference.nofollow(), Optional.empty());
        };
    }
}
