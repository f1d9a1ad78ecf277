package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.Fetched;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import io.trawl.robots.FleetRobots.Found;
import io.trawl.robots.RobotsAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What was found out about one host's robots.txt.
 *
 * @param rules what it means to one crawler
 * @param answer what the rules were read from; empty if this process no longer has it
 * @param left for how long the source still believes it; empty: it is fresh
 */
record Finding(RobotsRules rules, Optional<RobotsAnswer> answer, Optional<Duration> left) {
    /** There is no file, or nobody may be asked for it. */
    static Finding none() {
        return new Finding(RobotsFile.none(), Optional.of(new RobotsAnswer.None()), Optional.empty());
    }

    /** What an exchange means, if it was no redirect (RFC 9309 section 2.3.1). */
    static Finding of(String url, Fetched fetched, String token) {
        if (fetched.withdrawn()) {
            return new Finding(new RobotsUnavailable(fetched), Optional.empty(), Optional.empty());
        }
        RobotsAnswer answer = switch (fetched.outcome()) {
            case Outcome.Page page -> new RobotsAnswer.File(fetched.headers().getOrDefault("content-type", "text/plain"),
                    page.truncated(), fetched.body());
            case Outcome.HttpError error when error.status() < 500 && error.status() != 429 -> new RobotsAnswer.None();
            case Outcome.Refused _ -> new RobotsAnswer.None();
            default -> new RobotsAnswer.Unavailable(fetched.outcome(), fetched.retryAfter());
        };
        return new Finding(rules(url, answer, token, fetched.at()), Optional.of(answer), Optional.empty());
    }

    /** Whether the host was not asked, or not waited for: nothing was found out, and nobody may keep it. */
    boolean withdrawn() {
        return rules.trouble().filter(Fetched::withdrawn).isPresent();
    }

    /** What the fleet knows means the same. */
    static Finding of(String url, Found found, String token, Instant now) {
        return new Finding(rules(url, found.answer(), token, now), Optional.of(found.answer()), Optional.of(found.left()));
    }

    private static RobotsRules rules(String url, RobotsAnswer answer, String token, Instant at) {
        return switch (answer) {
            case RobotsAnswer.File file -> RobotsFile.read(url, file.body(), file.truncated(), file.contentType(), token);
            case RobotsAnswer.None _ -> RobotsFile.none();
            case RobotsAnswer.Unavailable away ->
                new RobotsUnavailable(new Fetched(away.outcome(), Map.of(), Body.EMPTY, Duration.ZERO, away.retryAfter(), at));
        };
    }
}
