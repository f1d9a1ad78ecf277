package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.UrlNormalizer;
import io.trawl.definition.url.IdentityRules;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome.CookieStates;
import io.trawl.model.Request.RedirectHop;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A redirect back to a request that has led to it by redirects.
 *
 * @param chain the redirects from there on, the oldest first
 * @param asked how often the URL was asked in the chain, of what it lists
 */
record RedirectCircle(List<RedirectHop> chain, String target, long asked) {
    /** The circle that a redirect closes, if it does. */
    static Optional<RedirectCircle> closedBy(FoundReference found, IdentityRules identity) {
        if (!(found.candidate() instanceof Candidate.Open open)) {
            return Optional.empty();
        }
        String target = identity.identity(open.url(), found.wanted());
        List<RedirectHop> all = found.chain();
        List<RedirectHop> same = all.stream().filter(hop -> hop.method().equals(found.wanted().method())
                && identity.identity(hop.url(), found.wanted()).equals(target)).toList();
        return same.isEmpty()
                ? Optional.empty()
                : Optional.of(new RedirectCircle(all.subList(all.indexOf(same.getFirst()), all.size()), open.url(),
                        same.stream().filter(hop -> hop.cookies().isPresent()).count()));
    }

    /**
     * Whether the host has set cookies since it was asked, and was not asked again yet: then it may have another
     * answer.
     */
    boolean opens() {
        Optional<String> before = chain.stream()
                .filter(hop -> hop.cookies().isPresent() && host(hop).equals(host(chain.getFirst()))).findFirst()
                .filter(chain.getFirst()::equals).flatMap(RedirectHop::cookies).map(CookieStates::asked);
        Optional<String> now = chain.reversed().stream().filter(hop -> host(hop).equals(host(chain.getFirst())))
                .flatMap(hop -> hop.cookies().stream()).map(CookieStates::answered).findFirst();
        return asked == 1 && before.isPresent() && now.isPresent() && !now.equals(before);
    }

    private static HostKey host(RedirectHop hop) {
        return HostKeyFactory.of(hop.url());
    }

    /** For people. */
    String cause() {
        return Stream.concat(chain.stream().map(RedirectHop::url), Stream.of(target)).map(UrlNormalizer::shown)
                .collect(Collectors.joining(" -> ", "a circle of redirects: ", ""))
                + (asked == 0 ? "" : asked > 1 ? "; it was asked again" : "; no cookie of its host has changed");
    }
}
