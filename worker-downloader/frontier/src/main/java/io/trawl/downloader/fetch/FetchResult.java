package io.trawl.downloader.fetch;

import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.api.render.Rendering;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.scope.MediaTypeRules;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The result of one exchange.
 *
 * @param outcome a page, a redirect, an HTTP error, a failure, or a refusal by the address guard; never a duplicate
 * @param headers the response headers, names in lower case, repeated values as {@link #joined} joins them; empty if
 * there was no answer
 * @param body the body, inflated; empty except for pages. For an archive that of every answer, see {@link #archived}
 * @param took from the first byte sent to the last byte received (with name lookup and connecting); zero if nothing was
 * sent
 * @param retryAfter the pause from {@code Retry-After} as seconds or as a date; not capped, never negative
 * @param at when the exchange was over
 * @param statusSeen whether a status line had arrived: then the server answers, even if this exchange failed
 * @param withdrawn whether it never began, or was cut, because its {@link FetchPermit} had ended: then it says nothing
 * about the URL
 * @param exchange what an archive holds besides
 * @param recorded the response as it was when it was archived, if this is a replay
 * @param render how the page was rendered; empty if it was not
 * @param robots the digest of the robots.txt that permitted it, for an archive
 */
@RecordBuilder
public record FetchResult(Outcome outcome, Map<String, String> headers, Body body, Duration took,
        Optional<Duration> retryAfter, Instant at, boolean statusSeen, boolean withdrawn,
        Optional<ArchivedExchange> exchange, Optional<Response> recorded, Optional<Rendering> render,
        Optional<String> robots) implements FetchResultBuilder.With {
    /** Copies the headers. */
    public FetchResult {
        headers = Map.copyOf(headers);
    }

    private FetchResult(Outcome outcome, Map<String, String> headers, Body body, Duration took,
            Optional<Duration> retryAfter, Instant at, boolean statusSeen, boolean withdrawn) {
        this(outcome, headers, body, took, retryAfter, at, statusSeen, withdrawn, Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    /** An exchange that ended by itself; a failure without a status line. */
    public FetchResult(Outcome outcome, Map<String, String> headers, Body body, Duration took,
            Optional<Duration> retryAfter, Instant at) {
        this(outcome, headers, body, took, retryAfter, at, !(outcome instanceof Outcome.Failure), false);
    }

    /**
     * An exchange with an answer: a page, a redirect if there is a {@code location}, or an HTTP error.
     *
     * @param body inflated; kept of a page only
     * @param truncated whether the body is cut
     */
    public static FetchResult answered(int status, Map<String, String> headers, Body body, boolean truncated,
            Duration took, Instant at) {
        if (status >= 200 && status < 300) {
            return answered(new Outcome.Success(status, truncated), headers, body, took, at);
        }
        String location = headers.getOrDefault("location", "").strip();
        boolean redirect = status >= 300 && status < 400 && status != 304 && !location.isEmpty();
        return answered(redirect ? new Outcome.Redirect(status, location) : new Outcome.HttpError(status), headers,
                Body.EMPTY, took, at);
    }

    /**
     * Joins the values of two header lines with one name by {@code ", "}; of {@code Location}, which is not a list, the
     * first counts, and each line of {@code X-Robots-Tag} stays a line, since it stands for itself.
     *
     * @param name in lower case
     */
    public static String joined(String name, String first, String next) {
        return switch (name) {
            case "location" -> first;
            case "x-robots-tag" -> first + "\n" + next;
            default -> first + ", " + next;
        };
    }

    /** An exchange with an answer, of which this is the outcome. */
    public static FetchResult answered(Outcome outcome, Map<String, String> headers, Body body, Duration took,
            Instant at) {
        return new FetchResult(outcome, headers, body, took,
                RetryAfterHeader.parse(headers.getOrDefault("retry-after", ""), at), at, true, false);
    }

    /**
     * The same with what an archive holds. @param received the body of an answer that is no page, as it was received
     */
    public FetchResult archived(ArchivedExchange held, Body received) {
        return with(
                copy -> copy.body(outcome instanceof Outcome.Success ? body : received).exchange(Optional.of(held)));
    }

    /** What an archive holds of a fetch: neither Retry-After nor a failure says anything about the server now. */
    public static FetchResult of(Response recorded) {
        return new FetchResult(recorded.outcome(), recorded.headers(), recorded.body(), recorded.took(),
                Optional.empty(), recorded.fetchedAt(), true, false, recorded.exchange(),
                Optional.of(recorded.withoutBody()), recorded.render(), Optional.empty());
    }

    /** The same without what only an archive holds. */
    public FetchResult withoutArchived() {
        return with(
                copy -> copy.body(outcome instanceof Outcome.Success ? body : Body.EMPTY).exchange(Optional.empty()));
    }

    /** The same with what is kept of the cookies of the host, if it is a redirect. */
    public FetchResult with(Outcome.CookieStates cookies) {
        return outcome instanceof Outcome.Redirect(int status, String location, _)
                ? withOutcome(new Outcome.Redirect(status, location, Optional.of(cookies)))
                : this;
    }

    /** The same, but a page of another media type than those that the crawl takes is refused, and has no body. */
    public FetchResult of(MediaTypeRules mediaTypes) {
        return outcome instanceof Outcome.Success
                ? mediaTypes.refusal(headers.getOrDefault("content-type", "")).map(refusal -> with(copy -> copy
                        .outcome(new Outcome.Refused(refusal.reason(), refusal.cause(), Optional.of(refusal.rule())))
                        .body(Body.EMPTY).exchange(Optional.empty()))).orElse(this)
                : this;
    }

    /** The answer to a request with validators: 304 says that the page is unchanged. */
    public FetchResult asked() {
        return outcome instanceof Outcome.HttpError(int status) && status == Outcome.Unchanged.STATUS
                ? withOutcome(new Outcome.Unchanged())
                : this;
    }

    /** An exchange that never began, or was cut: another process may have the host now. */
    public static FetchResult withdrawn(Duration took, Instant at) {
        Outcome outcome = new Outcome.Failure(FailureReason.OTHER,
                "the partition was revoked before the exchange ended");
        return new FetchResult(outcome, Map.of(), Body.EMPTY, took, Optional.empty(), at, false, true);
    }

    /** An exchange without an answer. */
    public static FetchResult without(Outcome outcome, Duration took, Instant at) {
        return new FetchResult(outcome, Map.of(), Body.EMPTY, took, Optional.empty(), at);
    }

    /** An exchange that failed after the status line, so that its answer is of no use. */
    public static FetchResult broken(Outcome outcome, Duration took, Instant at) {
        return new FetchResult(outcome, Map.of(), Body.EMPTY, took, Optional.empty(), at, true, false);
    }
}
