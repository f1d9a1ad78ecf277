package io.trawl.coordinator.probe;

import io.trawl.coordinator.summary.Tally;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.RequestOptionRules;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.probe.AnswerSearch.ItemSearch;
import io.trawl.coordinator.probe.DelayReasons.Delay;
import io.trawl.coordinator.probe.Explanation.Known;
import io.trawl.coordinator.probe.Explanation.State;
import io.trawl.coordinator.probe.Explanation.Waiting;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.coordinator.probe.UrlRecords.TracedRequest;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Where;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Request;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.ScopeRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Explains where a URL or a host is: it applies the rules of admission, reads the ledger, calls the downloader that
 * owns the host, and searches the topics for a limited time. Has no side effects. The explanation mentions servers that
 * do not answer. Thread-safe.
 */
public final class Explainer {
    private static final CrawlRun NO_RUN = new CrawlRun(new CrawlId("explain"), 1);
    private static final ScopeRules ANY = ScopeRules.within(0);
    private final ControlState controlState;
    private final Admission admission;
    private final ExplainSources explainSources;
    private final AnswerSearch answerSearch;
    private final VisitSearch visitSearch;
    private final Tally tally;

    /**
     * @param stored finds items, which outlive the responses
     * @param tally knows the domains of seeds
     */
    public Explainer(ControlState controlState, Admission admission, Ledger ledger, ModuleCalls calls,
            UrlRecords urlRecords, ItemSearch stored, Tally tally) {
        this.tally = tally;
        this.controlState = controlState;
        this.admission = admission;
        this.explainSources = new ExplainSources(controlState, ledger, calls, urlRecords);
        this.answerSearch = new AnswerSearch(urlRecords, stored);
        this.visitSearch = new VisitSearch(urlRecords);
    }

    /**
     * Explains where a URL is, and why. Any coordinator answers. The explanation mentions servers that do not answer
     * and continues without them.
     *
     * @param crawl empty: the crawl that accepts the URL's domain
     * @param asked with what method and body the URL is asked
     * @throws InvalidValueException if {@code crawl} is empty, and none or several crawls accept the domain, or if
     * method and body are not valid
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public Explanation url(Optional<CrawlId> crawl, String url, FetchOptions asked) throws InterruptedException {
        RequestOptionRules.faults(asked).stream().findFirst().ifPresent(fault -> {
            throw new InvalidValueException(fault.field(), fault.value(), fault.rule());
        });
        ExplanationBuilder explanationBuilder = Explanation.begin();
        switch (admission.seed(Optional.of(url), 0, 1, ANY)) {
            case Refusal no -> {
                explanationBuilder.url(UrlNormalizer.shown(url)).verdict(no.reason().name()).rule(no.cause())
                        .state(State.REFUSED)
                        .addStory("No crawl accepts this URL: " + no.cause() + " (" + no.reason() + ").");
                if (crawl.isPresent()) {
                    CrawlStatus status = controlState.known(crawl.get());
                    explanationBuilder.run(status.run()).crawlState(status.state());
                }
            }
            case Candidate.Open open -> {
                explanationBuilder.url(UrlNormalizer.shown(url)).normal(open.url()).host(open.host().value());
                explanationBuilder.addStory(open.url().equals(url)
                        ? "The URL is in normal form."
                        : "In normal form the URL is " + open.url() + ".");
                CrawlStatus status = crawlOf(crawl, open);
                FetchOptions sent = status.definition().fetch().sent(asked, open.url());
                ExplainedRequest requested = explainSources.requested(status,
                        new ExplainedRequest(open.host(), open.url(), sent, status.definition().identity()));
                explanationBuilder.run(status.run()).crawlState(status.state());
                if (requested.sent().requisite()) {
                    explanationBuilder.verdict("ADMITTED").rule("a page needs it")
                            .addStory("The crawl " + status.run() + " (" + state(status)
                                    + ") fetches it as a requisite: a file that a page needs to look as it does.");
                } else {
                    admitted(explanationBuilder, status, open);
                    if (accepts(status, open).isPresent()) {
                        ScopeExplanation.scope(explanationBuilder, status.definition(), open.url());
                    }
                }
                status.definition().identity().canonical(open.url(), sent).ifPresent(canonical -> explanationBuilder
                        .addStory("It is a name of the page " + canonical + ": the crawl requests one of its names."));
                sent.method().ifPresent(method -> explanationBuilder.addStory("The request is a " + method
                        + (sent.body().isPresent() ? " with a body." : " without a body.")));
                Optional<Request> next = visitSearch.find(explanationBuilder, status, requested);
                if (next.flatMap(Request::visit).filter(visit -> visit.carried() > 0).isPresent()) {
                    explanationBuilder.addStory("This run does not visit it: its visit is left for the next refresh.");
                } else {
                    follow(explanationBuilder, status, requested);
                }
                next.ifPresent(visit -> VisitSearch.explain(explanationBuilder, status, visit));
            }
        }
        return explanationBuilder.build();
    }

    /** The given crawl; else the only one that accepts the domain. */
    private CrawlStatus crawlOf(Optional<CrawlId> crawl, Candidate.Open open) throws InterruptedException {
        if (crawl.isPresent()) {
            return controlState.known(crawl.get());
        }
        List<CrawlStatus> accepting = controlState.crawls().stream().filter(c -> accepts(c, open).isPresent()).toList();
        if (accepting.size() == 1) {
            return accepting.getFirst();
        }
        throw new InvalidValueException("crawl", "",
                accepting.isEmpty()
                        ? "the id of a crawl: none accepts the domain " + open.domain()
                        : "one of the crawls that accept the domain " + open.domain() + ": "
                                + String.join(", ", accepting.stream().map(c -> c.run().crawl().value()).toList()));
    }

