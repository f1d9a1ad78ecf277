package io.trawl.downloader.retry;

import io.trawl.downloader.fetch.Fetched;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.settings.Settings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * The one place that says what is tried again, how often and when.
 * <table>
 * <caption>The rules</caption>
 * <tr><th>outcome</th><th>tried again</th><th>who waits</th><th>why</th></tr>
 * <tr><td>page, redirect, refusal, duplicate</td><td>never</td><td>nobody</td><td>it is an answer</td></tr>
 * <tr><td>429, 503</td><td>{@code retriesStatus} times</td><td>the host</td><td>it asks to be left alone; {@code Retry-After} holds, up to {@code longestPause}</td></tr>
 * <tr><td>502, 504, 520 to 599</td><td>{@code retriesStatus} times</td><td>the host</td><td>a proxy in front of it cannot reach it; {@code Retry-After} as above</td></tr>
 * <tr><td>408, 500, other 5xx</td><td>{@code retriesStatus} times</td><td>this request; the host too if there is a {@code Retry-After}</td><td>one page may be broken while others work</td></tr>
 * <tr><td>501, 505, 511, any other status</td><td>never</td><td>nobody</td><td>it will be the same next time</td></tr>
 * <tr><td>{@code DNS}, {@code CONNECT}, {@code TIMEOUT}</td><td>{@code retriesFailure} times</td><td>the host</td><td>the host is away or overloaded</td></tr>
 * <tr><td>{@code PROTOCOL}</td><td>{@code retriesFailure} times</td><td>this request</td><td>the answer may have been cut on its way</td></tr>
 * <tr><td>{@code PROXY}</td><td>{@code retriesFailure} times</td><td>this request</td><td>the host is not to blame</td></tr>
 * <tr><td>{@code TLS}, {@code TOO_LARGE}, {@code REDIRECTS}, {@code PARSE}, {@code OTHER}</td><td>never</td><td>nobody</td><td>it will be the same next time</td></tr>
 * </table>
 * The pause is {@code backOff}, doubled with each attempt, times a random factor from 0.75 to 1.25, at most {@code longestPause} and at least the
 * {@code Retry-After} that holds. Where the host waits it waits after the last attempt, too. Stateless but for the source of chance, which is
 * called once per decision that needs a pause.
 */
public final class RetryPolicy {
    private static final Decision ANSWER = new Decision.Answer(Duration.ZERO);
    private final Settings.Downloader settings;
    private final DoubleSupplier chance;

    private enum Waits {
        NOBODY, REQUEST, HOST
    }

    /** @param chance numbers from 0 (inclusive) to 1 (exclusive) */
    public RetryPolicy(Settings.Downloader settings, DoubleSupplier chance) {
        this.settings = settings;
        this.chance = chance;
    }

    /**
     * Decides.
     *
     * @param fetched the last fetch
     * @param attempts how many fetches of this request there were, the last one counted: at least 1
     */
    public Decision decide(Fetched fetched, int attempts) {
        return switch (fetched.outcome()) {
            case Outcome.HttpError error ->
                after(waits(error.status(), fetched.retryAfter()), settings.retriesStatus(), attempts, fetched.retryAfter());
            case Outcome.Failure failure -> after(waits(failure.reason()), settings.retriesFailure(), attempts, Optional.empty());
            case Outcome.Page _,Outcome.Redirect _,Outcome.Refused _,Outcome.Duplicate _ -> ANSWER;
        };
    }

    private Decision after(Waits waits, int retries, int attempts, Optional<Duration> wish) {
        if (waits == Waits.NOBODY) {
            return ANSWER;
        }
        boolean host = waits == Waits.HOST;
        if (attempts <= retries) {
            return new Decision.RetryAfter(pause(attempts, wish), host);
        }
        return host ? new Decision.Answer(pause(attempts, wish)) : ANSWER;
    }

    private Duration pause(int attempts, Optional<Duration> wish) {
        double longest = settings.longestPause().toNanos();
        double pause = settings.backOff().toNanos() * Math.scalb(1.0, Math.min(attempts - 1, 40))
                * (0.75 + 0.5 * chance.getAsDouble());
        double least = wish.map(w -> w.compareTo(settings.longestPause()) >= 0 ? longest : w.toNanos()).orElse(0.0);
        return Duration.ofNanos((long) Math.max(Math.min(pause, longest), least));
    }

    private static Waits waits(int status, Optional<Duration> wish) {
        return switch (status) {
            case 429, 502, 503, 504 -> Waits.HOST;
            case 501, 505, 511 -> Waits.NOBODY;
            default -> {
                if (status >= 520 && status <= 599) {
                    yield Waits.HOST;
                }
                boolean again = status == 408 || status >= 500 && status < 520;
                yield !again ? Waits.NOBODY : wish.isPresent() ? Waits.HOST : Waits.REQUEST;
            }
        };
    }

    private static Waits waits(FailureReason reason) {
        return switch (reason) {
            case DNS, CONNECT, TIMEOUT -> Waits.HOST;
            case PROTOCOL, PROXY -> Waits.REQUEST;
            case TLS, TOO_LARGE, REDIRECTS, PARSE, OTHER -> Waits.NOBODY;
        };
    }
}
