package io.trawl.coordinator.probe;

import io.trawl.coordinator.probe.DelayReasons.Delay;
import io.trawl.coordinator.probe.Explanation.InFlight;
import io.trawl.coordinator.probe.Explanation.State;
import io.trawl.coordinator.probe.Explanation.Waiting;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Where;
import io.trawl.model.HostKey;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes the state of a host at its downloader. Pure functions. */
final class HostExplanation {
    private HostExplanation() {}

    static void explain(ExplanationBuilder explanationBuilder, FrontierView view) {
        HostView host = view.host();
        explanationBuilder.addStory("The downloader " + view.mid() + " (" + view.state().text()
                + ") owns it: its requests are in partition " + view.partition()
                + (host.key().equals(host.host()) ? "." : ", and share the pauses of " + host.key() + "."));
        long pending = host.pending().values().stream().mapToLong(Long::longValue).sum();
        explanationBuilder.addStory(pending == 0 ? "No request to it waits there." : counts(pending, host) + ".");
        if (host.inFlight() > 0) {
            explanationBuilder.addStory(host.inFlight() + " of at most " + host.perHost() + " concurrent requests "
                    + (host.inFlight() == 1 ? "is" : "are") + " in flight"
                    + host.inFlightFor().map(time -> ", the last one for " + DelayReasons.shown(time)).orElse("")
                    + (host.fetching().isEmpty() ? "" : ": " + String.join(", ", host.fetching())) + ".");
        }
        explanationBuilder.addStory(switch (host.robots()) {
            case NOT_ASKED -> "Its robots.txt was not fetched recently.";
            case KNOWN -> "Its robots.txt is known" + host.crawlDelay()
                    .map(d -> "; it requires a pause of " + DelayReasons.shown(d) + " between requests").orElse("")
                    + ".";
            case UNREACHABLE, GIVEN_UP ->
                "Its robots.txt is unreachable" + why(host) + ", so all its URLs are disallowed now.";
            case REFUSED -> "Its address is refused, and so is each of its requests" + why(host) + ".";
            case IGNORED -> "The crawl ignores its robots.txt: fetch.ignoreRobots names the host.";
        });
    }

    static void inFlight(ExplanationBuilder explanationBuilder, FrontierView view, RequestView request) {
        String action = request.where() == Where.FETCHING ? "fetches it now" : "fetches its host's robots.txt now";
        explanationBuilder.state(State.IN_FLIGHT)
                .inFlight(new InFlight(view.mid(), request.since().map(view.at()::minus), request.attempts()))
                .addStory("The downloader " + view.mid() + " " + action
                        + request.since().map(s -> ", since " + DelayReasons.shown(s)).orElse("")
                        + (request.attempts() > 1 ? "; this is attempt " + request.attempts() : "") + ".");
    }

    /** Whether its downloader has anything to do with it. */
    static boolean busy(HostView host) {
        return !host.pending().isEmpty() || host.inFlight() > 0 || host.closedFor().isPresent()
                || host.silence().isPresent() || host.robotsTrouble().isPresent();
    }

    /** Adds what its requests do: one is in flight, or they wait, for the first of these delays if there is any. */
    static void queue(ExplanationBuilder explanationBuilder, HostKey host, Optional<FrontierView> view,
            List<Delay> delays) {
        boolean pending = view.filter(v -> !v.host().pending().isEmpty()).isPresent();
        if (view.filter(v -> v.host().inFlight() > 0).isPresent()) {
            explanationBuilder.state(State.IN_FLIGHT)
                    .inFlight(new InFlight(view.orElseThrow().mid(), Optional.empty(), 0));
        } else if ((pending || view.isEmpty()) && !delays.isEmpty()) {
            Delay first = delays.getFirst();
            explanationBuilder.state(State.WAITING)
                    .waiting(new Waiting("the requests of " + host, first.since(), first.until(), first.why()));
        } else if (pending) {
            Delay last = DelayReasons.ofFreeHost(view.orElseThrow());
            explanationBuilder.state(State.WAITING)
                    .waiting(new Waiting("the requests of " + host, Optional.empty(), Optional.empty(), last.why()))
                    .addStory(last.text());
        }
    }

    /** Why there is no robots.txt, as {@code  (no connection to example.org:443)}. */
    static String why(HostView host) {
        return host.robotsTrouble().map(trouble -> " (" + trouble + ")").orElse("");
    }

    private static String counts(long pending, HostView host) {
        String byPriority = host.pending().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
                .map(e -> e.getValue() + " of priority " + e.getKey()).collect(Collectors.joining(", "));
        return pending + " requests wait there: " + byPriority + "; at most one every "
                + DelayReasons.shown(host.pause());
    }
}
