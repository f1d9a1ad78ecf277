package io.trawl.downloader.politeness;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.Optional;

/** The rules of one host's robots.txt for one crawler. Immutable; thread-safe. */
public interface RobotsRules {
    /**
     * The most steps that a URL may take to be matched with a file: some milliseconds, and enough for 40,000 rules with
     * wildcards and a path of 80 characters. What takes more is forbidden.
     */
    int MOST_STEPS = 4_000_000;

    /**
     * The identity of loaded rules, equal only to itself. It is kept beside a verdict, where the rules themselves would
     * use memory that no cache counts.
     */
    final class Version {
        private final Optional<String> digest;

        /** @param digest of the file; empty: there is none */
        public Version(Optional<String> digest) {
            this.digest = digest;
        }

        /** The digest of the file, the same whichever process has read it; empty if there is none. */
        public Optional<String> digest() {
            return digest;
        }
    }

    /**
     * Whether the URL (absolute, normalised, of this host) may be fetched.
     *
     * @param steps how many steps, about one comparison of two characters each, may be spent
     */
    RobotsVerdict check(String url, int steps);

    /** The identity of these rules. */
    Version version();

    /** The {@code Crawl-delay}, if the file has one; at most a day, otherwise not capped. */
    default Optional<Duration> crawlDelay() {
        return Optional.empty();
    }

    /**
     * Whether the file is unreachable (RFC 9309 section 2.3.1.4: 5xx, no connection, time-out; here also 429), so that
     * nothing is allowed until it is loaded again: a temporary state that says nothing about any URL.
     * {@link RobotsSource#cached} forgets such rules after a few minutes.
     */
    default boolean unreachable() {
        return false;
    }

    /** The estimated memory that they use, in bytes. */
    default long bytes() {
        return 300;
    }

    /**
     * The result of the failed load, if it is {@link #unreachable()}: for the retry policy, and as the answer of a
     * request that gives up.
     */
    default Optional<FetchResult> trouble() {
        return Optional.empty();
    }

    /**
     * The outcome of a request whose robots.txt is {@link #unreachable()}. A host that cannot be reached, or that the
     * address guard refuses, is reported as that; any other trouble with its robots.txt forbids everything for now, so
     * the request fails: that says nothing about its URL.
     */
    default Outcome withoutRules() {
        Optional<Outcome> trouble = trouble().map(FetchResult::outcome);
        if (trouble.isPresent()
                && (trouble.get() instanceof Outcome.Failure || trouble.get() instanceof Outcome.Refused)) {
            return trouble.get();
        }
        return new Outcome.Failure(FailureReason.ROBOTS, "robots.txt is unreachable, which forbids everything"
                + trouble.map(t -> " (" + t.detail() + ")").orElse(""));
    }

    /** The rules of a host whose robots.txt a crawl ignores: everything is allowed. */
    RobotsRules IGNORED = new RobotsRules() {
        private final Version version = new Version(Optional.empty());

        @Override
        public RobotsVerdict check(String url, int steps) {
            return RobotsVerdict.ALLOWED;
        }

        @Override
        public Version version() {
            return version;
        }
    };

    /** The rules of a host whose robots.txt is unreachable: nothing is allowed (RFC 9309 section 2.3.1.4). */
    record RobotsUnreachable(FetchResult fetched) implements RobotsRules {
        private static final Version VERSION = new Version(Optional.empty());

        @Override
        public RobotsVerdict check(String url, int steps) {
            return RobotsVerdict.FORBIDDEN;
        }

        @Override
        public Version version() {
            return VERSION;
        }

        @Override
        public boolean unreachable() {
            return true;
        }

        @Override
        public Optional<FetchResult> trouble() {
            return Optional.of(fetched);
        }
    }
}
