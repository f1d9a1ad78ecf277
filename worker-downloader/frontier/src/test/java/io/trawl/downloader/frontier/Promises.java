package io.trawl.downloader.frontier;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.trawl.downloader.frontier.FrontierModel.Answered;
import io.trawl.downloader.frontier.FrontierModel.Entry;
import io.trawl.downloader.frontier.FrontierModel.Host;
import io.trawl.downloader.frontier.FrontierModel.Log;
import io.trawl.downloader.frontier.FrontierModel.State;
import io.trawl.downloader.frontier.FrontierModel.Work;
import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.queue.AssignedPartitions.Mark;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.pattern.UrlParts;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Checks the guarantees of a frontier against a {@link FrontierModel} at each of its actions; fails at the first
 * violation. Keeps the model up to date.
 */
final class Promises {
    private final FrontierModel model;
    private final World world;
    private final boolean shares;
    private final boolean cramped;

    /**
     * @param shares whether turns are divided by shares instead of strictly: then the order of priorities is not
     * checked
     * @param cramped whether memory is small, so that bodies and lookups are dropped at times that the model cannot
     * predict
     */
    Promises(FrontierModel model, World world, boolean shares, boolean cramped) {
        this.model = model;
        this.world = world;
        this.shares = shares;
        this.cramped = cramped;
    }

    void check(FrontierAction frontierAction) {
        switch (frontierAction) {
            case FrontierAction.LookUp lookUp -> model.questions.add(lookUp);
            case FrontierAction.CheckRobots check -> model.checks.add(check);
            case FrontierAction.ResolveNames resolve -> throw new AssertionError("all names are known: " + resolve);
            case FrontierAction.LoadRobots load -> {
                assertThat(world.robots(load.host()).filter(rules -> !rules.unreachable()))
                        .as("robots.txt is loaded once").isEmpty();
                mayBegin(load.host().value(), Optional.empty());
                assertThat(load.permit())
                        .isSameAs(model.leases.get(FrontierModel.partitionOf(model.key(load.host().value()))));
                model.flights.put(load.ticket(), new Work(load.host().value(), Optional.empty(), world.now));
            }
            case FrontierAction.BeginFetch beginFetch -> begin(beginFetch);
            case FrontierAction.UsePermit use -> throw new AssertionError("no crawl has a limit: " + use);
            case FrontierAction.UseBudget use -> throw new AssertionError("no crawl has a budget: " + use);
            case FrontierAction.SendAnswer sendAnswer -> answered(sendAnswer);
            case FrontierAction.ReportUnreadable none -> unreadable(none);
            case FrontierAction.ReadBodies readBodies -> wanted(readBodies);
            case FrontierAction.CommitOffset commitOffset ->
                commitOffset.offsets().forEach((requestPartition, mark) -> {
                    Log log = requireNonNull(model.logs.get(requestPartition));
                    assertThat(mark).as("low-water mark of " + requestPartition)
                            .isEqualTo(new Mark(log.assignment, log.low()));
                    log.committed = mark.offset();
                });
            case FrontierAction.Reread reread -> {
                model.outdated.addAll(model.questions);
                reread.from().forEach((requestPartition, mark) -> {
                    Log log = requireNonNull(model.logs.get(requestPartition));
                    // A read of an ended assignment is ignored.
                    if (mark.assignment() == log.assignment) {
                        assertThat(log.entries.get((int) mark.offset()).marked).isFalse();
                        log.position = (int) Math.min(log.position, mark.offset());
                    }
                });
            }
            case FrontierAction.RecordPause recordPause ->
                assertThat(recordPause.pause()).isGreaterThan(Duration.ofSeconds(5));
            case FrontierAction.Forward forward -> forwarded(forward);
            case FrontierAction.Pass _,FrontierAction.Refresh _,FrontierAction.Scan _ ->
                fail("not expected: " + frontierAction);
        }
    }

    private void begin(FrontierAction.BeginFetch beginFetch) {
        Entry e = model.find(beginFetch.request());
        assertThat(e.state == State.QUEUED || e.state == State.RETRY && e.retryAt <= world.now)
                .as("may be fetched: " + e.state).isTrue();
        assertThat(world.facts).as("no response yet").doesNotContainKey(e.url());
        assertThat(model.active(e)).as("the URL is not in flight")
                .allMatch(other -> other.state == State.RETRY && other.unsure);
        mayBegin(e.server(), Optional.of(e));
        assertThat(beginFetch.permit()).isSameAs(model.leases.get(FrontierModel.partitionOf(model.key(e))));
        if (!shares) {
            noneBefore(e);
        }
        e.state = State.FLIGHT;
        e.attempts++;
        model.flights.put(beginFetch.ticket(), new Work(e.server(), Optional.of(e), world.now));
    }

    private void mayBegin(String server, Optional<Entry> entry) {
        String key = model.key(server);
        Host host = requireNonNull(model.hosts.get(key));
        assertThat(model.stopped).as("the crawl is stopped").isFalse();
        assertThat(requireNonNull(model.leases.get(FrontierModel.partitionOf(key))).holds()).as("within a lease")
                .isTrue();
        assertThat(host.busy).as("in flight at " + key).isFalse();
        assertThat(model.flights.size()).as("slots").isLessThan(FrontierModel.SLOTS);
        long wait = entry.flatMap(e -> e.request.options().waitTime()).orElse(Duration.ZERO).toNanos();
        assertThat(world.now).as("not early").isGreaterThanOrEqualTo(model.due(server, wait));
        host.busy = true;
    }

