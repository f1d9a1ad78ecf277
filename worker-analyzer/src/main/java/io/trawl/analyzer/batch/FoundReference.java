package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.api.LinkOptions;
import io.trawl.control.CrawlDefinition.FetchRules;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Request.RedirectHop;
import java.util.List;
import java.util.OptionalInt;

/**
 * A reference that may become a request.
 *
 * @param candidate the preliminary verdict of admission
 * @param from the request whose response named it
 * @param redirect the status, if it is the target of a redirect; empty for a link
 * @param priority of its request, within or beyond the levels of the deployment
 * @param wanted the options of its request, if that goes to the same server
 */
record FoundReference(Candidate candidate, Request from, OptionalInt redirect, int priority, FetchOptions wanted) {
    /** A link. @param options that its parser gave it; without a method among them, the rules of the crawl say it */
    static FoundReference link(Candidate candidate, Request from, LinkOptions options, int priority, FetchRules rules) {
        FetchOptions own = LinkRules.options(options, from);
        return new FoundReference(candidate, from, OptionalInt.empty(), priority,
                options.method().isPresent() ? own : sent(own, candidate, rules));
    }

    /** The target of a redirect, which inherits the options. That of a GET has the method that the rules of the crawl say; else the redirect says it. */
    static FoundReference redirect(Candidate candidate, Request from, int status, FetchRules rules) {
        FetchOptions inherited = from.options().redirected(status);
        return new FoundReference(candidate, from, OptionalInt.of(status), from.priority(),
                from.options().method().isPresent() ? inherited : sent(inherited, candidate, rules));
    }

    private static FetchOptions sent(FetchOptions options, Candidate candidate, FetchRules rules) {
        return candidate instanceof Candidate.Open open ? rules.sent(options, open.url()) : options;
    }

    int depth() {
        return redirect.isPresent() ? from.depth() : depth(from);
    }

    /** The depth of the links in a response: a source names pages at its own depth. */
    static int depth(Request from) {
        return from.options().source() ? from.depth() : from.depth() + 1;
    }

    /** How many steps in a row led here at one depth. */
    int redirects() {
        return redirect.isPresent() || from.options().source() && wanted.source() ? from.redirects() + 1 : 0;
    }

    /** Whether a seed led here by redirects alone. */
    boolean seed() {
        return redirect.isPresent() && from.seed();
    }

    /** The redirects that lead to it, the oldest first; of a long chain the last ones. */
    List<RedirectHop> chain() {
        if (redirect.isEmpty()) {
            return List.of();
        }
        return from.chainTo(redirect.getAsInt());
    }

    /** The options of its request. Headers and cookie go to the server of the page only, wherever a page makes a link or redirect lead. */
    FetchOptions options(HostKey target) {
        return target.equals(from.host()) ? wanted : wanted.forAnotherServer();
    }
}
