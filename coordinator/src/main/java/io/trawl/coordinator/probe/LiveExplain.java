package io.trawl.coordinator.probe;

import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.coordinator.api.ExplainDesk;
import io.trawl.coordinator.api.Explanation;
import io.trawl.coordinator.api.Explanation.InFlight;
import io.trawl.coordinator.api.Explanation.Known;
import io.trawl.coordinator.api.Explanation.State;
import io.trawl.coordinator.api.Explanation.Waiting;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.probe.Delays.Delay;
import io.trawl.coordinator.probe.Traces.TracedRequest;
import io.trawl.coordinator.workers.Frontiers;
import io.trawl.coordinator.workers.Frontiers.Look;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Where;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Explains: admission is judged here, the ledger is looked up, the downloader that has the host is asked, and topics are searched for a moment. Nothing is
 * changed. Whatever does not answer is named in the story. Thread-safe.
 */
public final class LiveExplain implements ExplainDesk {
    private static final CrawlRun NO_RUN = new CrawlRun(new CrawlId("explain"), 1);
    private final Book book;
    private final Crawls crawls;
    private final Admission admission;
    private final Witnesses witnesses;
    private final Answers answers;

    /** Knows crawls; what is unknown is looked for once more. */
    @FunctionalInterface
    public interface Crawls {
        /** @throws io.trawl.coordinator.lifecycle.UnknownCrawl if there is none */
        CrawlStatus known(CrawlId crawl) throws InterruptedException;
    }

    /** With these ways to find things out. */
    public LiveExplain(Book book, Crawls crawls, Admission admission, Ledger ledger, Frontiers frontiers, Topicwise topics) {
        this.book = book;
        this.crawls = crawls;
        this.admission = admission;
        Traces traces = new Traces(topics.topics(), topics.lookup(), topics.offsets());
        this.witnesses = new Witnesses(book, ledger, frontiers, traces);
        this.answers = new Answers(traces, topics.topics());
    }

    @Override
    public Explanation url(Optional<CrawlId> crawl, String url) throws InterruptedException {
        Story story = new Story();
        switch (admission.seed(Optional.of(url), 0, 1)) {
            case Refused no -> {
                story.url(UrlNormalizer.shown(url), Optional.empty()).verdict(no.reason().name(), no.cause()).state(State.REFUSED)
                        .say("No crawl takes this URL: " + no.cause() + " (" + no.reason() + ").");
                if (crawl.isPresent()) {
                    story.crawl(crawls.known(crawl.get()));
                }
            }
            case Candidate.Open open -> {
                story.url(UrlNormalizer.shown(url), Optional.of(open.url())).host(open.host().value());
                story.say(
                        open.url().equals(url) ? "The URL is in normal form." : "In normal form the URL is " + open.url() + ".");
                CrawlStatus status = which(crawl, open);
                admitted(story.crawl(status), status, open);
                follow(story, status, open);
            }
        }
        return story.told();
    }

    /** The crawl that is named; else the only one that accepts the domain. */
    private CrawlStatus which(Optional<CrawlId> crawl, Candidate.Open open) throws InterruptedException {
        if (crawl.isPresent()) {
            return crawls.known(crawl.get());
        }
        List<CrawlStatus> accepting = book.crawls().stream().filter(c -> accepts(c, open).isPresent()).toList();
        if (accepting.size() == 1) {
            return accepting.getFirst();
        }
        throw new InvalidValue("crawl", "", accepting.isEmpty()
                ? "the id of a crawl: none accepts the domain " + open.domain()
                : "one of the crawls that accept the domain " + open.domain() + ": "
                        + String.join(", ", accepting.stream().map(c -> c.run().crawl().value()).toList()));
    }

    private Optional<String> accepts(CrawlStatus crawl, Candidate.Open open) {
        Set<String> domains = book.domains(crawl.run()).domains();
        return open.names().stream().filter(domains::contains).findFirst();
    }

    private void admitted(Story story, CrawlStatus crawl, Candidate.Open open) {
        Optional<String> by = accepts(crawl, open);
        if (by.isPresent()) {
            story.verdict("ADMITTED", "the crawl accepts the domain " + by.get())
                    .say("The crawl " + crawl.run() + " (" + crawl.state() + ") accepts its domain " + by.get() + ".");
        } else {
            story.verdict("DOMAIN", "the domain " + open.domain() + " is not accepted").state(State.REFUSED)
                    .say("The crawl " + crawl.run() + " (" + crawl.state() + ") does not accept its domain " + open.domain()
                            + ", so a link to it is refused (DOMAIN). To have it crawled, add the domain.");
        }
    }

