package io.trawl.coordinator.probe;

import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.StopSign;
import io.trawl.coordinator.probe.Explanation.Why;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Silence;
import io.trawl.direct.FrontierView.Where;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The reasons why a request waits. They are checked in this order: the crawl, the downloader, the request itself, its
 * host, its position in the host's queue. The first one is reported, because it blocks all others. Pure functions.
 */
final class DelayReasons {
    private static final int MOST_RUNS = 5;

    private DelayReasons() {}

    /**
     * A reason.
     *
     * @param since when it began, if that is known
     * @param until when it ends at the earliest, if that is known
     * @param text a sentence for users, with a remedy if there is one
     */
    record Delay(Why why, Optional<Instant> since, Optional<Instant> until, String text) {
        private static Delay of(Why why, String text) {
            return new Delay(why, Optional.empty(), Optional.empty(), text);
        }

        private static Delay until(Why why, Instant until, String text) {
            return new Delay(why, Optional.empty(), Optional.of(until), text);
        }
    }

    /** Why no request of a crawl is fetched; empty if the crawl fetches. */
    static Optional<Delay> ofCrawl(CrawlStatus crawl, Optional<StopSign> sign) {
        if (!crawl.state().fetches()) {
            String since = crawl.end().map(e -> " since " + shown(e.at())).orElse("");
            return Optional.of(new Delay(Why.CRAWL_STOPPED, crawl.end().map(End::at), Optional.empty(),
                    "The crawl " + crawl.run().crawl() + " is " + crawl.condition() + since
                            + ": its requests wait in Kafka until it is started."));
        }
        return sign.filter(StopSign::signed)
                .map(s -> new Delay(Why.STOP_SIGN, Optional.of(s.at()), Optional.empty(),
                        "A stop sign for " + s.crawl().map(c -> "the crawl " + c).orElse("the whole fleet")
                                + " is set since " + shown(s.at()) + ": its requests wait until it is reset."));
    }

    /** The stop sign of a host, if it is in force. */
    static Optional<Delay> ofHostSign(HostKey host, Collection<StopSign> signs) {
        return signs.stream().filter(sign -> sign.signed() && sign.host().filter(name -> host.isOf(name)).isPresent())
                .findFirst()
                .map(sign -> new Delay(Why.STOP_SIGN, Optional.of(sign.at()), Optional.empty(),
                        "A stop sign for the host " + sign.host().orElseThrow() + " is set since " + shown(sign.at())
                                + ": its requests wait until it is reset."));
    }

    /**
     * Why a request that no downloader has read waits while the request topics are replaced; empty while they are not.
     */
    static Optional<Delay> ofReplacement(Optional<Channels> channels) {
        return channels.flatMap(now -> now.replaced().map(old -> new Delay(Why.REPLACED, Optional.of(old.since()),
                Optional.empty(),
                "The request topics of generation " + old.generation() + " are being replaced by those of generation "
                        + now.generation()
                        + (now.served()
                                ? ": it is forwarded with what waits in the old ones."
                                : ": nothing is fetched until the new ones are served, which takes seconds."))));
    }

    /** Why the downloader of a host does not fetch; empty if it does. */
    static Optional<Delay> ofDownloader(HostKey host, ModuleReply<FrontierView> reply) {
        return switch (reply) {
            case ModuleReply.NoModule<FrontierView>(int downloaders) when downloaders == 0 ->
                Optional.of(Delay.of(Why.NO_DOWNLOADER, "No downloader is registered: start one."));
            case ModuleReply.NoModule<FrontierView>(int downloaders) ->
                Optional.of(Delay.of(Why.NO_ANSWER, "None of " + downloaders + " downloaders owns the partition of "
                        + host + " now: a rebalance is in progress, or Kafka does not answer."));
            case ModuleReply.RefusalOf<FrontierView>(MID mid, _, String detail, _, _) ->
                Optional.of(silent(mid, host, detail));
            case ModuleReply.SilenceOf<FrontierView>(MID mid, String why) -> Optional.of(silent(mid, host, why));
            case ModuleReply.AnswerOf<FrontierView>(_, FrontierView view) -> ofDownloader(host, view);
        };
    }

    private static Delay silent(MID owner, HostKey host, String why) {
        return Delay.of(Why.NO_ANSWER, "The downloader " + owner + " owns the host " + host + " and does not answer ("
                + why + "): if it is dead, another one takes over when its lease expires.");
    }

