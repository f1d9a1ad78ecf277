package io.trawl.analyzer.batch;

import java.util.stream.Stream;
import io.trawl.model.FetchOptions;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.admission.Admission;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.analyzer.batch.PageResult.Trouble;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.extract.Requisites;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.api.Item;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.url.DiscoverRules.Origin;
import io.trawl.definition.url.IdentityRules;
import io.trawl.extract.Extraction;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.CookieStates;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RedirectHop;
import io.trawl.model.Response;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.PriorityRule;
import io.trawl.scope.ScopeRefusal;
import io.trawl.scope.ScopeRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Computes the result of one response. Makes no remote calls and has no side effects, so any thread may run it. */
final class PageResultBuilder {
    private static final Refusal UNWANTED = new Refusal(RefusalReason.NOFOLLOW,
            "the page or the link is marked nofollow");
    private static final Set<Integer> MISSING = Set.of(404, 410);
    private static final int MOST_FAULTS = 100;
    private static final String ROBOTS_FILE = "/robots.txt";
    private final Parsers parsers;
    private final Admission admission;
    private final int hops;
    private final CrawlDefinition definition;
    private final ScopeRules scope;
    private final LinkRules linkRules;
    private final Optional<Instant> start;
    private final Extraction extraction;

    /**
     * @param hops the longest chain of redirects that is followed
     * @param levels number of priorities of the deployment
     * @param start when the crawl was started last
     */
    PageResultBuilder(Parsers parsers, Admission admission, int hops, CrawlDefinition definition, int levels,
            Optional<Instant> start) {
        this.parsers = parsers;
        this.admission = admission;
        this.hops = hops;
        this.definition = definition;
        this.scope = definition.scopeRules();
        this.linkRules = new LinkRules(levels);
        this.start = start;
        this.extraction = parsers.extraction(definition.extract().items());
    }

    /** Which URLs are names of one page. */
    IdentityRules identity() {
        return definition.identity();
    }

    /** Whether the response must be parsed. */
    static boolean parses(JudgedResponse judgedResponse) {
        return judgedResponse.response().outcome() instanceof Outcome.Success
                && (judgedResponse.stores() || judgedResponse.follows());
    }

    /**
     * Parses the response if need be and returns its result.
     *
     * @throws DocumentMemory.NotEnoughException if it needs more memory
     */
    PageResult of(JudgedResponse judgedResponse, DocumentMemory memory) {
        PageResult result = resultOf(judgedResponse, memory);
        return Stream.concat(back(judgedResponse).stream(), robotsFile(judgedResponse).stream()).reduce(result,
                PageResult::leadingTo, (_, last) -> last);
    }

    /**
     * The URL that was redirected here, if another request for this one was answered before, or it leads elsewhere
     * after cookies have changed: there may be a cookie now behind which the URL is shown (docs/protocol.md, rule 32).
     */
    private Optional<FoundReference> back(JudgedResponse judgedResponse) {
        Request from = judgedResponse.request();
        if (judgedResponse.stores() && !leadsElsewhere(judgedResponse) || from.options().again()
                || from.redirects() >= hops) {
            return Optional.empty();
        }
        return FoundReference.beginning(from.chain()).map(first -> target(first.url(), from))
                .filter(Candidate.Open.class::isInstance)
                .map(origin -> FoundReference.back(origin, from, definition.fetch()));
    }

    private boolean leadsElsewhere(JudgedResponse judgedResponse) {
        Request from = judgedResponse.request();
        return judgedResponse.follows() && judgedResponse.response().outcome() instanceof Outcome.Redirect redirect
                && RedirectCircle.closedBy(found(redirect, from), definition.identity()).isEmpty()
                && FoundReference.beginning(from.chain())
                        .filter(first -> HostKeyFactory.of(first.url()).equals(from.host()))
                        .flatMap(RedirectHop::cookies).map(CookieStates::asked)
                        .filter(asked -> redirect.cookies().filter(now -> !now.answered().equals(asked)).isPresent())
                        .isPresent();
    }

