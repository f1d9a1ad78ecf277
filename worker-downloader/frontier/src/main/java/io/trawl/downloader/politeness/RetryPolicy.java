package io.trawl.downloader.politeness;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.settings.Settings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Decides which fetches are retried, how often and when.
 * <table>
 * <caption>The rules</caption>
 * <tr>
 * <th>outcome</th>
 * <th>retries</th>
 * <th>waits</th>
 * <th>why</th>
 * </tr>
 * <tr>
 * <td>page, redirect, refusal, duplicate</td>
 * <td>none</td>
 * <td>-</td>
 * <td>it is an answer</td>
 * </tr>
 * <tr>
 * <td>429, 503</td>
 * <td>{@code retriesStatus}</td>
 * <td>the host</td>
 * <td>it asks for a pause; {@code Retry-After} holds, up to {@code longestPause}</td>
 * </tr>
 * <tr>
 * <td>502, 504, 520 to 599</td>
 * <td>{@code retriesStatus}</td>
 * <td>the host</td>
 * <td>a proxy in front of it cannot reach it; {@code Retry-After} as above</td>
 * </tr>
 * <tr>
 * <td>408, 500, other 5xx</td>
 * <td>{@code retriesStatus}</td>
 * <td>this request; the host too if there is a {@code Retry-After}</td>
 * <td>other pages may work</td>
 * </tr>
 * <tr>
 * <td>501, 505, 511, any other status</td>
 * <td>none</td>
 * <td>-</td>
 * <td>a retry would not change it</td>
 * </tr>
 * <tr>
 * <td>{@code DNS}, {@code CONNECT}, {@code TIMEOUT}</td>
 * <td>{@code retriesFailure}</td>
 * <td>the host</td>
 * <td>the host is unavailable or overloaded</td>
 * </tr>
 * <tr>
 * <td>{@code TIMEOUT} after the status line</td>
 * <td>{@code retriesFailure}</td>
 * <td>this request</td>
 * <td>the host answers</td>
 * </tr>
 * <tr>
 * <td>{@code PROTOCOL}</td>
 * <td>{@code retriesFailure}</td>
 * <td>this request</td>
 * <td>the answer may have been truncated</td>
 * </tr>
 * <tr>
 * <td>{@code PROXY}</td>
 * <td>{@code retriesFailure}</td>
 * <td>this request</td>
 * <td>the proxy failed, not the host</td>
 * </tr>
 * <tr>
 * <td>{@code TLS}, {@code TOO_LARGE}, {@code REDIRECTS}, {@code LOGIN}, {@code ROBOTS}, {@code PARSE},
 * {@code OTHER}</td>
 * <td>none</td>
 * <td>-</td>
 * <td>a retry would not change it</td>
 * </tr>
 * </table>
 * The pause is {@code backOff}, doubled with each attempt, times a random factor from 0.75 to 1.25, at most
 * {@code longestPause} and at least the {@code Retry-After}. Where the host waits, it also waits after the last
 * attempt. Stateless except for the random source, which is called once per decision that needs a pause.
 */
public final class RetryPolicy {
    private static final RetryDecision ANSWER = new RetryDecision.GiveUp(Duration.ZERO);
    private final Settings.DownloaderSettings settings;
    private final DoubleSupplier chance;

    private enum Waits {
        NONE, REQUEST, HOST
    }

    /** @param chance random numbers from 0 (inclusive) to 1 (exclusive) */
    public RetryPolicy(Settings.DownloaderSettings settings, DoubleSupplier chance) {
        this.settings = settings;
        this.chance = chance;
    }

    /**
     * Decides.
     *
     * @param fetched the last fetch; one from an archive is never repeated
     * @param attempts the number of fetches of this request, including the last one: at least 1
     */
    public RetryDecision decide(FetchResult fetchResult, int attempts) {
        if (fetchResult.recorded().isPresent()) {
            return ANSWER;
        }
        return switch (fetchResult.outcome()) {
            case Outcome.HttpError error -> after(waits(error.status(), fetchResult.retryAfter()),
                    settings.retriesStatus(), attempts, fetchResult.retryAfter());
            case Outcome.Failure failure -> after(waits(failure.reason(), fetchResult.statusSeen()),
                    settings.retriesFailure(), attempts, Optional.empty());
            case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _,Outcome.Refused _,Outcome.Duplicate _ ->
                ANSWER;
        };
    }

    private RetryDecision after(Waits waits, int retries, int attempts, Optional<Duration> retryAfter) {
        if (waits == Waits.NONE) {
            return ANSWER;
        }
        boolean host = waits == Waits.HOST;
        if (attempts <= retries) {
            return new RetryDecision.RetryLater(pause(attempts, retryAfter), host);
        }
        return host ? new RetryDecision.GiveUp(pause(attempts, retryAfter)) : ANSWER;
    }

    private Duration pause(int attempts, Optional<Duration> retryAfter) {
        double longest = settings.longestPause().toNanos();
        double pause = settings.backOff().toNanos() * Math.scalb(1.0, Math.min(attempts - 1, 40))
                * (0.75 + 0.5 * chance.getAsDouble());
        double least = retryAfter.map(w -> w.compareTo(settings.longestPause()) >= 0 ? longest : w.toNanos())
                .orElse(0.0);
        return Duration.ofNanos((long) Math.max(Math.min(pause, longest), least));
    }

    private static Waits waits(int status, Optional<Duration> retryAfter) {
        return switch (status) {
            case 429, 502, 503, 504 -> Waits.HOST;
            case 501, 505, 511 -> Waits.NONE;
            default -> {
                if (status >= 520 && status <= 599) {
                    yield Waits.HOST;
                }
                boolean again = status == 408 || status >= 500 && status < 520;
                yield !again ? Waits.NONE : retryAfter.isPresent() ? Waits.HOST : Waits.REQUEST;
            }
        };
    }

    private static Waits waits(FailureReason reason, boolean statusSeen) {
        return switch (reason) {
            case DNS, CONNECT, TIMEOUT -> statusSeen ? Waits.REQUEST : Waits.HOST;
            case PROTOCOL, PROXY -> Waits.REQUEST;
            case TLS, TOO_LARGE, REDIRECTS, LOGIN, ROBOTS, PARSE, OTHER -> Waits.NONE;
        };
    }
}