    private static Optional<Delay> ofDownloader(HostKey host, FrontierView view) {
        String mid = "The downloader " + view.mid();
        if (!view.leased()) {
            return Optional.of(
                    Delay.of(Why.LEASE, mid + " waits for the lease on partition " + view.partition() + " of " + host
                            + ": the previous owner released the partition or died, and its lease must expire first."));
        }
        if (!view.state().ready()) {
            return Optional.of(Delay.of(Why.DOWNLOADER,
                    mid + ", which owns the host " + host + ", is " + view.state().text() + "."));
        }
        if (!view.holding()) {
            return Optional.empty();
        }
        boolean memory = view.state() instanceof HoldingFor(HoldReason reason, var _) && reason == HoldReason.MEMORY;
        return Optional.of(Delay.of(Why.BACK_PRESSURE, mid + (memory
                ? " is paused: its memory is nearly full. Give it a larger heap, or start another one."
                : " is paused: too many responses wait for analyzers. Check whether they are alive, or start more.")));
    }

    /** Why a request itself is delayed; empty if it waits for its host. */
    static Optional<Delay> ofRequest(FrontierView view, RequestView request) {
        return switch (request.where()) {
            case ANSWERING ->
                Optional.of(Delay.of(Why.ANSWERING, "It is answered, and the answer is being written to Kafka."));
            case RETRY -> Optional.of(Delay.until(Why.BACK_OFF, view.at().plus(request.until().orElse(Duration.ZERO)),
                    "It has failed " + times(request.attempts()) + error(request) + "; the next attempt is in "
                            + shown(request.until().orElse(Duration.ZERO)) + "."));
            case CRAWL_STOPPED, CRAWL_UNKNOWN -> Optional.of(Delay.of(Why.CRAWL_STOPPED,
                    "The downloader has deferred it: its crawl does not fetch, or has only just started."));
            case FETCHING, ASKING_ROBOTS, QUEUE -> Optional.empty();
        };
    }

    private static String error(RequestView request) {
        return request.trouble().map(t -> " (" + t + ")").orElse("");
    }

    private static String times(int n) {
        return n == 1 ? "once" : n + " times";
    }

    /** Why a host is closed; empty if it is open. */
    static Optional<Delay> ofHost(FrontierView view) {
        HostView host = view.host();
        Optional<Silence> silent = host.silence().filter(s -> !s.until().isZero() || host.inFlight() > 0);
        if (silent.isPresent()) {
            return Optional.of(ofSilence(view, silent.get()));
        }
        if (host.robots() == Robots.UNREACHABLE || host.robots() == Robots.GIVEN_UP) {
            Instant until = view.at().plus(host.closedFor().orElse(Duration.ZERO));
            return Optional.of(Delay.until(Why.ROBOTS, until, "The robots.txt of " + host.host() + " is unreachable"
                    + HostExplanation.why(host) + ", so all its URLs are disallowed"
                    + (host.robots() == Robots.GIVEN_UP
                            ? ": its requests fail for a while."
                            : "; the next attempt is in " + shown(host.closedFor().orElse(Duration.ZERO)) + ".")));
        }
        if (host.closedFor().isPresent()) {
            return Optional.of(Delay.until(Why.BACK_OFF, view.at().plus(host.closedFor().get()),
                    host.host() + " is closed for another " + shown(host.closedFor().get())
                            + ", because of its Retry-After or an error."));
        }
        if (host.resolving()) {
            return Optional.of(Delay.of(Why.NAME, "The name of " + host.host()
                    + " is being looked up: its requests wait for an address, and take no slot. If that lasts, no name server answers."));
        }
        if (host.withoutPermit()) {
            return Optional.of(Delay.of(Why.PERMIT,
                    "Its crawl has a limit of pages or bytes, and other requests hold the permits that are left: "
                            + "it is fetched if one of them brings no page, and when the limit is raised."));
        }
        return host.postponed()
                ? Optional.of(Delay.of(Why.POSTPONED, "The latest pages of " + host.host()
                        + " repeat earlier ones, as in a calendar without end: its requests come after those of other hosts."))
                : Optional.empty();
    }

    /** The pause after a host's last exchange; empty if it is over. */
    static Optional<Delay> ofPause(FrontierView view) {
        return view.host().opensIn().map(left -> ofPause(view, left));
    }