    private Optional<String> accepts(CrawlStatus crawl, Candidate.Open open) {
        Set<String> domains = controlState.domains(crawl.run()).domains();
        return open.names().stream().filter(domains::contains).findFirst()
                .or(() -> Optional.of(open.domain()).filter(domain -> tally.accepts(crawl.run(), domain)));
    }

    private void admitted(ExplanationBuilder explanationBuilder, CrawlStatus crawl, Candidate.Open open) {
        Optional<String> by = accepts(crawl, open);
        if (by.isPresent()) {
            explanationBuilder.verdict("ADMITTED").rule("the crawl accepts the domain " + by.get()).addStory(
                    "The crawl " + crawl.run() + " (" + state(crawl) + ") accepts its domain " + by.get() + ".");
        } else {
            explanationBuilder.verdict("DOMAIN").rule("the domain " + open.domain() + " is not accepted")
                    .state(State.REFUSED)
                    .addStory("The crawl " + crawl.run() + " (" + state(crawl) + ") does not accept its domain "
                            + open.domain() + ", so links to it are refused (DOMAIN). To crawl it, "
                            + (crawl.definition().scope().ofSeeds() ? "submit a seed of it." : "add the domain."));
        }
    }

    private static String state(CrawlStatus crawl) {
        return crawl.condition() + (crawl.closed() ? " and closed: it gets no new request" : "");
    }

    private void follow(ExplanationBuilder explanationBuilder, CrawlStatus crawl, ExplainedRequest asked)
            throws InterruptedException {
        Optional<UrlFacts> facts = explainSources.facts(explanationBuilder, crawl, asked);
        boolean exact = crawl.depthMode() != DepthMode.DISCOVERY;
        Optional<Known> known = facts.map(f -> Known.of(f, exact));
        known.ifPresent(explanationBuilder::known);
        int depth = known.flatMap(Known::depth).orElse(1);
        boolean answered = facts.filter(f -> f.first() != UrlFacts.NO_OFFSET).isPresent();
        Optional<ModuleReply<FrontierView>> reply = explainSources.reply(explanationBuilder, asked.host(), crawl.run(),
                Optional.of(asked));
        Optional<RequestView> request = reply.flatMap(ModuleReply::answer).flatMap(FrontierView::request);
        reply.flatMap(ModuleReply::answer).ifPresent(view -> explanationBuilder.queue(view.host()));
        boolean inFlight = request.filter(r -> r.where() == Where.FETCHING || r.where() == Where.ASKING_ROBOTS)
                .isPresent();
        if (inFlight) {
            HostExplanation.inFlight(explanationBuilder, reply.flatMap(ModuleReply::answer).orElseThrow(),
                    request.orElseThrow());
        }
        Optional<Request> found = Optional.empty();
        if (answered) {
            found = answerSearch.explain(explanationBuilder, crawl, asked, facts.orElseThrow(), exact);
        } else if (!inFlight) {
            found = waitingOrUnknown(explanationBuilder, crawl, asked, facts, reply, request);
        }
        Map<String, String> metadata = found.map(one -> one.options().metadata()).orElse(Map.of());
        ScopeExplanation.priority(explanationBuilder, crawl.definition(),
                new LinkFacts(asked.url(), depth, metadata, crawl.startedAt()), found.isPresent());
    }

