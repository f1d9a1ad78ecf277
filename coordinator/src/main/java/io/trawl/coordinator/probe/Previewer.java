package io.trawl.coordinator.probe;

import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.api.Item;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinitionBuilder;
import io.trawl.definition.RequestOptionRules;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.probe.FieldTrial.FieldValues;
import io.trawl.coordinator.probe.Preview.PreviewAnswer;
import io.trawl.coordinator.probe.PreviewedPages.PreviewedPage;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.direct.ProcessCall;
import io.trawl.direct.ProcessCall.ProcessAnswer;
import io.trawl.extract.rule.ItemField;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.scope.ScopeRules;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Previews URLs: a downloader fetches, an analyzer analyses. Does not write to topics, ledger or totals. Thread-safe.
 */
public final class Previewer {
    private static final Duration PROCESSING = Duration.ofSeconds(20);
    private static final CrawlRun NO_RUN = new CrawlRun(new CrawlId("preview"), 1);
    private final ControlState controlState;
    private final Admission admission;
    private final ModuleCalls calls;
    private final Duration analysis;
    private final LongSupplier ids;
    private final PreviewedPages pages;

    /**
     * @param analysis the time for an analysis
     * @param ids random numbers
     */
    public Previewer(ControlState controlState, Admission admission, ModuleCalls calls, Duration analysis,
            LongSupplier ids, Time time) {
        this.controlState = controlState;
        this.admission = admission;
        this.calls = calls;
        this.analysis = analysis;
        this.ids = ids;
        this.pages = new PreviewedPages(time, ids);
    }

    /**
     * Fetches and analyses a URL now, on any coordinator.
     *
     * @param crawl whose definition, domains and ledger apply; empty: the default definition, which accepts the URL's
     * own domain
     * @param fetcher the name of the fetcher, instead of that of the crawl
     * @param patience the time limit of the fetch, including the host's pauses
     * @throws InvalidValueException if the URL cannot be fetched, or that is no name of a fetcher
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     * @throws DownloaderCalls.HostBusyException if the host may not be asked in time
     * @throws NoWorkerException if no downloader answers
     */
    public Preview preview(String url, Optional<CrawlId> crawl, Optional<String> fetcher, Duration patience)
            throws InterruptedException {
        Candidate.Open target = switch (admission.seed(Optional.of(url), 0, 1, ScopeRules.within(0))) {
            case Candidate.Open open -> open;
            case Refusal no ->
                throw new InvalidValueException("url", url, "an absolute http or https URL: " + no.cause());
        };
        Optional<CrawlStatus> status = crawl.isEmpty()
                ? Optional.empty()
                : Optional.of(controlState.known(crawl.get()));
        CrawlDefinition definition = status.map(CrawlStatus::definition).map(Previewer::needed)
                .orElseGet(() -> CrawlDefinition.of(List.of()));
        Optional<CrawlRun> run = status.map(CrawlStatus::run);
        Request request = RequestBuilder.builder().id(new RequestId(ids.getAsLong())).run(run.orElse(NO_RUN))
                .url(target.url()).host(target.host()).seed(true)
                .domains(run.map(r -> controlState.domains(r).version()).orElse(0L))
                .options(RequestOptionRules.fetchedBy(definition.optionsOf(target.url()), fetcher)).build();
        DownloaderCalls.Fetched fetched = new DownloaderCalls(calls).fetch(request, definition, controlState.channels(),
                patience);
        AnalyzeCall call = new AnalyzeCall(definition, run, run.isPresent() ? Set.of() : Set.of(target.domain()));
        return analyzed(target.url(), fetched, call);
    }

    /**
     * What a field takes of a page that was previewed, without fetching it again.
     *
     * @param page the id that its preview has
     * @throws InvalidValueException if the page is not kept any more, or the field is not valid
     * @throws NoWorkerException if no analyzer answers
     */
    public FieldValues values(String page, ItemField field) throws InterruptedException {
        PreviewedPage kept = pages.page(page);
        AnalyzeCall call = new AnalyzeCall(FieldTrial.definition(field, kept.definition()), Optional.empty(), Set.of());
        return FieldTrial.values(analyze(call, kept.response()).value());
    }

    private Preview analyzed(String url, DownloaderCalls.Fetched fetched, AnalyzeCall call)
            throws InterruptedException {
        Optional<MID> analyzer = Optional.empty();
        AnalyzeAnswer found;
        try {
            ModuleReply.AnswerOf<AnalyzeAnswer> analyzed = analyze(call, fetched.response());
            analyzer = Optional.of(analyzed.by());
            found = judged(url, call.definition(), analyzed.value());
        } catch (NoWorkerException | CallRefusedException e) {
            found = new AnalyzeAnswer(List.of(), List.of(), List.of(String.valueOf(e.getMessage())));
        }
        ProcessAnswer processed = processed(found.items(), call.definition());
        return new Preview(url, pages.keep(fetched.response(), call.definition()), Optional.of(fetched.by()),
                Optional.of(fetched.owner() ? "owner" : "stand-in"), analyzer, PreviewAnswer.of(fetched.response()),
                found.links(), processed.items(), processed.dropped(),
                Stream.concat(found.errors().stream(), processed.errors().stream()).toList());
    }

    /** Any analyzer can; nothing is stored. */
    private ModuleReply.AnswerOf<AnalyzeAnswer> analyze(AnalyzeCall call, Response response)
            throws InterruptedException {
        return calls.any(ModuleKind.ANALYZER,
                ModuleQuestion.post(AnalyzeCall.PATH, FramedResponse.CONTENT_TYPE,
                        FramedResponse.join(Json.bytes(call), FramedResponse.write(response)), analysis,
                        json -> Json.read(json, AnalyzeAnswer.class)));
    }

    /** Without a pipeline, the items are shown as they come from the analyzer. */
    private ProcessAnswer processed(List<Item> items, CrawlDefinition definition) throws InterruptedException {
        if (items.isEmpty()) {
            return new ProcessAnswer(items, List.of(), List.of());
        }
        try {
            return calls.any(ModuleKind.PIPELINE,
                    ModuleQuestion.post(ProcessCall.PATH, new ProcessCall(definition.process(), items), PROCESSING,
                            json -> Json.read(json, ProcessAnswer.class)))
                    .value();
        } catch (NoWorkerException | CallRefusedException e) {
            return new ProcessAnswer(items, List.of(),
                    List.of("the items are shown before item processors: " + e.getMessage()));
        }
    }

    /** Says which rule refuses the URL itself: it is shown all the same. */
    private static AnalyzeAnswer judged(String url, CrawlDefinition definition, AnalyzeAnswer found) {
        return ScopeExplanation
                .refusal(definition,
                        url)
                .map(refusal -> new AnalyzeAnswer(found.links(), found.items(),
                        Stream.concat(Stream.of(
                                "links to this URL are refused: " + refusal.cause() + " (" + refusal.reason() + ")"),
                                found.errors().stream()).toList()))
                .orElse(found);
    }

    /** Only the groups that workers read: there may be many seeds, and webhooks have secrets. */
    private static CrawlDefinition needed(CrawlDefinition known) {
        return CrawlDefinitionBuilder.builder().scope(known.scope()).discover(known.discover())
                .identity(known.identity()).limits(known.limits()).fetch(known.fetch()).extract(known.extract())
                .process(known.process()).priorities(known.priorities()).build();
    }
}
