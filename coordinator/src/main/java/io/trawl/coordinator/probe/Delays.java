package io.trawl.coordinator.probe;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.coordinator.api.Explanation.Why;
import io.trawl.coordinator.workers.Frontiers.Look;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Silence;
import io.trawl.direct.FrontierView.Where;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Why something waits. The reasons are looked at from the outside in: what stops the crawl, then what stops the downloader, then what the request waits for
 * itself, then its host, then its place in line. The first one is told, since nothing moves before it has gone. Pure functions.
 */
final class Delays {
    private Delays() {}

    /**
     * A reason.
     *
     * @param since when it began, if that is known
     * @param until when it ends at the earliest, if that is known
     * @param told in a sentence for people, with what may be done about it
     */
    record Delay(Why why, Optional<Instant> since, Optional<Instant> until, String told) {
        private static Delay of(Why why, String told) {
            return new Delay(why, Optional.empty(), Optional.empty(), told);
        }

        private static Delay until(Why why, Instant until, String told) {
            return new Delay(why, Optional.empty(), Optional.of(until), told);
        }
    }

    /** Why nothing of a crawl is fetched; empty if its requests may be. */
    static Optional<Delay> ofCrawl(CrawlStatus crawl, Optional<StopSign> sign) {
        if (!crawl.state().fetches()) {
            String end = crawl.end().map(e -> " (" + e.reason() + ", since " + e.at() + ")").orElse("");
            return Optional.of(new Delay(Why.CRAWL_STOPPED, crawl.end().map(End::at), Optional.empty(), "The crawl "
                    + crawl.run().crawl() + " is " + crawl.state() + end + ": its requests wait in Kafka until it is started."));
        }
        return sign.filter(StopSign::signed).map(s -> new Delay(Why.STOP_SIGN, Optional.of(s.at()), Optional.empty(),
                "A stop sign for " + s.crawl().map(c -> "the crawl " + c).orElse("the whole fleet") + " stands since " + s.at()
                        + ": nothing is fetched until it is reset."));
    }

    /** Why the downloader of a host fetches nothing; empty if it works. */
    static Optional<Delay> ofDownloader(HostKey host, Look look) {
        return switch (look) {
            case Look.NoOwner(int downloaders) when downloaders == 0 -> Optional.of(Delay.of(Why.NO_DOWNLOADER,
                    "No downloader is registered, so nothing at all is fetched: start one."));
            case Look.NoOwner(int downloaders) -> Optional.of(Delay.of(Why.NO_ANSWER, "None of " + downloaders
                    + " downloaders has the partition of " + host
                    + " at this moment: it is changing hands, or Kafka does not answer."));
            case Look.Silent(var mid, String why) -> Optional.of(Delay.of(Why.NO_ANSWER,
                    "The downloader " + mid + " has the host "
                            + host + " and does not answer (" + why
                            + "): if it is dead, another one takes over when its lease has run out."));
            case Look.Seen(FrontierView view) -> ofDownloader(host, view);
        };
    }

    private static Optional<Delay> ofDownloader(HostKey host, FrontierView view) {
        String mid = "The downloader " + view.mid();
        if (!view.leased()) {
            return Optional.of(Delay.of(Why.LEASE, mid + " waits for the lease on partition " + view.partition() + " of " + host
                    + ": another one has given it up or died, and its lease must run out first."));
        }
        if (view.state().startsWith("waiting") || view.state().startsWith("stopping")) {
            return Optional.of(Delay.of(Why.DOWNLOADER, mid + ", which has the host " + host + ", is " + view.state() + "."));
        }
        return view.holding()
                ? Optional.of(Delay.of(Why.BACK_PRESSURE, mid
                        + " begins nothing: too many responses wait for analyzers. Look whether they are alive, or start more of them."))
                : Optional.empty();
    }

    /** Why a request does not leave by itself; empty if it waits for its host. */
    static Optional<Delay> ofRequest(FrontierView view, RequestView request) {
        return switch (request.where()) {
            case ANSWERING -> Optional.of(Delay.of(Why.ANSWERING, "It is answered, and the answer is on its way into Kafka."));
            case RETRY -> Optional.of(Delay.until(Why.BACK_OFF, view.at().plus(request.until().orElse(Duration.ZERO)),
                    "It was tried " + times(request.attempts()) + " without success" + trouble(request)
                            + "; it is tried again in " + shown(request.until().orElse(Duration.ZERO)) + "."));
            case CRAWL_STOPPED, CRAWL_UNKNOWN -> Optional.of(Delay.of(Why.CRAWL_STOPPED,
                    "The downloader has put it aside: its crawl does not fetch, or not for long."));
            case FETCHING, ASKING_ROBOTS, QUEUE -> Optional.empty();
        };
    }

