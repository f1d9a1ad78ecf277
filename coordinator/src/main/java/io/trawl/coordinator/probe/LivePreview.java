package io.trawl.coordinator.probe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refused;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.api.Preview;
import io.trawl.coordinator.api.PreviewDesk;
import io.trawl.coordinator.workers.Analyses;
import io.trawl.coordinator.workers.Downloads;
import io.trawl.coordinator.workers.NoWorker;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValue;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import io.trawl.model.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Previews: a downloader fetches, an analyzer analyses, and nothing of it comes into a topic, the ledger or a total. Thread-safe.
 */
public final class LivePreview implements PreviewDesk {
    /** What workers must know of a definition; its seeds may be very many, and other fields may be secret. */
    private static final List<String> NEEDED = List.of("depth", "delay", "userAgent", "text", "profile", "proxy");
    private static final CrawlRun NO_RUN = new CrawlRun(new CrawlId("preview"), 1);
    private final ControlView control;
    private final LiveExplain.Crawls crawls;
    private final Admission admission;
    private final Downloads downloads;
    private final Analyses analyses;
    private final LongSupplier ids;

    /** @param ids random numbers */
    public LivePreview(ControlView control, LiveExplain.Crawls crawls, Admission admission, Downloads downloads,
            Analyses analyses, LongSupplier ids) {
        this.control = control;
        this.crawls = crawls;
        this.admission = admission;
        this.downloads = downloads;
        this.analyses = analyses;
        this.ids = ids;
    }

    @Override
    public Preview preview(String url, Optional<CrawlId> crawl, Duration patience) throws InterruptedException {
        Candidate.Open target = switch (admission.seed(Optional.of(url), 0, 1)) {
            case Candidate.Open open -> open;
            case Refused no -> throw new InvalidValue("url", url, "an absolute http or https URL: " + no.cause());
        };
        Optional<CrawlStatus> status = crawl.isEmpty() ? Optional.empty() : Optional.of(crawls.known(crawl.get()));
        CrawlDefinition definition = needed(status);
        Optional<CrawlRun> run = status.map(CrawlStatus::run);
        Request request = new Request(new RequestId(ids.getAsLong()), run.orElse(NO_RUN), target.url(), target.host(), 0, 0, 0,
                true, run.map(r -> control.domains(r).version()).orElse(0L), Optional.empty(), FetchOptions.NONE);
        Downloads.Fetched fetched = downloads.fetch(request, definition, control.channels(), patience);
        AnalyzeCall call = new AnalyzeCall(definition, run, run.isPresent() ? Set.of() : Set.of(target.domain()));
        return analyzed(target.url(), fetched, call);
    }

    private Preview analyzed(String url, Downloads.Fetched fetched, AnalyzeCall call) throws InterruptedException {
        try {
            Analyses.Analyzed analyzed = analyses.analyze(call, fetched.response());
            return preview(url, fetched, Optional.of(analyzed.by()), analyzed.answer());
        } catch (NoWorker e) {
            return preview(url, fetched, Optional.empty(),
                    new AnalyzeAnswer(List.of(), List.of(), List.of(String.valueOf(e.getMessage()))));
        }
    }

    private static Preview preview(String url, Downloads.Fetched fetched, Optional<io.trawl.model.MID> analyzer,
            AnalyzeAnswer found) {
        return new Preview(url, fetched.by(), fetched.owner() ? "owner" : "stand-in", analyzer, answer(fetched.response()),
                found.links(), found.items(), found.errors());
    }

    private static CrawlDefinition needed(Optional<CrawlStatus> status) {
        try {
            ObjectNode fields = status.map(s -> Json.mapper().<ObjectNode>valueToTree(s.definition()))
                    .orElseGet(() -> Json.mapper().createObjectNode());
            return Json.mapper().treeToValue(fields.retain(NEEDED), CrawlDefinition.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a definition cannot be read again", e);
        }
    }

    private static Preview.Answer answer(Response response) {
        Outcome outcome = response.outcome();
        Optional<Integer> status = switch (outcome) {
            case Outcome.Page page -> Optional.of(page.status());
            case Outcome.Redirect redirect -> Optional.of(redirect.status());
            case Outcome.HttpError error -> Optional.of(error.status());
            case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> Optional.empty();
        };
        Optional<String> redirect = outcome instanceof Outcome.Redirect r ? Optional.of(r.location()) : Optional.empty();
        Optional<String> failure = switch (outcome) {
            case Outcome.Failure f -> Optional.of(f.reason() + ": " + f.cause());
            case Outcome.Refused r -> Optional.of(r.reason() + ": " + r.cause());
            case Outcome.HttpError e -> Optional.of("HTTP_ERROR: the server answered with status " + e.status());
            case Outcome.Page _,Outcome.Redirect _,Outcome.Duplicate _ -> Optional.empty();
        };
        return new Preview.Answer(outcome.kind(), status,
                Optional.of(response.header("content-type")).filter(type -> !type.isEmpty()), response.body().length(),
                response.took(), redirect, outcome instanceof Outcome.Page page && page.truncated(), failure);
    }
}