    private PageResult resultOf(JudgedResponse judgedResponse, DocumentMemory memory) {
        return switch (judgedResponse.response().outcome()) {
            case Outcome.Success success ->
                parses(judgedResponse) ? page(judgedResponse.unpacked(), success, memory) : plain(judgedResponse);
            case Outcome.Redirect redirect -> redirect(judgedResponse, redirect);
            case Outcome.HttpError e when judgedResponse.request().options().source() ->
                withoutSource(judgedResponse, e);
            case Outcome.HttpError e when judgedResponse.request().options().version().isPresent()
                    && MISSING.contains(e.status()) -> // it is no error that a host has no robots.txt
                plain(judgedResponse);
            case Outcome.HttpError e -> error(judgedResponse, OutcomeKind.HTTP_ERROR, e.detail(),
                    "the server answered with status " + e.status());
            case Outcome.Failure e -> error(judgedResponse, OutcomeKind.FAILURE, e.detail(), e.cause());
            case Outcome.Refused refused -> plain(judgedResponse).refusedBy(refused.rule());
            case Outcome.Unchanged _,Outcome.Duplicate _ -> plain(judgedResponse);
        };
    }

    /** The result of a page that could not be analyzed: the whole page fails with this cause. */
    static PageResult unparsed(JudgedResponse judgedResponse, String cause) {
        return unparsed(judgedResponse, cause, Set.of());
    }

    /** The result of a page that was not analyzed in time. */
    static PageResult late(JudgedResponse judgedResponse, String cause) {
        return unparsed(judgedResponse, cause, Set.of(PageBudget.TIME));
    }

    private static PageResult unparsed(JudgedResponse judgedResponse, String cause, Set<PageBudget> cuts) {
        return error(judgedResponse, OutcomeKind.FAILURE, FailureReason.PARSE.name(),
                new Trouble(Optional.empty(), 1, FailureReason.PARSE.name(), cause), cuts);
    }

    private static PageResult plain(JudgedResponse judgedResponse) {
        Outcome outcome = judgedResponse.response().outcome();
        return PageResult.end(judgedResponse, outcome.kind(), outcome.detail());
    }

    /** The result of an error that a downloader reported. */
    private static PageResult error(JudgedResponse judgedResponse, OutcomeKind kind, String detail, String cause) {
        return error(judgedResponse, kind, detail, new Trouble(Optional.of(judgedResponse.response().mid()),
                judgedResponse.response().attempts(), kind == OutcomeKind.HTTP_ERROR ? kind.name() : detail, cause),
                Set.of());
    }

    private static PageResult error(JudgedResponse judgedResponse, OutcomeKind kind, String detail, Trouble trouble,
            Set<PageBudget> cuts) {
        List<Item> items = judgedResponse.stores() && judgedResponse.request().options().page()
                ? List.of(ItemBuilder.error(judgedResponse.response(), kind.name(), detail, trouble.cause()))
                : List.of();
        return PageResult.error(judgedResponse, kind, detail, items, trouble, cuts);
    }

    /** The result of a robots.txt or sitemap that the host does not have: it is no error that a site has neither. */
    private PageResult withoutSource(JudgedResponse judgedResponse, Outcome.HttpError e) {
        Request from = judgedResponse.request();
        BaseUrl site = BaseUrl.of(new NormalUrl(from.url()));
        boolean usual = Stream.of(ROBOTS_FILE, RobotsSitemaps.USUAL)
                .anyMatch(path -> site.resolve(path) instanceof NormalUrl(String url) && url.equals(from.url()));
        Optional<Trouble> trouble = Optional
                .of(new Trouble(Optional.of(judgedResponse.response().mid()), judgedResponse.response().attempts(),
                        OutcomeKind.HTTP_ERROR.name(), "the server answered with status " + e.status()));
        List<FoundReference> found = new ArrayList<>();
        RefusalCounts refused = new RefusalCounts();
        if (judgedResponse.follows() && from.options().parser().filter(FetchOptions.ROBOTS::equals).isPresent()) {
            Candidate sitemap = admission.source(site, site.resolve(RobotsSitemaps.USUAL), FoundReference.depth(from),
                    scope);
            consider(FoundReference.link(sitemap, from, SitemapParser.REQUEST, from.priority(), definition.fetch()),
                    found, refused);
        }
        return new PageResult(from.url(), PageResult.answered(judgedResponse, OutcomeKind.HTTP_ERROR, e.detail()),
                List.of(), trouble.filter(_ -> !usual || !MISSING.contains(e.status())), found, refused, Set.of(),
                List.of());
    }

