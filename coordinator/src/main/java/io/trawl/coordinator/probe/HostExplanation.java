package io.trawl.coordinator.probe;

import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes the state of a host at its downloader. Pure functions. */
final class HostExplanation {
    private HostExplanation() {}

    static void explain(ExplanationBuilder explanationBuilder, FrontierView view) {
        HostView host = view.host();
        explanationBuilder.add("The downloader " + view.mid() + " (" + view.state().text()
                + ") owns it: its requests are in partition " + view.partition()
                + (host.key().equals(host.host()) ? "." : ", and share the pauses of " + host.key() + "."));
        long pending = host.pending().values().stream().mapToLong(Long::longValue).sum();
        explanationBuilder.add(pending == 0 ? "No request to it waits there." : counts(pending, host) + ".");
        if (host.inFlight() > 0) {
            explanationBuilder.add(host.inFlight() + " of at most " + host.perHost() + " concurrent requests "
                    + (host.inFlight() == 1 ? "is" : "are") + " in flight"
                    + host.inFlightFor().map(time -> ", the last one for " + DelayReasons.shown(time)).orElse("")
                    + (host.fetching().isEmpty() ? "" : ": " + String.join(", ", host.fetching())) + ".");
        }
        explanationBuilder.add(switch (host.robots()) {
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