    private void follow(Story story, CrawlStatus crawl, Candidate.Open open) throws InterruptedException {
        Optional<UrlFacts> facts = witnesses.facts(story, crawl.run(), open.url());
        boolean exact = crawl.definition().depthMode() == DepthMode.EXACT;
        facts.ifPresent(f -> story.known(known(f, exact)));
        boolean answered = facts.filter(f -> f.first() != UrlFacts.NO_OFFSET).isPresent();
        Optional<Look> look = witnesses.look(story, open.host(), crawl.run(), Optional.of(open.url()));
        Optional<RequestView> request = look.flatMap(LiveExplain::seen).flatMap(FrontierView::request);
        look.flatMap(LiveExplain::seen).ifPresent(view -> story.queue(view.host()));
        boolean flying = request.filter(r -> r.where() == Where.FETCHING || r.where() == Where.ASKING_ROBOTS).isPresent();
        if (flying) {
            fly(story, look.flatMap(LiveExplain::seen).orElseThrow(), request.get());
        }
        if (answered) {
            answers.tell(story, crawl.run(), open, facts.orElseThrow(), exact);
        } else if (!flying) {
            waitOrUnknown(story, crawl, open, facts, look, request);
        }
    }

    /** @param exact whether depths mean anything */
    private static Known known(UrlFacts facts, boolean exact) {
        boolean requested = facts.known() != UrlFacts.NO_DEPTH;
        boolean answered = facts.first() != UrlFacts.NO_OFFSET;
        return new Known(requested || answered, exact && requested ? Optional.of(facts.known()) : Optional.empty(), answered,
                exact && facts.doneDepth() != UrlFacts.NO_DEPTH ? Optional.of(facts.doneDepth()) : Optional.empty(),
                answered ? Optional.of(facts.first()) : Optional.empty());
    }

    private static Optional<FrontierView> seen(Look look) {
        return look instanceof Look.Seen(FrontierView view) ? Optional.of(view) : Optional.empty();
    }

    private static void fly(Story story, FrontierView view, RequestView request) {
        String what = request.where() == Where.FETCHING ? "fetches it now" : "asks for its host's robots.txt now";
        story.flies(new InFlight(view.mid(), request.since().map(view.at()::minus), request.attempts()))
                .say("The downloader " + view.mid() + " " + what
                        + request.since().map(s -> ", since " + Delays.shown(s)).orElse("")
                        + (request.attempts() > 1 ? "; it is attempt " + request.attempts() : "") + ".");
    }

    private void waitOrUnknown(Story story, CrawlStatus crawl, Candidate.Open open, Optional<UrlFacts> facts, Optional<Look> look,
            Optional<RequestView> request) throws InterruptedException {
        boolean known = facts.filter(f -> f.known() != UrlFacts.NO_DEPTH).isPresent();
        Optional<TracedRequest> traced = Optional.empty();
        if (request.isPresent()) {
            traced = witnesses.request(story, look.flatMap(LiveExplain::seen).orElseThrow(), request.get());
        } else if (known || facts.isEmpty()) {
            traced = witnesses.request(story, crawl.run(), open);
        }
        if (known || request.isPresent() || traced.isPresent()) {
            traced.ifPresent(t -> story.say("A request for it stands in " + t.where() + " since " + t.at() + ", at depth "
                    + t.request().depth()
                    + (t.request().parent().isPresent() ? ", found on " + t.request().parent().get() : ", a seed")
                    + "."));
            if (traced.isEmpty()) {
                story.say("A request for it is in Kafka. What it says cannot be told now: it was not found in its topic.");
            }
            waits(story, crawl, open.host(), look, request, traced);
        } else if (witnesses.seedWaits(story, crawl.run(), open.url())) {
            story.state(State.UNKNOWN)
                    .say("It is among the seeds that the leading coordinator has not come to: look whether one leads (/api/summary).");
        } else if (facts.isPresent()) {
            story.say("Nobody has asked for it: no seed and no page that was analysed so far names it"
                    + (story.state() == State.REFUSED ? ", or it was refused." : "."));
        }
    }

    private void waits(Story story, CrawlStatus crawl, HostKey host, Optional<Look> look, Optional<RequestView> request,
            Optional<TracedRequest> traced) {
        int priority = traced.map(t -> t.request().priority()).or(() -> request.map(RequestView::topicPriority)).orElse(0);
        List<Delay> delays = Stream
                .<Optional<Delay>>of(Delays.ofCrawl(crawl, sign(crawl)), look.flatMap(l -> Delays.ofDownloader(host, l)),
                        look.flatMap(LiveExplain::seen).flatMap(view -> inFrontier(view, request, priority)))
                .flatMap(Optional::stream)
                .toList();
        delays.forEach(delay -> story.say(delay.told()));
        Delay first = delays.isEmpty()
                ? new Delay(Explanation.Why.NO_ANSWER, Optional.empty(), Optional.empty(), "")
                : delays.getFirst();
        story.waits(new Waiting(traced.map(TracedRequest::where).orElse("the requests of " + host),
                first.since().or(() -> traced.map(TracedRequest::at)), first.until(), first.why()));
    }

