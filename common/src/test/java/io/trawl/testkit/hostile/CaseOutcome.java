package io.trawl.testkit.hostile;

import io.trawl.model.FailureReason;

/** What the output of a crawl says about one URL. */
public sealed interface CaseOutcome {
    /** For the table of cases. */
    String text();

    /** An item that is whole. */
    record Whole() implements CaseOutcome {
        @Override
        public String text() {
            return "page";
        }
    }

    /** An item that is marked as truncated. */
    record Truncated() implements CaseOutcome {
        @Override
        public String text() {
            return "page, truncated";
        }
    }

    /** An error line with a status. */
    record StatusError(int status) implements CaseOutcome {
        @Override
        public String text() {
            return "error " + status;
        }
    }

    /** An error line with a kind of failure. */
    record FailureError(FailureReason reason) implements CaseOutcome {
        @Override
        public String text() {
            return "failure " + reason;
        }
    }

    /**
     * robots.txt forbids it: the output has neither item nor error, and the server was asked for nothing but
     * robots.txt.
     */
    record Forbidden() implements CaseOutcome {
        @Override
        public String text() {
            return "refused, ROBOTS";
        }
    }

    /** Neither item nor error: the URL redirects to one that is not fetched, or is not fetched itself. */
    record Unlisted() implements CaseOutcome {
        @Override
        public String text() {
            return "none";
        }
    }
}
