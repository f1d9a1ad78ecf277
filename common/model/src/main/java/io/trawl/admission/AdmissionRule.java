package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.model.RefusalReason;
import io.trawl.scope.ScopeRules;
import java.util.Optional;

/** The rules that need no remote lookup, in the order in which they are applied (S8). The first refusal decides. */
enum AdmissionRule {
    /** A URL is present, it can be parsed, and its scheme is http or https: NO_URL, BAD_URL, SCHEME. */
    NORMAL_FORM {
        @Override
        Optional<Refusal> refusal(Proposal p) {
            return p.url() instanceof Refusal refusal ? Optional.of(refusal) : Optional.empty();
        }
    },
    /** It is not longer than allowed: BAD_URL. */
    LENGTH {
        @Override
        Optional<Refusal> refusal(Proposal p) {
            int length = p.url() instanceof NormalUrl url ? url.text().length() : 0;
            return length <= p.longest()
                    ? Optional.empty()
                    : refuse(RefusalReason.BAD_URL,
                            "it has " + length + " characters; " + p.longest() + " are allowed");
        }
    },
    /** It is not deeper than the crawl's limit: DEPTH. */
    DEPTH {
        @Override
        Optional<Refusal> refusal(Proposal p) {
            return p.depth() <= p.scope().depthLimit()
                    ? Optional.empty()
                    : refuse(RefusalReason.DEPTH,
                            "depth " + p.depth() + " is beyond the limit " + p.scope().depthLimit());
        }
    },
    /** The crawl includes it, and does not exclude it: EXCLUDED, NOT_INCLUDED, ENDING, PATTERN_DEPTH. */
    SCOPE {
        @Override
        Optional<Refusal> refusal(Proposal p) {
            if (!(p.url() instanceof NormalUrl url)) {
                return Optional.empty();
            }
            return (p.seed() ? p.scope().refusalOfSeed(url.text()) : p.scope().refusal(url.text(), p.depth()))
                    .map(Refusal::of);
        }
    },
    /** Its priority is a level of the deployment: PRIORITY_OUT_OF_INDEX. */
    PRIORITY {
        @Override
        Optional<Refusal> refusal(Proposal p) {
            return p.priority() >= 0 && p.priority() < p.levels()
                    ? Optional.empty()
                    : refuse(RefusalReason.PRIORITY_OUT_OF_INDEX,
                            "priority " + p.priority() + " is not one of 0 to " + (p.levels() - 1));
        }
    };

    /** Why this rule refuses; empty if it does not. */
    abstract Optional<Refusal> refusal(Proposal proposal);

    private static Optional<Refusal> refuse(RefusalReason reason, String cause) {
        return Optional.of(new Refusal(reason, cause));
    }

    /**
     * The subject of the rules of {@link Admission}.
     *
     * @param url the result of the normalizer
     * @param longest the maximum length of a URL, in characters
     * @param depth links away from a seed
     * @param scope the rules of the crawl
     * @param seed whether a user names it, or it is a source of links
     * @param priority the requested level
     * @param levels how many levels the deployment has
     */
    record Proposal(Normalized url, int longest, int depth, ScopeRules scope, boolean seed, int priority, int levels) {}
}