    /** Runs the parsers and merges their results. */
    ParsedPage parse(Response response, DocumentMemory memory) {
        return parsers.parse(new FetchedPage(response, definition, extraction, memory));
    }

    private PageResult page(JudgedResponse judgedResponse, Outcome.Success success, DocumentMemory memory) {
        return page(judgedResponse, success, parse(judgedResponse.response(), memory));
    }

    /** The result of a parsed page. */
    PageResult page(JudgedResponse judgedResponse, Outcome.Success success, ParsedPage parsedPage) {
        if (parsedPage.failed()) {
            return unparsed(judgedResponse,
                    parsedPage.errors().stream().map(PageError::cause).collect(Collectors.joining("; ")),
                    parsedPage.cuts());
        }
        boolean source = judgedResponse.request().options().source();
        boolean aPage = judgedResponse.request().options().page();
        Optional<ScopeRefusal> refusal = refusal(judgedResponse.request(), parsedPage);
        List<Item> items = judgedResponse.stores() && aPage && refusal.isEmpty()
                ? ItemBuilder.page(judgedResponse.response(), success, parsedPage, definition.extract())
                : List.of();
        List<PageError> errors = new ArrayList<>(parsedPage.errors());
        int lost = parsedPage.fields().get(SitemapParser.NOT_TAKEN) instanceof Integer entries && source ? entries : 0;
        if (!aPage) {
            // It has no item that could name its cuts.
            parsedPage.cuts().forEach(cut -> errors.add(new PageError(PageError.PARSE, cut.explanation())));
        }
        if (lost > 0) {
            errors.add(new PageError(PageError.PARSE, "the sitemap or feed was read in part: " + notTaken(lost)));
            errors.add(new PageError(PageError.ENTRY, notTaken(lost), lost));
        }
        List<FoundReference> foundReference = new ArrayList<>();
        RefusalCounts refused = new RefusalCounts();
        if (judgedResponse.follows() && (refusal.isEmpty() || definition.scope().languageRules().followOthers())) {
            refused.add(parsedPage.notLinks());
            errors.addAll(links(judgedResponse, parsedPage, foundReference, refused));
            if (aPage) {
                parsedPage.onward()
                        .flatMap(onward -> follow(onward, judgedResponse, parsedPage, foundReference, refused))
                        .ifPresent(errors::add);
            }
        }
        AnsweredRequest answer = refusal
                .map(no -> PageResult.answered(judgedResponse, OutcomeKind.REFUSED, no.reason().name()))
                .orElseGet(() -> PageResult.answered(judgedResponse, success.kind(),
                        success.detail() + (lost > 0 ? ", " + notTaken(lost) : "")));
        return new PageResult(judgedResponse.response().url(), answer, items, Optional.empty(), foundReference, refused,
                parsedPage.cuts(), errors).refusedBy(refusal.map(ScopeRefusal::rule));
    }

    /** Why a page is not stored that was fetched and read. */
    Optional<ScopeRefusal> refusal(Request request, ParsedPage parsedPage) {
        return request.options().page()
                ? definition.scope().languageRules().refusal(parsedPage.language())
                : Optional.empty();
    }

    /**
     * An archive has each robots.txt under which a host has given something, once in a run: a requisite of all its
     * answers.
     */
    private Optional<FoundReference> robotsFile(JudgedResponse judgedResponse) {
        if (!definition.archives() || !judgedResponse.follows()
                || !(judgedResponse.response().outcome() instanceof Outcome.Success
                        || judgedResponse.response().outcome() instanceof Outcome.Unchanged)) {
            return Optional.empty();
        }
        Request from = judgedResponse.request();
        BaseUrl site = BaseUrl.of(new NormalUrl(from.url()));
        Candidate file = admission.requisite(site, site.resolve(ROBOTS_FILE), scope);
        return Optional.of(file).filter(Candidate.Open.class::isInstance)
                .map(open -> FoundReference
                        .link(open, from, Requisites.REQUEST, priorityOfRequisites().orElse(from.priority()),
                                definition.fetch())
                        .inVersion(judgedResponse.response().robots().orElse(FetchOptions.NO_FILE)));
    }

