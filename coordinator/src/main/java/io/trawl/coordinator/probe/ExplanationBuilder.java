package io.trawl.coordinator.probe;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.probe.Explanation.Answered;
import io.trawl.coordinator.probe.Explanation.InFlight;
import io.trawl.coordinator.probe.Explanation.Known;
import io.trawl.coordinator.probe.Explanation.State;
import io.trawl.coordinator.probe.Explanation.StoredItem;
import io.trawl.coordinator.probe.Explanation.Waiting;
import io.trawl.direct.FrontierView.HostView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds an {@link Explanation}. Not thread-safe. */
final class ExplanationBuilder {
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

    ExplanationBuilder add(String sentence) {
        sentences.add(sentence);
        return this;
    }

    ExplanationBuilder url(String asked, Optional<String> form) {
        url = Optional.of(asked);
        normal = form;
        return this;
    }

    ExplanationBuilder host(String name) {
        host = Optional.of(name);
        return this;
    }

    ExplanationBuilder crawl(CrawlStatus status) {
        crawl = Optional.of(status);
        return this;
    }

    ExplanationBuilder verdict(String word, String why) {
        verdict = word;
        rule = why;
        return this;
    }

    ExplanationBuilder known(Known facts) {
        known = Optional.of(facts);
        return this;
    }

    ExplanationBuilder state(State word) {
        state = word;
        return this;
    }

    ExplanationBuilder waits(Waiting reason) {
        state = State.WAITING;
        waiting = Optional.of(reason);
        return this;
    }

    ExplanationBuilder inFlight(InFlight who) {
        state = State.IN_FLIGHT;
        inFlight = Optional.of(who);
        return this;
    }

    ExplanationBuilder answered(Answered how) {
        answered = Optional.of(how);
        return this;
    }

    ExplanationBuilder item(StoredItem where) {
        item = Optional.of(where);
        return this;
    }

    ExplanationBuilder queue(HostView view) {
        queue = Optional.of(view);
        return this;
    }

    State state() {
        return state;
    }

    Explanation build() {
        return new Explanation(url, normal, host, crawl.map(CrawlStatus::run), crawl.map(CrawlStatus::state), verdict,
                rule, known, state, waiting, inFlight, answered, item, queue, List.copyOf(sentences));
    }
}
