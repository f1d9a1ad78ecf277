package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.api.LinkOptions;
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
    /** A link. @param options that its parser gave it */
    static FoundReference link(Candidate candidate, Request from, LinkOptions options, int priority) {
        return new FoundReference(candidate, from, OptionalInt.empty(), priority,
                LinkRules.options(options, from));
    }

    /** The target of a redirect, which inherits the options. */
    static FoundReference redirect(Candidate candidate, Request from, int status) {
        return new FoundReference(candidate, from, OptionalInt.of(status), from.priority(),
                from.options().redirected(status));
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