    /** Explains what is neither answered nor in flight, and returns its request, if that was found. */
    private Optional<Request> waitingOrUnknown(ExplanationBuilder explanationBuilder, CrawlStatus crawl,
            ExplainedRequest asked, Optional<UrlFacts> facts, Optional<ModuleReply<FrontierView>> reply,
            Optional<RequestView> request) throws InterruptedException {
        boolean known = facts.filter(f -> f.known() != UrlFacts.NO_DEPTH).isPresent();
        Optional<TracedRequest> traced = Optional.empty();
        if (request.isPresent()) {
            traced = explainSources.request(explanationBuilder, reply.flatMap(ModuleReply::answer).orElseThrow(),
                    request.orElseThrow());
        }
        // A downloader may know the place of a record that was written again elsewhere, and trimmed there.
        if (traced.isEmpty() && (request.isPresent() || known || facts.isEmpty())) {
            traced = explainSources.request(explanationBuilder, crawl.run(), asked);
        }
        if (known || request.isPresent() || traced.isPresent()) {
            traced.ifPresent(t -> explanationBuilder.addStory("Its request is in " + t.where() + " since " + t.at()
                    + ", at depth " + t.request().depth()
                    + (t.request().parent().isPresent() ? ", found on " + t.request().parent().get() : ", a seed")
                    + "."));
            traced.map(TracedRequest::request).ifPresent(its -> VisitSearch.early(explanationBuilder, its));
            if (traced.isEmpty()) {
                explanationBuilder.addStory("Its request is in Kafka, but was not found in the topic.");
            }
            waits(explanationBuilder, crawl, asked.host(), reply, request, traced);
        } else if (explainSources.seedPending(explanationBuilder, crawl.run(), asked)) {
            explanationBuilder.state(State.UNKNOWN)
                    .addStory("Its seed is not admitted yet: check whether a coordinator leads (/api/v1/summary).");
        } else if (facts.isPresent()) {
            explanationBuilder.addStory("It is not requested: no seed and no analysed page refers to it"
                    + (explanationBuilder.state() == State.REFUSED ? ", or it was refused." : "."));
        }
        return traced.map(TracedRequest::request);
    }

    private void waits(ExplanationBuilder explanationBuilder, CrawlStatus crawl, HostKey host,
            Optional<ModuleReply<FrontierView>> reply, Optional<RequestView> request, Optional<TracedRequest> traced) {
        int priority = traced.map(t -> t.request().priority()).or(() -> request.map(RequestView::topicPriority))
                .orElse(0);
        List<Delay> delays = explainSources.delays(explanationBuilder, Optional.of(crawl), host,
                request.isPresent() ? Optional.empty() : controlState.channels(), reply,
                view -> DelayReasons.inFrontier(view, request, priority));
        Delay first = delays.isEmpty()
                ? new Delay(Explanation.Why.NO_ANSWER, Optional.empty(), Optional.empty(), "")
                : delays.getFirst();
        explanationBuilder.state(State.WAITING)
                .waiting(new Waiting(traced.map(TracedRequest::where).orElse("the requests of " + host),
                        first.since().or(() -> traced.map(TracedRequest::at)), first.until(), first.why()));
    }

    /**
     * Explains the state of a host in the same way.
     *
     * @param host with or without a port; the default is 443, or 80 if only that one has requests
     */
    public Explanation host(Optional<CrawlId> crawl, String host) throws InterruptedException {
        Candidate.Open https = site("https://" + host + "/", host);
        boolean port = https.host().value().endsWith(host.substring(host.lastIndexOf(':') + 1))
                && host.matches(".*:[0-9]+");
        Optional<CrawlStatus> status = crawl.isPresent()
                ? Optional.of(controlState.known(crawl.get()))
                : controlState.crawls().stream().filter(c -> accepts(c, https).isPresent()).findFirst();
        CrawlRun run = status.map(CrawlStatus::run).orElse(NO_RUN);
        ExplanationBuilder explanationBuilder = Explanation.begin();
        Optional<ModuleReply<FrontierView>> reply = explainSources.reply(explanationBuilder, https.host(), run,
                Optional.empty());
        Candidate.Open open = https;
        if (!port && reply.flatMap(ModuleReply::answer).filter(view -> HostExplanation.busy(view.host())).isEmpty()) {
            Candidate.Open http = site("http://" + host + "/", host);
            Optional<ModuleReply<FrontierView>> other = explainSources.reply(explanationBuilder, http.host(), run,
                    Optional.empty());
            if (other.flatMap(ModuleReply::answer).filter(view -> HostExplanation.busy(view.host())).isPresent()) {
                open = http;
                reply = other;
            }
        }
        explanationBuilder.host(open.host().value());
        if (status.isPresent()) {
            explanationBuilder.run(status.get().run()).crawlState(status.get().state());
            admitted(explanationBuilder, status.get(), open);
        } else {
            explanationBuilder.verdict("DOMAIN").rule("no crawl accepts the domain " + open.domain())
                    .state(State.REFUSED).addStory("No crawl accepts its domain " + open.domain() + ".");
        }
        Optional<FrontierView> view = reply.flatMap(ModuleReply::answer);
        view.ifPresent(v -> HostExplanation.explain(explanationBuilder.queue(v.host()), v));
        List<Delay> delays = explainSources.delays(explanationBuilder, status, open.host(), Optional.empty(), reply,
                v -> DelayReasons.ofHost(v).or(() -> DelayReasons.ofPause(v)));
        HostExplanation.queue(explanationBuilder, open.host(), view, delays);
        return explanationBuilder.build();
    }

    private Candidate.Open site(String url, String host) {
        return switch (admission.seed(Optional.of(url), 0, 1, ANY)) {
            case Candidate.Open open -> open;
            case Refusal no -> throw new InvalidValueException("host", host,
                    "a host name or address, with or without a port: " + no.cause());
        };
    }
}
