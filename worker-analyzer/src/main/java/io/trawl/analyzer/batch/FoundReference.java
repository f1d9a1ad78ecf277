package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.api.LinkOptions;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Request.RedirectHop;
import java.util.List;
import java.util.Optional;

/**
 * A reference that may become a request.
 *
 * @param candidate the preliminary verdict of admission
 * @param from the request whose response named it
 * @param redirect that of {@code from}, if it is the target of one; empty for a link
 * @param priority of its request, within or beyond the levels of the deployment
 * @param wanted the options of its request, if that goes to the same server
 * @param onward whether it is the target of a page, and a redirect only if that has no other way on
 */
record FoundReference(Candidate candidate, Request from, Optional<RedirectHop> redirect, int priority,
        FetchOptions wanted, boolean onward) {
    private FoundReference(Candidate candidate, Request from, Optional<RedirectHop> redirect, int priority,
            FetchOptions wanted) {
        this(candidate, from, redirect, priority, wanted, false);
    }

    private static final int SEE_OTHER = 303;
    /** The depth of requisites: whatever the depth of the page, each is fetched once. */
    private static final int REQUISITES = 0;

    /** A link. @param options that its parser gave it; without a method among them, the rules of the crawl say it */
    static FoundReference link(Candidate candidate, Request from, LinkOptions options, int priority, FetchRules rules) {
        FetchOptions own = LinkRules.options(options, from);
        return new FoundReference(candidate, from, Optional.empty(), priority,
                options.method().isPresent() ? own : sent(own, candidate, rules));
    }

    /**
     * The target of a redirect, which inherits the options. That of a GET has the method that the rules of the crawl
     * say; else the redirect says it.
     */
    static FoundReference redirect(Candidate candidate, Request from, RedirectHop hop, FetchRules rules) {
        FetchOptions inherited = from.options().redirected(hop.status()).withAgain(false);
        return new FoundReference(candidate, from, Optional.of(hop), from.priority(),
                from.options().method().isPresent() ? inherited : sent(inherited, candidate, rules));
    }

    /** The target of a page that only leads to another one: a redirect to what is to be got. */
    static FoundReference onward(Candidate candidate, Request from, int status, FetchRules rules) {
        return new FoundReference(candidate, from, Optional.of(from.hop(status, Optional.empty())), from.priority(),
                sent(from.options().redirected(SEE_OTHER).withAgain(false), candidate, rules), true);
    }

    /** The URL at which the redirects to a request began, which is asked again (docs/protocol.md, rule 32). */
    static FoundReference back(Candidate candidate, Request from, FetchRules rules) {
        return new FoundReference(candidate, from, Optional.of(from.chain().getLast()), from.priority(),
                sent(from.options().redirected(SEE_OTHER).withAgain(true), candidate, rules));
    }

    /** The first of these redirects, if cookies are kept for its host, and none of their URLs was asked again. */
    static Optional<RedirectHop> beginning(List<RedirectHop> chain) {
        boolean once = chain.stream().map(RedirectHop::url).distinct().count() == chain.size();
        return chain.stream().findFirst()
                .filter(first -> once && first.cookies().isPresent() && first.method().isEmpty());
    }

    /**
     * Whether its request is to be answered, even if only as a duplicate, since what redirects here may be asked again
     * then.
     */
    boolean awaitsAnswer() {
        return redirect.isPresent() && !wanted.again() && beginning(chain()).isPresent();
    }

    /** The same for a URL that is asked again. */
    FoundReference again() {
        return new FoundReference(candidate, from, redirect, priority, wanted.withAgain(true), onward);
    }

    /** The same for a version of a robots.txt. */
    FoundReference inVersion(String version) {
        return new FoundReference(candidate, from, redirect, priority, wanted.withVersion(Optional.of(version)),
                onward);
    }

    /** Whether it is fetched with the page, and leads nowhere. */
    boolean requisite() {
        return wanted.requisite();
    }

    /** Where it leads; empty if admission has refused that. */
    Optional<String> url() {
        return candidate instanceof Candidate.Open open ? Optional.of(open.url()) : Optional.empty();
    }

    /** Whether it leads to this URL. */
    boolean leadsTo(String url) {
        return !requisite() && candidate instanceof Candidate.Open open && open.url().equals(url);
    }

    /** Whether it leads to the host that named it. */
    boolean staysAtItsHost() {
        return !requisite() && candidate instanceof Candidate.Open open && open.host().equals(from.host());
    }

    private static FetchOptions sent(FetchOptions options, Candidate candidate, FetchRules rules) {
        return candidate instanceof Candidate.Open open ? rules.sent(options, open.url()) : options;
    }

    int depth() {
        return redirect.isPresent() ? from.depth() : wanted.requisite() ? REQUISITES : depth(from);
    }

    /** The depth of the links in a response: a source names pages at its own depth. */
    static int depth(Request from) {
        return from.options().source() ? from.depth() : from.depth() + 1;
    }

    /** How many steps in a row led here at one depth. */
    int redirects() {
        return redirect.isPresent() || from.options().source() && wanted.source()
                || from.options().requisite() && wanted.requisite() ? from.redirects() + 1 : 0;
    }

    /** Whether a seed led here by redirects alone. */
    boolean seed() {
        return redirect.isPresent() && from.seed();
    }

    /** The redirects that lead to it, the oldest first; of a long chain the last ones. */
    List<RedirectHop> chain() {
        return redirect.map(hop -> from.chain().contains(hop) ? from.chain() : from.chainTo(hop)).orElse(List.of());
    }

    /**
     * The options of its request. Headers and cookie go to the server of the page only, wherever a page makes a link or
     * redirect lead.
     */
    FetchOptions options(HostKey target) {
        return target.equals(from.host()) ? wanted : wanted.forAnotherServer();
    }
}