    /** Checks that no request of a higher priority could have begun instead. */
    private void noneBefore(Entry chosen) {
        for (Entry e : model.live()) {
            if (e.offset >= requireNonNull(model.logs.get(e.requestPartition)).position) {
                continue;
            }
            if (e.written.misled() || e.unsure || e.state != State.QUEUED
                    || e.requestPartition.priority() <= chosen.requestPartition.priority()
                    || !model.active(e).isEmpty()) {
                continue;
            }
            assertThat(model.key(e))
                    .as("a higher priority of the same host waits: %s %s %s offset %d before %s %s; all: %s", e.url(),
                            e.state, e.requestPartition, e.offset, chosen.url(), chosen.requestPartition,
                            model.live().stream().filter(x -> model.key(x).equals(model.key(e)))
                                    .map(x -> x.url() + x.requestPartition.priority() + x.state).toList())
                    .isNotEqualTo(model.key(chosen));
            if (!cramped && !requireNonNull(model.hosts.get(model.key(e))).busy && model.surelyNext(e)) {
                fail("%s of priority %d could be fetched before %s of priority %d", e.url(),
                        e.requestPartition.priority(), chosen.url(), chosen.requestPartition.priority());
            }
        }
    }

    private void answered(FrontierAction.SendAnswer sendAnswer) {
        Request request = sendAnswer.answer().request();
        Entry e = model.landed.containsKey(request.id().value())
                ? model.landed.remove(request.id().value())
                : model.find(request);
        boolean duplicate = sendAnswer.answer().outcome() instanceof Outcome.Duplicate;
        assertThat(e.state).as("answered once").isNotIn(State.ANSWERING, State.DONE, State.UNREAD);
        assertThat(duplicate).as("a duplicate iff there is a response").isEqualTo(world.facts.containsKey(e.url()));
        if (!duplicate) {
            model.realAnswers.merge(e.url(), 1, Integer::sum);
        }
        e.state = State.ANSWERING;
        model.answers.put(sendAnswer.ticket(), new Answered(e, Optional.of(sendAnswer.answer()), OptionalInt.empty()));
    }

    private void forwarded(FrontierAction.Forward forward) {
        Entry e = requireNonNull(model.logs.get(forward.requestPartition())).entries.get((int) forward.offset());
        assertThat(e.state).as("nothing is done with it").isIn(State.QUEUED, State.RETRY);
        assertThat(e.marked).as("it is written elsewhere once").isFalse();
        int priority = switch (forward.copy()) {
            case ForwardedRequest.AtEnd(DeliveredRecord original) -> {
                assertThat(original.value()).isEqualTo(e.written.value());
                yield e.requestPartition.priority();
            }
            case ForwardedRequest.AtPriority(var _, Request request, int order) -> {
                assertThat(e.requestPartition.priority()).as("it is not there yet").isNotEqualTo(request.priority());
                assertThat(model.order).hasValueSatisfying(move -> {
                    assertThat(move.number()).isEqualTo(order);
                    assertThat(move.to()).isEqualTo(request.priority());
                    assertThat(forward.offset()).as("what came later stays")
                            .isLessThan(move.until(1, e.requestPartition.priority(), e.requestPartition.partition()));
                    assertThat(move.match().matches(UrlParts.of(request.url()))).isTrue();
                });
                yield request.priority();
            }
            case ForwardedRequest.AtServer moved -> throw new AssertionError("each URL is a page of its own: " + moved);
        };
        e.copied = true;
        if (e.state == State.QUEUED) {
            e.state = State.RELOCATING;
        } else {
            // The frontier may go on with it; what it leaves in the log is a duplicate then.
            e.unsure = true;
        }
        model.answers.put(forward.ticket(), new Answered(e, Optional.empty(), OptionalInt.of(priority)));
    }

    private void unreadable(FrontierAction.ReportUnreadable none) {
        Entry e = requireNonNull(model.logs.get(none.requestPartition())).entries.get((int) none.offset());
        assertThat(e.written.broken()).as("is not a request").isTrue();
        assertThat(e.state).as("reported once").isEqualTo(State.QUEUED);
        e.state = State.ANSWERING;
        model.answers.put(none.ticket(), new Answered(e, Optional.empty(), OptionalInt.empty()));
    }

    private void wanted(FrontierAction.ReadBodies readBodies) {
        Log log = requireNonNull(model.logs.get(readBodies.requestPartition()));
        assertThat(readBodies.assignment()).isEqualTo(log.assignment);
        assertThat(readBodies.offsets()).isSorted().doesNotHaveDuplicates()
                .allSatisfy(offset -> assertThat(log.entries.get(offset.intValue()).state).as("not under way")
                        .isIn(State.QUEUED, State.RETRY));
        readBodies.offsets().forEach(offset -> log.entries.get(offset.intValue()).unsure |= model.stopped);
        model.readBodiess.add(readBodies);
    }
}
