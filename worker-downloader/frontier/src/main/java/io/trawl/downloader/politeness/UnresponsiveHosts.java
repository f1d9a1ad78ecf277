package io.trawl.downloader.politeness;

import io.trawl.direct.FrontierView;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tracks hosts that do not answer, and closes them. Only failures before a status line count: a page that breaks off or
 * is too large says that its host answers. After a number of failures in a row a host is closed for a pause; then one
 * request is the probe. If it fails, too, the host is closed for twice as long, and so on. After a number of rounds the
 * host is given up: during the next pause its requests are answered as failures without being sent, then there is one
 * probe again. Any answer, with any status, resets the host. So a dead host with millions of URLs is asked a few times
 * an hour and its requests end. Times are nanoseconds from an origin of the caller's choice. Not thread-safe: belongs
 * to the frontier's thread.
 */
public final class UnresponsiveHosts {
    /** Beyond this number the host with the oldest failure is forgotten, which costs a few more requests to it. */
    private static final int MOST = 50_000;
    private final GiveUpRules giveUpRules;
    /** Ordered by the time of the last failure. */
    private final Map<HostKey, SilentHost> silent = new LinkedHashMap<>();
    private int givenUp;

    /**
     * When to close a host and when to give it up.
     *
     * @param failures in a row until it is closed for the first time; 0: never
     * @param pause of the first closing
     * @param longestPause the limit of its doubling
     * @param rounds how often it is closed before it is given up
     */
    public record GiveUpRules(int failures, Duration pause, Duration longestPause, int rounds) {}

    private static final class SilentHost {
        private final long since;
        private int failures;
        private int rounds;
        private boolean givenUp;
        private long until;
        private Outcome.Failure last = new Outcome.Failure(FailureReason.OTHER, "");

        private SilentHost(long since) {
            this.since = since;
        }
    }

    /** Creates the tracker with these rules. */
    public UnresponsiveHosts(GiveUpRules giveUpRules) {
        this.giveUpRules = giveUpRules;
    }

    /**
     * Records the result of an exchange with a host.
     *
     * @return how long to close the host to all requests because of it; zero if not at all
     */
    public Duration recordOutcome(HostKey host, FetchResult fetchResult, long now) {
        return switch (fetchResult.outcome()) {
            case Outcome.Failure failure -> recordOutcome(host, failure, fetchResult.statusSeen(), now);
            case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _,Outcome.HttpError _ -> answered(host);
            case Outcome.Refused _,Outcome.Duplicate _ -> Duration.ZERO;
        };
    }

    private Duration recordOutcome(HostKey host, Outcome.Failure failure, boolean statusSeen, long now) {
        return switch (failure.reason()) {
            case DNS, CONNECT, TIMEOUT, TLS -> statusSeen ? answered(host) : failed(host, failure, now);
            // The host has answered.
            case PROTOCOL, TOO_LARGE -> answered(host);
            // The host was not asked, or the outcome says nothing about it.
            case PROXY, REDIRECTS, LOGIN, ROBOTS, PARSE, OTHER -> Duration.ZERO;
        };
    }

    private Duration answered(HostKey host) {
        SilentHost silentHost = silent.remove(host);
        if (silentHost != null && silentHost.givenUp) {
            givenUp--;
        }
        return Duration.ZERO;
    }

    private Duration failed(HostKey host, Outcome.Failure failure, long now) {
        if (giveUpRules.failures() == 0) {
            return Duration.ZERO;
        }
        SilentHost silentHost = silent.getOrDefault(host, new SilentHost(now));
        silent.remove(host);
        silent.put(host, silentHost);
        if (silent.size() > MOST) {
            answered(silent.keySet().iterator().next());
        }
        silentHost.last = failure;
        silentHost.failures++;
        if (silentHost.failures < giveUpRules.failures() || now < silentHost.until) {
            return Duration.ZERO;
        }
        Duration pause = pause(silentHost.rounds);
        silentHost.until = now + pause.toNanos();
        if (++silentHost.rounds <= giveUpRules.rounds()) {
            return pause;
        }
        if (!silentHost.givenUp) {
            silentHost.givenUp = true;
            givenUp++;
        }
        return Duration.ZERO;
    }

    private Duration pause(int rounds) {
        double nanos = Math.min(Math.scalb((double) giveUpRules.pause().toNanos(), Math.min(rounds, 40)),
                giveUpRules.longestPause().toNanos());
        return Duration.ofNanos((long) nanos);
    }

    /** The outcome for the host's requests while it is given up. */
    public Optional<Outcome.Failure> givenUp(HostKey host, long now) {
        SilentHost silentHost = silent.get(host);
        if (silentHost == null || !silentHost.givenUp || now >= silentHost.until) {
            return Optional.empty();
        }
        return Optional.of(new Outcome.Failure(silentHost.last.reason(),
                host + " was given up for a while after " + silentHost.failures + " failures in a row, for "
                        + Durations.format(Duration.ofNanos(silentHost.until - now)) + " more; the last: "
                        + silentHost.last.cause()));
    }

    /** The failures of a host whose last exchanges all failed. */
    public Optional<FrontierView.Silence> of(HostKey host, long now) {
        return Optional.ofNullable(silent.get(host)).map(silentHost -> new FrontierView.Silence(silentHost.failures,
                silentHost.givenUp && now < silentHost.until, Duration.ofNanos(Math.max(0, silentHost.until - now)),
                Duration.ofNanos(Math.max(0, now - silentHost.since)), silentHost.last.cause()));
    }

    /** How long ago the first of the failures of a host was whose last exchanges all failed; 0 for any other host. */
    public long silentFor(HostKey host, long now) {
        SilentHost silentHost = silent.get(host);
        return silentHost == null ? 0 : Math.max(0, now - silentHost.since);
    }

    /** The hosts whose last exchanges all failed, the first of them at this time or before. */
    public List<HostKey> silentSince(long at) {
        return silent.entrySet().stream().filter(host -> host.getValue().since <= at).map(Map.Entry::getKey).toList();
    }

    /** Whether the next exchange with the host is a probe; no second one may be in flight beside it. */
    public boolean probing(HostKey host) {
        SilentHost silentHost = silent.get(host);
        return silentHost != null && silentHost.rounds > 0;
    }

    /** The number of hosts that are given up, including those whose probe has not been answered yet. */
    public int givenUp() {
        return givenUp;
    }
}
