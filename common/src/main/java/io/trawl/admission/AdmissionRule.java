package io.trawl.admission;

import io.trawl.model.RefusalReason;
import java.util.Optional;

/** The rules that need nobody else's answer, in the order in which they are asked (S8). The first refusal is the one that counts. */
enum AdmissionRule {
    /** There is a URL, it can be parsed, and its scheme is http or https: NO_URL, BAD_URL, SCHEME. */
    NORMAL_FORM {
        @Override
        Optional<Refused> refusal(Proposal p) {
            return p.url() instanceof Refused refused ? Optional.of(refused) : Optional.empty();
        }
    },
    /** It is not longer than allowed: BAD_URL. */
    LENGTH {
        @Override
        Optional<Refused> refusal(Proposal p) {
            int length = p.url() instanceof NormalUrl url ? url.text().length() : 0;
            return length <= p.longest()
                    ? Optional.empty()
                    : refuse(RefusalReason.BAD_URL, "it has " + length + " characters; " + p.longest() + " are allowed");
        }
    },
    /** It is not deeper than the crawl's limit: DEPTH. */
    DEPTH {
        @Override
        Optional<Refused> refusal(Proposal p) {
            return p.depth() <= p.depthLimit()
                    ? Optional.empty()
                    : refuse(RefusalReason.DEPTH, "depth " + p.depth() + " is beyond the limit " + p.depthLimit());
        }
    },
    /** Its priority is a level of the deployment: PRIORITY_OUT_OF_INDEX. */
    PRIORITY {
        @Override
        Optional<Refused> refusal(Proposal p) {
            return p.priority() >= 0 && p.priority() < p.levels()
                    ? Optional.empty()
                    : refuse(RefusalReason.PRIORITY_OUT_OF_INDEX,
                            "priority " + p.priority() + " is not one of 0 to " + (p.levels() - 1));
        }
    };

    /** Why this rule refuses; empty if it does not. */
    abstract Optional<Refused> refusal(Proposal proposal);

    private static Optional<Refused> refuse(RefusalReason reason, String cause) {
        return Optional.of(new Refused(reason, cause));
    }
}
