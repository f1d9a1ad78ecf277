package io.trawl.coordinator.probe;

import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/** Tells how a host stands at its downloader. Pure functions. */
final class HostStory {
    private HostStory() {}

    static void tell(Story story, FrontierView view) {
        HostView host = view.host();
        story.say("The downloader " + view.mid() + " (" + view.state() + ") has it: its requests stand in partition "
                + view.partition()
                + (host.key().equals(host.host()) ? "." : ", and share their pauses as " + host.key() + "."));
        long pending = host.pending().values().stream().mapToLong(Long::longValue).sum();
        story.say(pending == 0 ? "No request to it waits there." : counts(pending, host) + ".");
        if (host.inFlight() > 0) {
            story.say(host.inFlight() + " of at most " + host.perHost() + " requests at a time "
                    + (host.inFlight() == 1 ? "is" : "are") + " under way"
                    + (host.fetching().isEmpty() ? "" : ": " + String.join(", ", host.fetching())) + ".");
        }
        story.say(switch (host.robots()) {
            case NOT_ASKED -> "Its robots.txt has not been asked for lately.";
            case KNOWN -> "Its robots.txt is known" + host.crawlDelay().map(d -> "; it asks for " + Delays.shown(d)
                    + " between two requests").orElse("") + ".";
            case UNAVAILABLE, GIVEN_UP -> "Its robots.txt could not be had, which forbids everything for now.";
        });
    }

    private static String counts(long pending, HostView host) {
        String byPriority = host.pending().entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Comparator.reverseOrder()))
                .map(e -> e.getValue() + " of priority " + e.getKey()).collect(Collectors.joining(", "));
        return pending + " requests wait there: " + byPriority + "; one every " + Delays.shown(host.pause()) + " at most";
    }
}