    private static String notTaken(int entries) {
        return entries == 1 ? "1 entry is damaged" : entries + " entries are damaged";
    }

    /**
     * Adds the links that may be followed, and returns the errors of links whose options are not valid: one for each
     * rule that a parser breaks.
     */
    private List<PageError> links(JudgedResponse judgedResponse, ParsedPage parsedPage,
            List<FoundReference> foundReference, RefusalCounts refused) {
        Request from = judgedResponse.request();
        BaseUrl page = BaseUrl.of(new NormalUrl(judgedResponse.response().url()));
        Map<String, String> faulty = new LinkedHashMap<>();
        for (ParsedPage.LinkTarget link : parsedPage.requests()) {
            Candidate candidate = candidate(page, link, parsedPage, from);
            if (candidate instanceof Refusal no && no.reason() == RefusalReason.MALFORMED) {
                faulty.putIfAbsent(no.cause(), link.url().text());
            }
            consider(found(candidate, link, from), foundReference, refused);
        }
        return faulty.entrySet().stream().limit(MOST_FAULTS).map(fault -> new PageError(PageError.PARSE,
                fault.getKey() + "; not followed: " + UrlNormalizer.shown(fault.getValue()))).toList();
    }

    /**
     * Follows a page that leads to another by itself like a redirect, if it has no other way on. A link to another host
     * may be none: whether its domain is accepted shows when its request is emitted.
     *
     * @return why it ends there
     */
    private Optional<PageError> follow(ParsedPage.Onward onward, JudgedResponse judgedResponse, ParsedPage parsedPage,
            List<FoundReference> foundReference, RefusalCounts refused) {
        Request from = judgedResponse.request();
        String target = onward.url().text();
        if (foundReference.stream()
                .anyMatch(other -> !other.leadsTo(target) && !other.leadsTo(from.url()) && other.staysAtItsHost())) {
            return Optional.empty();
        }
        Optional<String> obstacle = obstacle(onward, parsedPage, from);
        if (obstacle.isPresent()) {
            return obstacle.filter(_ -> foundReference.stream().noneMatch(link -> link.leadsTo(target)))
                    .map(why -> new PageError(PageError.REDIRECTS, "the page is only a refresh to "
                            + UrlNormalizer.shown(target) + ", which is not followed: " + why));
        }
        foundReference.removeIf(link -> link.leadsTo(target));
        Candidate candidate = admission.resolved(BaseUrl.of(new NormalUrl(from.url())), onward.url(), from.depth(),
                scope);
        consider(FoundReference.onward(candidate, from, Integer.parseInt(judgedResponse.response().outcome().detail()),
                definition.fetch()), foundReference, refused);
        return Optional.empty();
    }

    private Optional<String> obstacle(ParsedPage.Onward onward, ParsedPage parsedPage, Request from) {
        if (parsedPage.robots().nofollow()) {
            return Optional.of(UNWANTED.cause());
        }
        if (!onward.soon()) {
            return Optional.of("it comes after " + onward.seconds() + " s, and discover.links does not name refresh");
        }
        return from.redirects() >= hops ? Optional.of("there were " + hops + " redirects in a row") : Optional.empty();
    }

    /** A link with the options and the level of its request. */
    FoundReference found(Candidate candidate, ParsedPage.LinkTarget link, Request from) {
        return FoundReference.link(candidate, from, link.options(), priority(link, from), definition.fetch());
    }

    /** The target of a redirect with the options of its request. */
    FoundReference found(Outcome.Redirect redirect, Request from) {
        return FoundReference.redirect(target(redirect.location(), from), from,
                from.hop(redirect.status(), redirect.cookies()), definition.fetch());
    }

