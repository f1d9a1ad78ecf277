package io.trawl.analyzer.batch;

import java.util.stream.Stream;
import io.trawl.model.FetchOptions;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.admission.Admission;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.analyzer.batch.PageResult.Trouble;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.api.Item;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.url.IdentityRules;
import io.trawl.extract.Extraction;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.scope.ScopeRefusal;
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
    private static final int MOST_FAULTS = 100;
    private final Parsers parsers;
    private final int hops;
    private final CrawlDefinition definition;
    private final LinkAdmission links;
    private final Extraction extraction;

    /**
     * @param hops the longest chain of redirects that is followed
     * @param levels number of priorities of the deployment
     * @param start when the crawl was started last
     */
    PageResultBuilder(Parsers parsers, Admission admission, int hops, CrawlDefinition definition, int levels,
            Optional<Instant> start) {
        this.parsers = parsers;
        this.hops = hops;
        this.definition = definition;
        this.links = new LinkAdmission(admission, hops, definition, levels, start);
        this.extraction = parsers.extraction(definition.extract().items());
    }

    /** What becomes of its links. */
    LinkAdmission links() {
        return links;
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
        return Stream.concat(links.back(judgedResponse).stream(), links.robotsFile(judgedResponse).stream())
                .reduce(result, PageResult::leadingTo, (_, last) -> last);
    }

    private PageResult resultOf(JudgedResponse judgedResponse, DocumentMemory memory) {
        return switch (judgedResponse.response().outcome()) {
            case Outcome.Success success ->
                parses(judgedResponse) ? page(judgedResponse.unpacked(), success, memory) : plain(judgedResponse);
            case Outcome.Redirect redirect -> redirect(judgedResponse, redirect);
            case Outcome.HttpError e when judgedResponse.request().options().source() ->
                withoutSource(judgedResponse, e);
            case Outcome.HttpError e when judgedResponse.request().options().version().isPresent()
                    && Outcome.HttpError.GONE.contains(e.status()) -> // it is no error that a host has no robots.txt
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
        boolean usual = Stream.of(LinkAdmission.ROBOTS_FILE, RobotsSitemaps.USUAL)
                .anyMatch(path -> site.resolve(path) instanceof NormalUrl(String url) && url.equals(from.url()));
        Optional<Trouble> trouble = Optional
                .of(new Trouble(Optional.of(judgedResponse.response().mid()), judgedResponse.response().attempts(),
                        OutcomeKind.HTTP_ERROR.name(), "the server answered with status " + e.status()));
        List<FoundReference> found = new ArrayList<>();
        RefusalCounts refused = new RefusalCounts();
        if (judgedResponse.follows() && from.options().parser().filter(FetchOptions.ROBOTS::equals).isPresent()) {
            consider(links.usualSitemap(from), found, refused);
        }
        return new PageResult(from.url(), PageResult.answered(judgedResponse, OutcomeKind.HTTP_ERROR, e.detail()),
                List.of(), trouble.filter(_ -> !usual || !Outcome.HttpError.GONE.contains(e.status())), found, refused,
                Set.of(), List.of());
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
            errors.addAll(considerLinks(judgedResponse, parsedPage, foundReference, refused));
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

    private static String notTaken(int entries) {
        return entries == 1 ? "1 entry is damaged" : entries + " entries are damaged";
    }

    /**
     * Adds the links that may be followed, and returns the errors of links whose options are not valid: one for each
     * rule that a parser breaks.
     */
    private List<PageError> considerLinks(JudgedResponse judgedResponse, ParsedPage parsedPage,
            List<FoundReference> foundReference, RefusalCounts refused) {
        Request from = judgedResponse.request();
        BaseUrl page = BaseUrl.of(new NormalUrl(judgedResponse.response().url()));
        Map<String, String> faulty = new LinkedHashMap<>();
        for (ParsedPage.LinkTarget link : parsedPage.requests()) {
            Candidate candidate = links.candidate(page, link, parsedPage, from);
            if (candidate instanceof Refusal no && no.reason() == RefusalReason.MALFORMED) {
                faulty.putIfAbsent(no.cause(), link.url().text());
            }
            consider(links.found(candidate, link, from), foundReference, refused);
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
        Optional<String> obstacle = links.obstacle(onward, parsedPage, from);
        if (obstacle.isPresent()) {
            return obstacle.filter(_ -> foundReference.stream().noneMatch(link -> link.leadsTo(target)))
                    .map(why -> new PageError(PageError.REDIRECTS, "the page is only a refresh to "
                            + UrlNormalizer.shown(target) + ", which is not followed: " + why));
        }
        foundReference.removeIf(link -> link.leadsTo(target));
        consider(links.onward(onward, judgedResponse), foundReference, refused);
        return Optional.empty();
    }

    private PageResult redirect(JudgedResponse judgedResponse, Outcome.Redirect redirect) {
        if (judgedResponse.request().redirects() >= hops) {
            return error(judgedResponse, OutcomeKind.FAILURE, FailureReason.REDIRECTS.name(),
                    "more than " + hops + " redirects in a row, the last one to " + redirect.location());
        }
        List<FoundReference> foundReference = new ArrayList<>();
        RefusalCounts refused = new RefusalCounts();
        if (judgedResponse.follows()) {
            FoundReference target = links.found(redirect, judgedResponse.request());
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
