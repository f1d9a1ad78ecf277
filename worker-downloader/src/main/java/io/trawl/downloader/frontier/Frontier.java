package io.trawl.downloader.frontier;

import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Action.Commit.Mark;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.Flights.Flight;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.downloader.retry.Decision;
import io.trawl.downloader.retry.RetryPolicy;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.lease.Legacy;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.module.Counters;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides which request is fetched next (DESIGN section 4, PROTOCOL section 1). A step is: tell it what happened, then {@link #advance} to learn what is
 * to be done. What it promises:
 * <ul>
 * <li>Among requests whose host may be asked now, whose body has been read and about which the ledger has answered, the larger priority leaves first,
 * across all partitions; within a host always. Then the host that has waited longest. With {@link Shares} the slots are dealt to hosts by the largest
 * priority of their requests, and a host's turns to its requests, both in that proportion.</li>
 * <li>A host, or what shares its {@link io.trawl.model.PolitenessKey}, never has more than {@code perHost} exchanges in flight, nor one before its {@link Politeness} allows it; robots.txt counts.</li>
 * <li>No exchange begins without a lease on its partition, nor before what {@link Leaseholds earlier owners} left allows it.</li>
 * <li>A URL of a run is never in flight twice; a request whose URL has a response at its depth or less is answered DUPLICATE without a turn.</li>
 * <li>Every delivered offset is answered once, unless its partition is revoked; the low-water mark never passes one without an acknowledged
 * answer.</li>
 * <li>A pending request costs some bytes, until its turn is near.</li>
 * </ul>
 * Times are nanoseconds since any origin, not negative and never going back. Not thread-safe: one thread owns it.
 * <p>
 * What happens stands here; where hosts and requests stand in {@link Places}, whose turn it is in {@link Turns}, what is kept in memory in
 * {@link Bodies}.
 */
public final class Frontier {
    /** For how long at least the requests of a host are answered without asking for its robots.txt again, once that was given up. */
    private static final long GIVEN_UP_NANOS = 60_000_000_000L;
    private static final Decision GIVE_UP = new Decision.Answer(Duration.ZERO);
    private final FrontierSettings settings;
    private final RetryPolicy retryPolicy;
    private final Counters counters;
    private final RunTerms terms;
    private final HostBoard board;
    private final Tenures tenures;
    private final ScanRoom room;
    private final Leaseholds leaseholds = new Leaseholds();
    private final Judging judging = new Judging();
    private final Retries retries = new Retries();
    private final Dealing dealing = new Dealing();
    private final SilentHosts silence;
    private final Todo todo = new Todo();
    private final Flights flights;
    private final Answers answers;
    private final Places places;
    private final Bodies bodies;
    private final Turns turns;
    private final Visits visits;
    private final Survey survey;
    private boolean stopping;
    private boolean held;

    /** @param counters moved here: called by delivery, accepted by the first judgement, completed or failed by the acknowledged answer */
    public Frontier(FrontierSettings settings, Crawls crawls, RulesByHost rules, RetryPolicy retryPolicy, Counters counters) {
        this.settings = settings;
        this.retryPolicy = retryPolicy;
        this.counters = counters;
        this.silence = new SilentHosts(settings.silence());
        BodyRoom bodyRoom = new BodyRoom(settings.bodies());
        this.terms = new RunTerms(crawls);
        this.board = new HostBoard(settings.levels(), bodyRoom, settings.shares());
        this.tenures = new Tenures(settings.levels());
        this.room = new ScanRoom(settings.levels(), settings.pending());
        this.flights = new Flights(settings.concurrency(), dealing);
        this.answers = new Answers(tenures, dealing, counters, todo);
        this.places = new Places(settings, rules, terms, board, tenures, leaseholds, silence, judging, answers, bodyRoom, todo);
        this.bodies = new Bodies(board, settings.keys(), bodyRoom, tenures, places, answers, todo, 4 * settings.concurrency());
        this.turns = new Turns(settings, rules, terms, board, leaseholds, silence, judging, places, bodies, flights, answers,
                todo);
        this.visits = new Visits(settings, rules, board, leaseholds, silence, places, flights.slots(), retryPolicy, todo);
        this.survey = new Survey(settings, rules, terms, board, leaseholds, silence, places, flights, answers, retries);
    }

    // ---- what happens ----

    /** A lane is ours from now on; its records will be delivered from {@code position}. */
    public void assigned(Lane lane, long tenure, long position) {
        tenures.begin(lane, tenure, position);
    }

    /**
     * Records of a lane, in the order of their offsets; those that are marked as answered are left out. What comes for an ended tenure is ignored,
     * and so is what was delivered before, unless {@link Action.Reread} has asked for it.
     *
     * @param position the offset after everything that was read, left out, aborted or a marker
     */
    public void delivered(Lane lane, long tenure, List<Delivered> records, long position, long now) {
        tenures.find(lane, tenure).ifPresent(held -> {
            int fresh = 0;
            for (Delivered record : records) {
                boolean seen = tenures.seen(held, record.offset());
                if (!seen) {
                    tenures.delivered(held, record.offset());
                    fresh++;
                }
                if (!seen || held.sleepers().take(record.offset())) {
                    bodies.scanned(held, record, now);
                }
            }
            tenures.reached(held, position);
            counters.called(fresh);
        });
    }

    /** {@link Action.Read} is done; what is not among the records found is not in the log any more, which is reported. */
    public void read(long ask, List<Delivered> found, long now) {
        bodies.read(ask, found, now);
    }

    /** Records of a lane that were read beside those that were wanted; kept where they are useful. */
    public void offered(Lane lane, long tenure, List<Delivered> records, long now) {
        bodies.offered(lane, tenure, records, now);
    }

    /** The hosts of a partition may be asked from now on, while the lease holds and as far as what earlier owners left allows. */
    public void leased(int partition, Clearance lease, Legacy legacy, long now) {
        leaseholds.begin(partition, lease, legacy, now);
        places.placeAll(now);
    }

    /** The lease on a partition has ended: no exchange begins there any more. Changes nothing if there is a later one. */
    public void lapsed(int partition, Clearance lease, long now) {
        if (leaseholds.is(partition, lease) && leaseholds.end(partition)) {
            places.placeAll(now);
        }
    }

    /** Whether an exchange is under way for a request of this partition. */
    public boolean flying(int partition) {
        return flights.any(partition) || visits.any(partition);
    }

    /** Whether an exchange is under way for a request of this partition, or an answer that Kafka has not acknowledged. */
    public boolean busy(int partition) {
        return flying(partition) || answers.any(partition);
    }

    /** How long the hosts that were asked for this partition must still be left alone, those that need not be left out; before {@link #revoked}. */
    public Map<HostKey, Duration> pauses(int partition, long now) {
        Map<HostKey, Duration> pauses = new HashMap<>();
        for (HostQueue host : board.hosts()) {
            if (host.pace().of(partition)) {
                long next = host.head().map(p -> host.pace().mayStart(places.wish(p), settings.politeness())).orElse(0L);
                long open = Math.max(next, host.pace().openAt(settings.politeness()));
                if (open > now) {
                    pauses.put(host.key(), Duration.ofNanos(open - now));
                }
            }
        }
        return pauses;
    }

    /** The partition is not ours any more, in no priority: its requests are forgotten. Returns what may be committed, for the last time. */
    public Map<Lane, Mark> revoked(int partition, long now) {
        Map<Lane, Mark> last = tenures.end(partition);
        leaseholds.end(partition);
        places.removeIf(answers::lost, now);
        retries.take(p -> p.tenure().ended()).forEach(answers::lost);
        // What is under way comes down by itself; a retry, wherever it stood, is gone, and must not keep its URL.
        Set<Pending> underWay = Collections.newSetFromMap(new IdentityHashMap<>());
        flights.forEach(underWay::add);
        answers.forEach(underWay::add);
        places.endedActive().filter(p -> !underWay.contains(p)).toList().forEach(p -> places.release(p, now));
        return last;
    }

    /** The ledger's answer to {@link Action.LookUp}, in the order asked. */
    public void judged(long ask, List<UrlFacts> facts, long now) {
        judging.judged(ask, facts, now).ifPresent(host -> places.place(host, now));
    }

    /** {@link Action.LoadRobots} is done. */
    public void robotsLoaded(long ticket, RobotsRules loaded, long now) {
        if (visits.robotsLoaded(ticket, loaded, now)) {
            return;
        }
        Flight flight = flights.land(ticket, now - flights.find(ticket).began(), now);
        HostQueue host = flight.host();
        String userAgent = terms.of(flight.pending().run()).userAgent();
        if (loaded.trouble().filter(Fetched::withdrawn).isPresent()) {
            places.place(host, now);
            return;
        }
        loaded.trouble().ifPresent(trouble -> heard(flight, trouble, now));
        int partition = flight.pending().partition();
        if (loaded.unavailable()) {
            GivenUpRobots robots = host.robotsFailed(flight.pending().server());
            int tries = robots.failed();
            switch (loaded.trouble().map(trouble -> retryPolicy.decide(trouble, tries)).orElse(GIVE_UP)) {
                case Decision.RetryAfter again -> places.close(host, partition, again.pause(), now);
                case Decision.Answer end -> {
                    places.close(host, partition, end.hostPause(), now);
                    robots.giveUp(userAgent, loaded, now + Math.max(GIVEN_UP_NANOS, end.hostPause().toNanos()));
                }
            }
        } else {
            host.robotsFound(flight.pending().server(), userAgent);
        }
        places.place(host, now);
    }

    /** {@link Action.Fetch} is over. */
    public void fetched(long ticket, Fetched fetched, long now) {
        if (visits.fetched(ticket, fetched, now)) {
            return;
        }
        Flight flight = flights.land(ticket, fetched.took().toNanos(), now);
        Pending p = flight.pending();
        if (fetched.withdrawn()) {
            withdrawn(flight, now);
            return;
        }
        heard(flight, fetched, now);
        switch (retryPolicy.decide(fetched, p.attempts())) {
            case Decision.Answer answer -> {
                places.close(flight.host(), p.partition(), answer.hostPause(), now);
                DepthMode mode = terms.of(p.run()).mode();
                answers.answer(p, new Reply(flight.request(), fetched.outcome(), Optional.of(fetched), p.attempts(),
                        OptionalInt.of(mode.inLedger(flight.request().depth()))));
            }
            case Decision.RetryAfter again -> {
                p.failed(fetched.outcome().detail());
                if (again.hostWaits()) {
                    places.close(flight.host(), p.partition(), again.pause(), now);
                }
                if (answers.lost(p)) {
                    places.release(p, now);
                } else {
                    retries.add(p, now + again.pause().toNanos());
                }
            }
        }
        places.place(flight.host(), now);
    }

    /** What an exchange says about its host, whatever it means for its request. */
    private void heard(Flight flight, Fetched fetched, long now) {
        HostQueue host = flight.host();
        places.close(host, flight.pending().partition(), silence.heard(flight.pending().server(), fetched.outcome(), now), now);
    }

    /** It was not asked, or nobody waited for its answer: its next turn is the same again, here or at the next owner of its partition. */
    private void withdrawn(Flight flight, long now) {
        Pending p = flight.pending();
        p.withdraw();
        if (answers.lost(p)) {
            places.release(p, now);
        } else {
            places.enqueue(p, true, now);
        }
        places.place(flight.host(), now);
    }

    /**
     * {@link Action.Answer}s are acknowledged by Kafka, their facts learnt, their offsets marked; or {@link Action.Pass}es and
     * {@link Action.Unreadable}s marked.
     */
    public void answered(Collection<Long> tickets, long now) {
        for (Long ticket : tickets) {
            answers.acknowledged(ticket).ifPresent(done -> {
                if (done.teaches()) {
                    judging.answered(done.request().url(), now);
                }
                places.release(done.request(), now);
            });
        }
    }

    /** The commands have changed: crawls, their states, or stop signs. */
    public void crawlsChanged(Collection<StopSign> signs, long now) {
        dealing.signs(signs);
        boolean changed = terms.renewAll();
        tenures.sleepingRuns().forEach(this::wake);
        if (changed) {
            places.runsChanged(now);
        }
    }

    /** Everything that was commanded before {@link Action.Refresh} has been read: what is still unknown is refused. */
    public void refreshed(CrawlRun run, long now) {
        boolean known = terms.renew(run).standing() != Standing.UNKNOWN;
        for (Pending p : places.releaseUnknown(run)) {
            if (known) {
                places.enqueue(p, false, now);
            } else {
                answers.accept(p);
                answers.answer(p, Reply.without(p.request(),
                        new Outcome.Refused(RefusalReason.UNKNOWN_CRAWL, "no such crawl: " + run), 0, OptionalInt.empty()));
            }
        }
        wake(run);
    }

    /** Those of which only the offset was kept come back, unless their run is there and does not fetch. */
    private void wake(CrawlRun run) {
        Terms of = terms.of(run);
        if ((of.fetches() || of.standing() != Standing.PRESENT) && tenures.sleepingRuns().contains(run)) {
            todo.add(new Action.Reread(tenures.wake(run)));
        }
    }

    /** Somebody waits for a fetch outside of every crawl. It tells what came of it by itself, at the latest when its patience is over. */
    public void visit(Visit visit, long now) {
        visits.add(visit, now);
    }

    /** No exchange begins any more. */
    public void stopping() {
        stopping = true;
    }

    /** While held no turn is given, so nothing is fetched or answered but what is under way; reversible, unlike {@link #stopping}. */
    public void hold(boolean on) {
        held = on;
    }

    // ---- what is to be done ----

    /** Everything that is to be done now, in order. */
    public List<Action> advance(long now) {
        board.forget(now);
        retries.due(now).forEach(p -> places.enqueue(p, true, now));
        while (!board.waiting().isEmpty() && board.waiting().first().since() <= now) {
            places.place(board.waiting().first(), now);
        }
        if (stopping) {
            visits.stop();
        } else {
            visits.advance(now);
            if (!held) {
                turns.dispatch(now);
            }
            turns.ask(now);
            bodies.ask(now);
        }
        bodies.shed(now);
        Map<Lane, Mark> moved = tenures.moved();
        if (!moved.isEmpty()) {
            todo.add(new Action.Commit(moved));
        }
        room.update(tenures.load(), board.working()).forEach(todo::add);
        return todo.take();
    }

    /** When {@link #advance} is needed although nothing happens; empty: not before something does. */
    public OptionalLong due() {
        long next = Math.min(visits.next(), Math.min(board.next().orElse(Long.MAX_VALUE), retries.next().orElse(Long.MAX_VALUE)));
        return stopping || next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** Looks at a host and, if a URL of a run is given, at its request; changes nothing. */
    public Sight look(HostKey server, int partition, CrawlRun run, Optional<String> url, long now) {
        return new Sight(survey.host(server, partition, run, now),
                url.flatMap(u -> survey.request(new Pending.UrlKey(run, u), server, now)),
                leaseholds.lease(partition).filter(Clearance::holds).isPresent(), held);
    }

    /**
     * What is seen.
     *
     * @param leased whether the hosts of the partition may be asked
     * @param held whether no turns are given
     */
    public record Sight(HostView host, Optional<RequestView> request, boolean leased, boolean held) {}

    /** How it stands. */
    public FrontierStatus status() {
        SlotPool slots = flights.slots();
        return new FrontierStatus(slots.total(), slots.used(), Arrays.stream(tenures.pending()).boxed().toList(), board.size(),
                board.waiting().size(), board.ready().size(), silence.givenUp(), answers.size(), places.aside(),
                tenures.partitions(), stopping,
                slots.used() == 0 && answers.size() == 0,
                dealing.deals());
    }
}
