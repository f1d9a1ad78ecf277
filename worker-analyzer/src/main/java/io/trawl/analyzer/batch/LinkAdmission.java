package io.trawl.analyzer.batch;

import io.trawl.model.FetchOptions;
import io.trawl.analyzer.sitemap.SitemapParser;
import io.trawl.analyzer.sitemap.RobotsSitemaps;
import io.trawl.admission.Admission;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.analyzer.extract.Requisites;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.url.DiscoverRules.Origin;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.CookieStates;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RedirectHop;
import io.trawl.scope.LinkFacts;
import io.trawl.scope.PriorityRule;
import io.trawl.scope.ScopeRules;
import java.time.Instant;
import java.util.Optional;

/**
 * What becomes of the links and redirects of a crawl: the preliminary verdict of admission on each, and the request
 * that it leads to. Pure.
 */
final class LinkAdmission {
    static final Refusal UNWANTED = new Refusal(RefusalReason.NOFOLLOW, "the page or the link is marked nofollow");
    static final String ROBOTS_FILE = "/robots.txt";
    private final Admission admission;
    private final int hops;
    private final CrawlDefinition definition;
    private final ScopeRules scope;
    private final LinkRules linkRules;
    private final Optional<Instant> start;

    /** With what a {@link PageResultBuilder} is made of. */
    LinkAdmission(Admission admission, int hops, CrawlDefinition definition, int levels, Optional<Instant> start) {
        this.admission = admission;
        this.hops = hops;
        this.definition = definition;
        this.scope = definition.scopeRules();
        this.linkRules = new LinkRules(levels);
        this.start = start;
    }

    /**
     * The URL that was redirected here, if another request for this one was answered before, or it leads elsewhere
     * after cookies have changed: there may be a cookie now behind which the URL is shown (docs/protocol.md, rule 32).
     */
    Optional<FoundReference> back(JudgedResponse judgedResponse) {
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

    /**
     * An archive has each robots.txt under which a host has given something, once in a run: a requisite of all its
     * answers.
     */
    Optional<FoundReference> robotsFile(JudgedResponse judgedResponse) {
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

    /** The sitemap where a site has it that names none. */
    FoundReference usualSitemap(Request from) {
        BaseUrl site = BaseUrl.of(new NormalUrl(from.url()));
        Candidate sitemap = admission.source(site, site.resolve(RobotsSitemaps.USUAL), FoundReference.depth(from),
                scope);
        return FoundReference.link(sitemap, from, SitemapParser.REQUEST, from.priority(), definition.fetch());
    }

    /** Where a page leads by itself. */
    FoundReference onward(ParsedPage.Onward onward, JudgedResponse judgedResponse) {
        Request from = judgedResponse.request();
        Candidate candidate = admission.resolved(BaseUrl.of(new NormalUrl(from.url())), onward.url(), from.depth(),
                scope);
        return FoundReference.onward(candidate, from, Integer.parseInt(judgedResponse.response().outcome().detail()),
                definition.fetch());
    }

    /** Why a page is not followed to where it leads by itself. */
    Optional<String> obstacle(ParsedPage.Onward onward, ParsedPage parsedPage, Request from) {
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
}