    /**
     * The level of the request of a link: what its parser says, or else the rules of the crawl, or else that of the
     * page.
     */
    private int priority(ParsedPage.LinkTarget link, Request from) {
        return link.options().priority().or(() -> link.requisite() ? priorityOfRequisites() : Optional.empty())
                .or(() -> priorityRule(link, from).map(PriorityRule::priority)).orElse(from.priority());
    }

    /** Pages that wait for a permit, which may never come, must not stand before the files of stored ones. */
    private Optional<Integer> priorityOfRequisites() {
        return definition.limits().maxPages().map(_ -> linkRules.levels() - 1);
    }

    /** The rule that gives the request of a link its level, unless its parser says another. */
    Optional<PriorityRule> priorityRule(ParsedPage.LinkTarget link, Request from) {
        return PriorityRule.first(definition.priorities(),
                new LinkFacts(link.url().text(), FoundReference.depth(from), link.options().metadata(), start));
    }

    /** The preliminary verdict of admission on a link. */
    Candidate candidate(BaseUrl page, ParsedPage.LinkTarget link, ParsedPage parsedPage, Request from) {
        if (link.requisite()) {
            return from.options().requisite() && from.redirects() >= hops
                    ? new Refusal(RefusalReason.DEPTH, "more than " + hops + " style sheets or redirects in a row")
                    : admission.requisite(page, link.url(), scope);
        }
        if (link.nofollow() || parsedPage.robots().nofollow()) {
            return UNWANTED;
        }
        boolean fromSource = from.options().source();
        Origin wanted = definition.discover().from();
        if (wanted == Origin.SEEDS || !fromSource && !link.source() && !wanted.links()) {
            return new Refusal(RefusalReason.NOFOLLOW,
                    "discover.from is " + wanted.word() + ", so links of pages are not followed");
        }
        if (fromSource && link.source() && from.redirects() >= hops) {
            return new Refusal(RefusalReason.DEPTH, "more than " + hops + " sitemaps or redirects in a row");
        }
        int depth = FoundReference.depth(from);
        Candidate candidate = link.source()
                ? admission.source(page, link.url(), depth, scope)
                : admission.resolved(page, link.url(), depth, scope);
        return candidate instanceof Candidate.Open
                ? linkRules.refusal(link, from).<Candidate>map(no -> no).orElse(candidate)
                : candidate;
    }

    /** The preliminary verdict of admission on the target of a redirect. */
    private Candidate target(String location, Request from) {
        BaseUrl page = BaseUrl.of(new NormalUrl(from.url()));
        if (from.options().requisite()) {
            return admission.requisite(page, page.resolve(location), scope);
        }
        return from.options().source()
                ? admission.source(page, page.resolve(location), from.depth(), scope)
                : admission.reference(page, location, from.depth(), scope);
    }

    private PageResult redirect(JudgedResponse judgedResponse, Outcome.Redirect redirect) {
        if (judgedResponse.request().redirects() >= hops) {
            return error(judgedResponse, OutcomeKind.FAILURE, FailureReason.REDIRECTS.name(),
                    "more than " + hops + " redirects in a row, the last one to " + redirect.location());
        }
        List<FoundReference> foundReference = new ArrayList<>();
        RefusalCounts refused = new RefusalCounts();
        if (judgedResponse.follows()) {
            FoundReference target = found(redirect, judgedResponse.request());
            Optional<RedirectCircle> circle = RedirectCircle.closedBy(target, definition.identity());
            if (circle.isPresent() && !circle.get().opens()) {
                return error(judgedResponse, OutcomeKind.FAILURE, FailureReason.REDIRECTS.name(), circle.get().cause());
            }
            consider(circle.isPresent() ? target.again() : target, foundReference, refused);
        }
        return new PageResult(judgedResponse.response().url(),
                PageResult.answered(judgedResponse, redirect.kind(), redirect.detail()), List.of(), Optional.empty(),
                foundReference, refused, Set.of(), List.of());
    }

    private static void consider(FoundReference candidate, List<FoundReference> foundReference, RefusalCounts refused) {
        if (candidate.candidate() instanceof Refusal no) {
            refused.add(no);
        } else {
            foundReference.add(candidate);
        }
    }
}