    private static Optional<Delay> inFrontier(FrontierView view, Optional<RequestView> request, int priority) {
        if (request.isEmpty() && view.host().pending().isEmpty()) {
            return Optional.of(new Delay(Explanation.Why.NOT_READ, Optional.empty(), Optional.empty(), "The downloader "
                    + view.mid()
                    + " does not have it in its index: it has not read that far yet, its crawl does not fetch, or it is answered this very moment."));
        }
        return request.flatMap(r -> Delays.ofRequest(view, r)).or(() -> Delays.ofTrouble(view))
                .or(() -> Delays.inLine(view, request, priority)).or(() -> Delays.ofPause(view))
                .or(() -> Optional.of(Delays.atLast(view)));
    }

    private Optional<StopSign> sign(CrawlStatus crawl) {
        return Stream.of(Optional.of(crawl.run().crawl()), Optional.<CrawlId>empty()).flatMap(c -> book.stopSign(c).stream())
                .filter(StopSign::signed).findFirst();
    }

    @Override
    public Explanation host(Optional<CrawlId> crawl, String host) throws InterruptedException {
        Candidate.Open https = site("https://" + host + "/", host);
        boolean port = https.host().value().endsWith(host.substring(host.lastIndexOf(':') + 1)) && host.matches(".*:[0-9]+");
        Optional<CrawlStatus> status = crawl.isPresent()
                ? Optional.of(crawls.known(crawl.get()))
                : book.crawls().stream().filter(c -> accepts(c, https).isPresent()).findFirst();
        CrawlRun run = status.map(CrawlStatus::run).orElse(NO_RUN);
        Story story = new Story();
        Optional<Look> look = witnesses.look(story, https.host(), run, Optional.empty());
        Candidate.Open open = https;
        if (!port && look.flatMap(LiveExplain::seen).filter(view -> busy(view.host())).isEmpty()) {
            Candidate.Open http = site("http://" + host + "/", host);
            Optional<Look> other = witnesses.look(story, http.host(), run, Optional.empty());
            if (other.flatMap(LiveExplain::seen).filter(view -> busy(view.host())).isPresent()) {
                open = http;
                look = other;
            }
        }
        story.host(open.host().value());
        if (status.isPresent()) {
            admitted(story.crawl(status.get()), status.get(), open);
        } else {
            story.verdict("DOMAIN", "no crawl accepts the domain " + open.domain()).state(State.REFUSED)
                    .say("No crawl accepts its domain " + open.domain() + ".");
        }
        queue(story, status, open.host(), look);
        return story.told();
    }

    private Candidate.Open site(String url, String host) {
        return switch (admission.seed(Optional.of(url), 0, 1)) {
            case Candidate.Open open -> open;
            case Refused no ->
                throw new InvalidValue("host", host, "a host name or address, with or without a port: " + no.cause());
        };
    }

    private static boolean busy(HostView host) {
        return !host.pending().isEmpty() || host.inFlight() > 0 || host.closedFor().isPresent() || host.silence().isPresent();
    }

    private void queue(Story story, Optional<CrawlStatus> crawl, HostKey host, Optional<Look> look) {
        Optional<FrontierView> view = look.flatMap(LiveExplain::seen);
        view.ifPresent(v -> HostStory.tell(story.queue(v.host()), v));
        List<Delay> delays = Stream.<Optional<Delay>>of(crawl.flatMap(c -> Delays.ofCrawl(c, sign(c))),
                look.flatMap(l -> Delays.ofDownloader(host, l)),
                view.flatMap(v -> Delays.ofTrouble(v).or(() -> Delays.ofPause(v))))
                .flatMap(Optional::stream).toList();
        delays.forEach(delay -> story.say(delay.told()));
        boolean pending = view.filter(v -> !v.host().pending().isEmpty()).isPresent();
        if (view.filter(v -> v.host().inFlight() > 0).isPresent()) {
            story.flies(new InFlight(view.get().mid(), Optional.empty(), 0));
        } else if ((pending || view.isEmpty()) && !delays.isEmpty()) {
            Delay first = delays.getFirst();
            story.waits(new Waiting("the requests of " + host, first.since(), first.until(), first.why()));
        } else if (pending) {
            Delay last = Delays.atLast(view.get());
            story.waits(new Waiting("the requests of " + host, Optional.empty(), Optional.empty(), last.why())).say(last.told());
        }
    }
}
