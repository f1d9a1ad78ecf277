package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import java.util.Optional;

/**
 * A reference that may become a request.
 *
 * @param candidate the preliminary verdict of admission
 * @param from the request whose response named it
 * @param redirect whether it is the target of a redirect; false for a link
 */
record FoundReference(Candidate candidate, Request from, boolean redirect) {
    static FoundReference link(Candidate candidate, Request from) {
        return new FoundReference(candidate, from, false);
    }

    static FoundReference redirect(Candidate candidate, Request from) {
        return new FoundReference(candidate, from, true);
    }

    int depth() {
        return redirect ? from.depth() : from.depth() + 1;
    }

    int redirects() {
        return redirect ? from.redirects() + 1 : 0;
    }

    /** Whether a seed led here by redirects alone. */
    boolean seed() {
        return redirect && from.seed();
    }

    /** A link inherits the metadata. A redirect inherits all options, but headers and cookie only if the host stays the same. */
    FetchOptions options(HostKey target) {
        FetchOptions own = from.options();
        if (!redirect) {
            return own.inherited();
        }
        return target.equals(from.host())
                ? own
                : new FetchOptions(java.util.Map.of(), Optional.empty(), own.waitTime(), own.proxy(), own.parser(),
                        own.metadata());
    }
}
