package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Request.RedirectHop;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A reference that may become a request.
 *
 * @param candidate the preliminary verdict of admission
 * @param from the request whose response named it
 * @param redirect the status, if it is the target of a redirect; empty for a link
 */
record FoundReference(Candidate candidate, Request from, OptionalInt redirect) {
    static FoundReference link(Candidate candidate, Request from) {
        return new FoundReference(candidate, from, OptionalInt.empty());
    }

    static FoundReference redirect(Candidate candidate, Request from, int status) {
        return new FoundReference(candidate, from, OptionalInt.of(status));
    }

    int depth() {
        return redirect.isPresent() ? from.depth() : from.depth() + 1;
    }

    int redirects() {
        return redirect.isPresent() ? from.redirects() + 1 : 0;
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
        List<RedirectHop> chain = new ArrayList<>(from.chain());
        chain.add(new RedirectHop(from.url(), redirect.getAsInt()));
        return chain.subList(Math.max(0, chain.size() - Request.LONGEST_CHAIN), chain.size());
    }

    /** A link inherits the metadata. A redirect inherits all options, but headers and cookie only if the host stays the same. */
    FetchOptions options(HostKey target) {
        FetchOptions own = from.options();
        if (redirect.isEmpty()) {
            return own.inherited();
        }
        return target.equals(from.host())
                ? own
                : new FetchOptions(java.util.Map.of(), Optional.empty(), own.waitTime(), own.proxy(), own.parser(),
                        own.metadata(), own.fetcher());
    }
}
