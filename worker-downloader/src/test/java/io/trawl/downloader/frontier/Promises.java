package io.trawl.downloader.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.trawl.downloader.frontier.FrontierModel.Answered;
import io.trawl.downloader.frontier.FrontierModel.Entry;
import io.trawl.downloader.frontier.FrontierModel.Host;
import io.trawl.downloader.frontier.FrontierModel.Log;
import io.trawl.downloader.frontier.FrontierModel.State;
import io.trawl.downloader.frontier.FrontierModel.Work;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.Optional;

/** What a frontier must never do, held against a {@link FrontierModel} at everything that it asks for; fails at the first breach. Keeps the model up to date. */
final class Promises {
    private final FrontierModel model;
    private final World world;
    private final boolean shares;
    private final boolean cramped;

    /**
     * @param shares whether turns are dealt by shares instead of strictly: then all holds but the order of priorities
     * @param cramped whether bodies are forgotten, and so verdicts, as no flat list could tell
     */
    Promises(FrontierModel model, World world, boolean shares, boolean cramped) {
        this.model = model;
        this.world = world;
        this.shares = shares;
        this.cramped = cramped;
    }

    void check(Action action) {
        switch (action) {
            case Action.LookUp lookUp -> model.questions.add(lookUp);
            case Action.LoadRobots load -> {
                assertThat(world.robots(load.host()).filter(rules -> !rules.unavailable())).as("robots.txt is loaded once")
                        .isEmpty();
                mayBegin(load.host().value(), Optional.empty());
                assertThat(load.clearance())
                        .isSameAs(model.leases.get(FrontierModel.partitionOf(model.key(load.host().value()))));
                model.flights.put(load.ticket(), new Work(load.host().value(), Optional.empty(), world.now));
            }
            case Action.Fetch fetch -> begin(fetch);
            case Action.Answer answer -> answered(answer);
            case Action.Unreadable none -> unreadable(none);
            case Action.Read read -> wanted(read);
            case Action.Commit commit -> commit.offsets().forEach((lane, mark) -> {
                Log log = model.logs.get(lane);
                assertThat(mark).as("low-water mark of " + lane).isEqualTo(new Action.Commit.Mark(log.tenure, log.low()));
                log.committed = mark.offset();
            });
            case Action.Reread reread -> {
                model.outdated.addAll(model.questions);
                reread.from().forEach((lane, mark) -> {
                    Log log = model.logs.get(lane);
                    // What was wanted of a tenure that has ended meanwhile is nobody's business any more.
                    if (mark.tenure() == log.tenure) {
                        assertThat(log.entries.get((int) mark.offset()).marked).isFalse();
                        log.position = (int) Math.min(log.position, mark.offset());
                    }
                });
            }
            case Action.Closed closed -> assertThat(closed.pause()).isGreaterThan(Duration.ofSeconds(5));
            case Action.Pass _,Action.Refresh _,Action.Scan _ -> fail("not expected: " + action);
        }
    }

    private void begin(Action.Fetch fetch) {
        Entry e = model.find(fetch.request());
        assertThat(e.state == State.QUEUED || e.state == State.RETRY && e.retryAt <= world.now).as("may be fetched: " + e.state)
                .isTrue();
        assertThat(world.facts).as("no response yet").doesNotContainKey(e.url());
        assertThat(model.active(e)).as("the URL is not in flight").isEmpty();
        mayBegin(e.server(), Optional.of(e));
        assertThat(fetch.clearance()).isSameAs(model.leases.get(FrontierModel.partitionOf(model.key(e))));
        if (!shares) {
            noneBefore(e);
        }
        e.state = State.FLIGHT;
        e.attempts++;
        model.flights.put(fetch.ticket(), new Work(e.server(), Optional.of(e), world.now));
    }

    private void mayBegin(String server, Optional<Entry> entry) {
        String key = model.key(server);
        Host host = model.hosts.get(key);
        assertThat(model.stopped).as("the crawl is stopped").isFalse();
        assertThat(model.leases.get(FrontierModel.partitionOf(key)).holds()).as("within a lease").isTrue();
        assertThat(host.busy).as("in flight at " + key).isFalse();
        assertThat(model.flights.size()).as("slots").isLessThan(FrontierModel.SLOTS);
        long wait = entry.flatMap(e -> e.request.options().waitTime()).orElse(Duration.ZERO).toNanos();
        assertThat(world.now).as("not early").isGreaterThanOrEqualTo(model.due(server, wait));
        host.busy = true;
    }

    /** Nobody of a higher priority could have been begun instead. */
    private void noneBefore(Entry chosen) {
        for (Entry e : model.live()) {
            if (e.offset >= model.logs.get(e.lane).position) {
                continue;
            }
            if (e.written.misled() || e.state != State.QUEUED || e.lane.priority() <= chosen.lane.priority()
                    || !model.active(e).isEmpty()) {
                continue;
            }
            assertThat(model.key(e))
                    .as("a higher priority of the same host waits: %s %s %s offset %d before %s %s; all: %s", e.url(),
                            e.state, e.lane, e.offset, chosen.url(), chosen.lane,
                            model.live().stream().filter(x -> model.key(x).equals(model.key(e)))
                                    .map(x -> x.url() + x.lane.priority() + x.state).toList())
                    .isNotEqualTo(model.key(chosen));
            if (!cramped && !model.hosts.get(model.key(e)).busy && model.surelyNext(e)) {
                fail("%s of priority %d could be fetched before %s of priority %d", e.url(), e.lane.priority(), chosen.url(),
                        chosen.lane.priority());
            }
        }
    }

    private void answered(Action.Answer answer) {
        Request request = answer.reply().request();
        Entry e = model.landed.containsKey(request.id().value())
                ? model.landed.remove(request.id().value())
                : model.find(request);
        boolean duplicate = answer.reply().outcome() instanceof Outcome.Duplicate;
        assertThat(e.state).as("answered once").isNotIn(State.ANSWERING, State.DONE, State.UNREAD);
        assertThat(duplicate).as("a duplicate iff there is a response").isEqualTo(world.facts.containsKey(e.url()));
        if (!duplicate) {
            model.realAnswers.merge(e.url(), 1, Integer::sum);
        }
        e.state = State.ANSWERING;
        model.answers.put(answer.ticket(), new Answered(e, Optional.of(answer.reply())));
    }

    private void unreadable(Action.Unreadable none) {
        Entry e = model.logs.get(none.lane()).entries.get((int) none.offset());
        assertThat(e.written.broken()).as("is no request").isTrue();
        assertThat(e.state).as("reported once").isEqualTo(State.QUEUED);
        e.state = State.ANSWERING;
        model.answers.put(none.ticket(), new Answered(e, Optional.empty()));
    }

    private void wanted(Action.Read read) {
        Log log = model.logs.get(read.lane());
        assertThat(read.tenure()).isEqualTo(log.tenure);
        assertThat(read.offsets()).isSorted().doesNotHaveDuplicates()
                .allSatisfy(offset -> assertThat(log.entries.get(offset.intValue()).state).isEqualTo(State.QUEUED));
        model.reads.add(read);
    }
}
