package io.trawl.coordinator.probe;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.api.Explanation;
import io.trawl.coordinator.api.Explanation.Answered;
import io.trawl.coordinator.api.Explanation.InFlight;
import io.trawl.coordinator.api.Explanation.Known;
import io.trawl.coordinator.api.Explanation.State;
import io.trawl.coordinator.api.Explanation.StoredItem;
import io.trawl.coordinator.api.Explanation.Waiting;
import io.trawl.direct.FrontierView.HostView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An {@link Explanation} while it is found out. Not thread-safe. */
final class Story {
    private final List<String> sentences = new ArrayList<>();
    private Optional<String> url = Optional.empty();
    private Optional<String> normal = Optional.empty();
    private Optional<String> host = Optional.empty();
    private Optional<CrawlStatus> crawl = Optional.empty();
    private String verdict = "";
    private String rule = "";
    private Optional<Known> known = Optional.empty();
    private State state = State.UNKNOWN;
    private Optional<Waiting> waiting = Optional.empty();
    private Optional<InFlight> inFlight = Optional.empty();
    private Optional<Answered> answered = Optional.empty();
    private Optional<StoredItem> item = Optional.empty();
    private Optional<HostView> queue = Optional.empty();

    Story say(String sentence) {
        sentences.add(sentence);
        return this;
    }

    Story url(String asked, Optional<String> form) {
        url = Optional.of(asked);
        normal = form;
        return this;
    }

    Story host(String name) {
        host = Optional.of(name);
        return this;
    }

    Story crawl(CrawlStatus status) {
        crawl = Optional.of(status);
        return this;
    }

    Story verdict(String word, String why) {
        verdict = word;
        rule = why;
        return this;
    }

    Story known(Known facts) {
        known = Optional.of(facts);
        return this;
    }

    Story state(State word) {
        state = word;
        return this;
    }

    Story waits(Waiting reason) {
        state = State.WAITING;
        waiting = Optional.of(reason);
        return this;
    }

    Story flies(InFlight who) {
        state = State.IN_FLIGHT;
        inFlight = Optional.of(who);
        return this;
    }

    Story answered(Answered how) {
        answered = Optional.of(how);
        return this;
    }

    Story item(StoredItem where) {
        item = Optional.of(where);
        return this;
    }

    Story queue(HostView view) {
        queue = Optional.of(view);
        return this;
    }

    State state() {
        return state;
    }

    Explanation told() {
        return new Explanation(url, normal, host, crawl.map(CrawlStatus::run), crawl.map(CrawlStatus::state), verdict, rule,
                known,
                state, waiting, inFlight, answered, item, queue, List.copyOf(sentences));
    }
}