    private static String trouble(RequestView request) {
        return request.trouble().map(t -> " (" + t + ")").orElse("");
    }

    private static String times(int n) {
        return n == 1 ? "once" : n + " times";
    }

    /** Why a host is asked nothing for longer than usual; empty if it is well. */
    static Optional<Delay> ofTrouble(FrontierView view) {
        HostView host = view.host();
        Optional<Silence> silent = host.silence().filter(s -> !s.until().isZero());
        if (silent.isPresent()) {
            return Optional.of(ofSilence(view, silent.get()));
        }
        if (host.robots() == Robots.UNAVAILABLE || host.robots() == Robots.GIVEN_UP) {
            Instant until = view.at().plus(host.closedFor().orElse(Duration.ZERO));
            return Optional.of(Delay.until(Why.ROBOTS, until, "The robots.txt of " + host.host()
                    + " could not be had, which forbids everything" + (host.robots() == Robots.GIVEN_UP
                            ? ": its requests are answered as failures for a while."
                            : "; it is asked for again in " + shown(host.closedFor().orElse(Duration.ZERO)) + ".")));
        }
        if (host.closedFor().isPresent()) {
            return Optional.of(Delay.until(Why.BACK_OFF, view.at().plus(host.closedFor().get()), host.host() + " is closed for "
                    + shown(host.closedFor().get()) + " more: it asked for that with Retry-After, or it failed."));
        }
        return Optional.empty();
    }

    /** The pause after a host's last exchange; empty if it is over. */
    static Optional<Delay> ofPause(FrontierView view) {
        return view.host().opensIn().map(left -> ofPause(view, left));
    }

    private static Delay ofSilence(FrontierView view, Silence silence) {
        String host = view.host().host().value();
        Instant until = view.at().plus(silence.until());
        return Delay.until(Why.HOST_CLOSED, until,
                host + " has not answered " + silence.failures() + " times in a row (the last: "
                        + silence.last() + "). " + (silence.givenUp()
                                ? "It is given up for " + shown(silence.until())
                                        + ": until then its requests are answered as failures without being sent."
                                : "Nobody tries it again for " + shown(silence.until()) + "."));
    }

    private static Delay ofPause(FrontierView view, Duration left) {
        HostView host = view.host();
        boolean robots = host.crawlDelay().filter(asked -> asked.compareTo(host.pause()) >= 0).isPresent();
        return Delay.until(robots ? Why.ROBOTS : Why.DELAY, view.at().plus(left), (robots
                ? "The robots.txt of " + host.host() + " asks for " + shown(host.pause()) + " between two requests"
                : "Between two requests to " + host.host() + " there is a pause of " + shown(host.pause()))
                + "; the next may begin in " + shown(left) + ".");
    }

    /** Why a request is not the next of its host; empty if it is. */
    static Optional<Delay> inLine(FrontierView view, Optional<RequestView> request, int priority) {
        HostView host = view.host();
        long above = host.pending().entrySet().stream().filter(e -> e.getKey() > priority).mapToLong(e -> e.getValue()).sum();
        long ahead = request.filter(r -> r.where() == Where.QUEUE).map(RequestView::ahead)
                .orElseGet(() -> above + host.pending().getOrDefault(priority, 0L));
        if (above > 0) {
            return Optional
                    .of(Delay.of(Why.PRIORITY, above + " requests of a higher priority come first at " + host.host() + "."));
        }
        if (ahead > 0) {
            Duration least = host.pause().multipliedBy(ahead / host.perHost()).plus(host.opensIn().orElse(Duration.ZERO));
            return Optional.of(Delay.until(Why.QUEUE, view.at().plus(least), (request.isPresent() ? "" : "Up to ") + ahead
                    + " requests to " + host.host() + " come before it, one every " + shown(host.pause()) + " at most."));
        }
        return Optional.empty();
    }

    /** Why a request that is the next of a host that may be asked is not under way. */
    static Delay atLast(FrontierView view) {
        HostView host = view.host();
        if (host.inFlight() >= host.perHost()) {
            return Delay.of(Why.DELAY, host.host() + " is being asked at this moment, and no more than " + host.perHost()
                    + " at a time.");
        }
        return view.slotsUsed() >= view.slots()
                ? Delay.of(Why.SLOTS, "All " + view.slots() + " slots of the downloader are taken.")
                : Delay.of(Why.QUEUE, "It is about to be fetched.");
    }

    /** A duration as people read it. */
    static String shown(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return duration.toMillis() + " ms";
        }
        return seconds < 120 ? seconds + " s" : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