    private static Delay ofSilence(FrontierView view, Silence silence) {
        String silent = view.host().host() + " has not answered "
                + (silence.failures() == 1 ? "the last request (" : silence.failures() + " times in a row (the last: ")
                + silence.last() + "). ";
        if (silence.until().isZero()) {
            return Delay.of(Why.HOST_CLOSED,
                    silent + "The next attempt has been in flight"
                            + view.host().inFlightFor().map(time -> " for " + shown(time)).orElse("")
                            + ": the other requests wait for it.");
        }
        return Delay.until(Why.HOST_CLOSED, view.at().plus(silence.until()),
                silent + (silence.givenUp()
                        ? "It is given up for " + shown(silence.until())
                                + ": until then its requests fail without being sent."
                        : "The next attempt is in " + shown(silence.until()) + "."));
    }

    private static Delay ofPause(FrontierView view, Duration left) {
        HostView host = view.host();
        boolean robots = host.crawlDelay().filter(asked -> asked.compareTo(host.pause()) >= 0).isPresent();
        return Delay.until(robots ? Why.ROBOTS : Why.DELAY, view.at().plus(left),
                (robots
                        ? "The robots.txt of " + host.host() + " requires a pause of " + shown(host.pause())
                                + " between requests"
                        : "Requests to " + host.host() + " have a pause of " + shown(host.pause()))
                        + "; the next one may start in " + shown(left) + ".");
    }

    /** Why a request is not the next one of its host; empty if it is. */
    static Optional<Delay> ofQueue(FrontierView view, Optional<RequestView> request, int priority) {
        HostView host = view.host();
        long above = host.pending().entrySet().stream().filter(e -> e.getKey() > priority).mapToLong(e -> e.getValue())
                .sum();
        long ahead = request.filter(r -> r.where() == Where.QUEUE).map(RequestView::ahead)
                .orElseGet(() -> above + host.pending().getOrDefault(priority, 0L));
        if (above > 0) {
            return Optional.of(Delay.of(Why.PRIORITY,
                    above + " requests of a higher priority come first for " + host.host() + "."));
        }
        if (ahead > 0) {
            Duration least = host.pause().multipliedBy(ahead / host.perHost())
                    .plus(host.opensIn().orElse(Duration.ZERO));
            Map<String, Long> runs = request.map(RequestView::aheadByRun).orElse(host.pendingByRun());
            return Optional.of(Delay.until(Why.QUEUE, view.at().plus(least),
                    (request.isPresent() ? "" : "Up to ") + ahead + " requests to " + host.host() + " come first"
                            + shown(runs) + ", at most one every " + shown(host.pause()) + "."));
        }
        return Optional.empty();
    }

    /** Whose requests they are; those that name no run have none. */
    private static String shown(Map<String, Long> runs) {
        return runs.isEmpty()
                ? ""
                : runs.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .limit(MOST_RUNS).map(run -> run.getValue() + " of " + run.getKey())
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    /** Why the next request of an open host is not in flight. */
    static Delay ofFreeHost(FrontierView view) {
        HostView host = view.host();
        if (host.inFlight() >= host.perHost()) {
            return Delay.of(Why.DELAY,
                    host.host() + " has the maximum number of requests in flight (" + host.perHost() + ").");
        }
        if (host.limited()) {
            return Delay.of(Why.SLOTS, "The domain of " + host.host()
                    + ", its crawl, or hosts that are as slow use their part of the slots of the downloader.");
        }
        return view.slotsUsed() >= view.slots()
                ? Delay.of(Why.SLOTS, "All " + view.slots() + " slots of the downloader are in use.")
                : Delay.of(Why.QUEUE, "It is about to be fetched.");
    }

    /** Why a request that waits at its downloader is not fetched. @param request as that knows it */
    static Optional<Delay> inFrontier(FrontierView view, Optional<RequestView> request, int priority) {
        if (request.isEmpty() && view.host().pending().isEmpty()) {
            return Optional.of(Delay.of(Why.NOT_READ, "The downloader " + view.mid()
                    + " does not have it in its index: it has not read the record yet, its crawl does not fetch, or it is being answered now."));
        }
        return request.flatMap(r -> ofRequest(view, r)).or(() -> ofHost(view))
                .or(() -> ofQueue(view, request, priority)).or(() -> ofPause(view))
                .or(() -> Optional.of(ofFreeHost(view)));
    }

    /** A time as the REST interface shows it: without nanoseconds. */
    private static Instant shown(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A duration for users. */
    static String shown(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 10) {
            return duration.toMillis() + " ms";
        }
        return seconds < 120 ? seconds + " s" : seconds < 7200 ? seconds / 60 + " min" : seconds / 3600 + " h";
    }
}
