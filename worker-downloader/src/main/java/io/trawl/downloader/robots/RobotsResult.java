package io.trawl.downloader.robots;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsRules.RobotsUnreachable;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.politeness.RobotsStore.StoredRobots;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The result of loading one host's robots.txt.
 *
 * @param rules the rules for one crawler
 * @param answer the answer from which the rules were parsed; empty if this process no longer has it, or its address
 * guard refused the address
 * @param left how long the source still considers it valid; empty: it is new
 */
record RobotsResult(RobotsRules rules, Optional<RobotsAnswer> answer, Optional<Duration> left) {
    /** The file is unavailable (RFC 9309 section 2.3.1.3): everything is allowed. */
    static RobotsResult none() {
        return new RobotsResult(RobotsFile.none(), Optional.of(new RobotsAnswer.None()), Optional.empty());
    }

    /** The meaning of an exchange that was not a redirect (RFC 9309 section 2.3.1). */
    static RobotsResult of(FetchResult fetchResult, String token) {
        if (fetchResult.withdrawn() || fetchResult.outcome() instanceof Outcome.Refused) {
            // Settings of this process may refuse an address that another process may ask.
            return new RobotsResult(new RobotsUnreachable(fetchResult), Optional.empty(), Optional.empty());
        }
        RobotsAnswer answer = switch (fetchResult.outcome()) {
            case Outcome.Success success when success.damage().filter(Outcome.Damage.CODING::equals).isPresent() ->
                // The lost rules might forbid what is left.
                new RobotsAnswer.Unreachable(
                        new Outcome.Failure(FailureReason.PROTOCOL, "the compressed form of robots.txt breaks off"),
                        fetchResult.retryAfter());
            case Outcome.Success success ->
                new RobotsAnswer.File(fetchResult.headers().getOrDefault("content-type", "text/plain"),
                        success.truncated() && success.damage().isEmpty(), fetchResult.body());
            case Outcome.HttpError error when error.status() >= 400 && error.status() < 500 && error.status() != 429 ->
                new RobotsAnswer.None();
            default -> new RobotsAnswer.Unreachable(fetchResult.outcome(), fetchResult.retryAfter());
        };
        return new RobotsResult(rules(answer, token, fetchResult.at()), Optional.of(answer), Optional.empty());
    }

    /**
     * The result for a host whose file redirects here: a target that the address guard refuses makes the file
     * unreachable, not the host refused.
     */
    RobotsResult redirected() {
        return rules.trouble()
                .<RobotsResult>flatMap(
                        trouble -> trouble.outcome() instanceof Outcome.Refused refused
                                ? Optional
                                        .of(new RobotsResult(
                                                new RobotsUnreachable(FetchResult.without(
                                                        new Outcome.Failure(FailureReason.PROTOCOL,
                                                                "robots.txt redirects to a closed address: "
                                                                        + refused.cause()),
                                                        trouble.took(), trouble.at())),
                                                Optional.empty(), Optional.empty()))
                                : Optional.empty())
                .orElse(this);
    }

    /** Whether the exchange never began or was cut: then there is no result, and it must not be kept. */
    boolean withdrawn() {
        return rules.trouble().filter(FetchResult::withdrawn).isPresent();
    }

    /** The meaning of an answer from the fleet's cache. */
    static RobotsResult of(StoredRobots storedRobots, String token, Instant now) {
        return new RobotsResult(rules(storedRobots.answer(), token, now), Optional.of(storedRobots.answer()),
                Optional.of(storedRobots.left()));
    }

    private static RobotsRules rules(RobotsAnswer answer, String token, Instant at) {
        return switch (answer) {
            case RobotsAnswer.File file -> RobotsParser.parse(file.body(), file.truncated(), file.contentType(), token);
            case RobotsAnswer.None _ -> RobotsFile.none();
            case RobotsAnswer.Unreachable away -> new RobotsUnreachable(
                    new FetchResult(away.outcome(), Map.of(), Body.EMPTY, Duration.ZERO, away.retryAfter(), at));
        };
    }
}
