package io.trawl.downloader.politeness;

import io.trawl.direct.FrontierView;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The hosts that do not answer at all, and what that means for their requests. After so many failures in a row a host is closed for a while; then one
 * request is the probe, and if it fails, too, the host is closed for twice as long, and so on. After so many rounds it is given up: for the next such
 * while its requests are answered as failures without being sent, and then there is one probe again. Any answer, whatever its status, ends all of that.
 * So a dead host with millions of URLs is asked a few times an hour and its requests end. Times are nanoseconds from an origin of the caller's choice.
 * Not thread-safe: it belongs to the frontier's thread.
 */
public final class SilentHosts {
    /** What failed longest ago is forgotten beyond that: it is then asked a few times more. */
    private static final int MOST = 50_000;
    private final Rules rules;
    /** By the time of the last failure. */
    private final Map<HostKey, Silence> silent = new LinkedHashMap<>();
    private int givenUp;

    /**
     * When to close a host and when to give it up.
     *
     * @param failures in a row until it is closed for the first time; 0: never
     * @param pause for how long it is closed then
     * @param longestPause the most that this grows to by doubling
     * @param rounds how often it is closed before it is given up
     */
    public record Rules(int failures, Duration pause, Duration longestPause, int rounds) {}

    private static final class Silence {
        private int failures;
        private int rounds;
        private boolean givenUp;
        private long until;
        private Outcome.Failure last = new Outcome.Failure(FailureReason.OTHER, "");
    }

    /** With these rules. */
    public SilentHosts(Rules rules) {
        this.rules = rules;
    }

    /**
     * What came of an exchange with a host.
     *
     * @return for how long it must be closed to all requests because of that; zero if not at all
     */
    public Duration heard(HostKey host, Outcome outcome, long now) {
        return switch (outcome) {
            case Outcome.Failure failure -> heard(host, failure, now);
            case Outcome.Page _,Outcome.Redirect _,Outcome.HttpError _ -> {
                answered(host);
                yield Duration.ZERO;
            }
            case Outcome.Refused _,Outcome.Duplicate _ -> Duration.ZERO;
        };
    }

    private Duration heard(HostKey host, Outcome.Failure failure, long now) {
        return switch (failure.reason()) {
            case DNS, CONNECT, TIMEOUT, TLS -> failed(host, failure, now);
            // Somebody has sent something.
            case PROTOCOL, TOO_LARGE -> {
                answered(host);
                yield Duration.ZERO;
            }
            // Nobody has been asked, or it says nothing about the host.
            case PROXY, REDIRECTS, PARSE, OTHER -> Duration.ZERO;
        };
    }

    private void answered(HostKey host) {
        Silence silence = silent.remove(host);
        if (silence != null && silence.givenUp) {
            givenUp--;
        }
    }

    private Duration failed(HostKey host, Outcome.Failure failure, long now) {
        if (rules.failures() == 0) {
            return Duration.ZERO;
        }
        Silence silence = silent.getOrDefault(host, new Silence());
        silent.remove(host);
        silent.put(host, silence);
        if (silent.size() > MOST) {
            answered(silent.keySet().iterator().next());
        }
        silence.last = failure;
        silence.failures++;
        if (silence.failures < rules.failures() || now < silence.until) {
            return Duration.ZERO;
        }
        Duration pause = pause(silence.rounds);
        silence.until = now + pause.toNanos();
        if (++silence.rounds <= rules.rounds()) {
            return pause;
        }
        if (!silence.givenUp) {
            silence.givenUp = true;
            givenUp++;
        }
        return Duration.ZERO;
    }

    private Duration pause(int rounds) {
        double nanos = Math.min(Math.scalb((double) rules.pause().toNanos(), Math.min(rounds, 40)),
                rules.longestPause().toNanos());
        return Duration.ofNanos((long) nanos);
    }

    /** What the host's requests are answered with instead of being sent, if it is given up now. */
    public Optional<Outcome.Failure> givenUp(HostKey host, long now) {
        Silence silence = silent.get(host);
        if (silence == null || !silence.givenUp || now >= silence.until) {
            return Optional.empty();
        }
        return Optional.of(new Outcome.Failure(silence.last.reason(), host + " was given up for a while after " + silence.failures
                + " failures in a row, for " + Durations.format(Duration.ofNanos(silence.until - now)) + " more; the last: "
                + silence.last.cause()));
    }

    /** What is known of a host that has not answered, if it was the last thing that was known. */
    public Optional<FrontierView.Silence> of(HostKey host, long now) {
        return Optional.ofNullable(silent.get(host)).map(silence -> new FrontierView.Silence(silence.failures,
                silence.givenUp && now < silence.until, Duration.ofNanos(Math.max(0, silence.until - now)),
                silence.last.cause()));
    }

    /** Whether the next exchange with the host is a probe: there must not be a second one beside it. */
    public boolean probing(HostKey host) {
        Silence silence = silent.get(host);
        return silence != null && silence.rounds > 0;
    }

    /** How many hosts are given up; one whose probe is due is among them until it has answered. */
    public int givenUp() {
        return givenUp;
    }
}
