package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.LedgerRules;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.util.Optional;
import java.util.OptionalInt;

/** Gives the best request of the best host its turn, and has the ledger asked about those that come next. Belongs to the frontier's thread. */
final class Turns {
    /** A host that will be asked again this soon has its next requests judged while the present one is in flight. */
    private static final long SOON_NANOS = 200_000_000L;
    private final FrontierSettings settings;
    private final RulesByHost rules;
    private final RunTerms terms;
    private final HostBoard board;
    private final Leaseholds leaseholds;
    private final SilentHosts silence;
    private final Judging judging;
    private final Places places;
    private final Bodies bodies;
    private final Flights flights;
    private final Answers answers;
    private final Todo todo;

    Turns(FrontierSettings settings, RulesByHost rules, RunTerms terms, HostBoard board, Leaseholds leaseholds,
            SilentHosts silence,
            Judging judging,
            Places places,
            Bodies bodies,
            Flights flights, Answers answers, Todo todo) {
        this.settings = settings;
        this.rules = rules;
        this.terms = terms;
        this.board = board;
        this.leaseholds = leaseholds;
        this.silence = silence;
        this.judging = judging;
        this.places = places;
        this.bodies = bodies;
        this.flights = flights;
        this.answers = answers;
        this.todo = todo;
    }

    /** Gives turns as long as there are slots, and hosts that are ready. */
    void dispatch(long now) {
        while (flights.slots().available() && answers.unacknowledged() < settings.unacknowledged() && !board.ready().isEmpty()) {
            HostQueue host = board.nextReady();
            places.place(host, now);
            if (!board.ready().isEmpty() && board.nextReady() == host) {
                Pending p = host.head().orElseThrow();
                if (leaseholds.lapsed(p.partition())) {
                    leaseholds.end(p.partition());
                    places.placeAll(now);
                } else {
                    turn(host, p, now);
                }
            }
        }
    }

    /** The best request of the best host, which may be asked now or need not be: answer it, or begin an exchange. */
    private void turn(HostQueue host, Pending p, long now) {
        answers.accept(p);
        Terms of = terms.of(p.run());
        int depth = of.mode().inLedger(p.request().depth());
        if (LedgerRules.duplicate(p.facts(), depth)) {
            host.dropHead();
            host.reach().widen();
            answers.answer(p, Reply.without(p.request(), new Outcome.Duplicate(), p.attempts(), OptionalInt.empty()));
            places.release(p, now);
            places.place(host, now);
            return;
        }
        Optional<Outcome.Failure> silent = silence.givenUp(p.server(), now);
        if (silent.isPresent()) {
            withoutFetch(host, p, silent.get(), depth);
            places.place(host, now);
            return;
        }
        Optional<RobotsRules> robots = places.givenUp(host, p, now)
                .or(() -> rules.cached(p.server(), of.userAgent()).filter(known -> !known.unavailable()));
        if (robots.isEmpty()) {
            host.keepRank();
            long ticket = takeOff(host, p, p.request(), now);
            todo.add(new Action.LoadRobots(ticket, p.server(), p.request().url().startsWith("https:") ? "https" : "http",
                    of.profile().through(p.request().options().proxy()), leaseOf(p)));
        } else if (robots.get().unavailable() || !robots.get().isAllowed(p.request().url())) {
            withoutFetch(host, p, forbidden(robots.get()), depth);
        } else {
            fetch(host, p, depth, now);
        }
        places.place(host, now);
    }

    private void withoutFetch(HostQueue host, Pending p, Outcome outcome, int depth) {
        host.spendRank();
        host.dropHead();
        host.reach().widen();
        places.activate(p);
        answers.answer(p, Reply.without(p.request(), outcome, p.attempts(), OptionalInt.of(depth)));
    }

    private void fetch(HostQueue host, Pending p, int depth, long now) {
        Terms of = terms.of(p.run());
        host.spendRank();
        host.dropHead();
        host.served(p.priority());
        host.reach().narrow();
        places.activate(p);
        Request request = of.mode() == DepthMode.EXACT && p.facts().known() < depth
                ? p.request().atDepth(p.facts().known())
                : p.request();
        p.attempt();
        todo.add(new Action.Fetch(takeOff(host, p, request, now), request, of.profile(), leaseOf(p)));
        lookAhead(host, p, now);
    }

    /** A host that cannot be reached is told as that; any other trouble with its robots.txt forbids everything. */
    static Outcome forbidden(RobotsRules robots) {
        Optional<Outcome> trouble = robots.trouble().map(Fetched::outcome);
        if (trouble.isPresent() && trouble.get() instanceof Outcome.Failure failure) {
            return failure;
        }
        String cause = robots.unavailable() ? "robots.txt cannot be had, which forbids everything" : "robots.txt forbids it";
        return new Outcome.Refused(RefusalReason.ROBOTS, cause + trouble.map(t -> " (" + t.detail() + ")").orElse(""));
    }

    private Clearance leaseOf(Pending p) {
        return leaseholds.lease(p.partition()).orElseThrow(() -> new IllegalStateException("no lease on " + p.partition()));
    }

    private long takeOff(HostQueue host, Pending p, Request request, long now) {
        board.served(host);
        long ticket = todo.ticket();
        flights.takeOff(ticket, host, p, request, now);
        host.pace().began(now, places.wish(p), p.partition());
        return ticket;
    }

    /** So that a host without a long pause loses no time between two requests. */
    private void lookAhead(HostQueue host, Pending present, long now) {
        Optional<Pending> next = places.head(host);
        if (host.pace().expected(places.wish(next.orElse(present)), settings.politeness()) <= SOON_NANOS) {
            if (next.isPresent()) {
                judging.ask(host, now).ifPresent(todo::add);
            }
            bodies.refill(host);
        }
    }

    /** Asks the ledger about the best of those that are due, a few more than there are slots. */
    void ask(long now) {
        int most = 2 * settings.concurrency();
        while (!board.due().isEmpty()) {
            HostQueue host = board.nextDue();
            boolean enough = board.asking() + board.ready().size() >= most;
            if (enough && !(board.asking() < most && board.outranks(host))) {
                return;
            }
            judging.ask(host, now).ifPresent(todo::add);
            places.place(host, now);
            if (host.place() == HostQueue.Place.DUE) {
                return;
            }
        }
    }
}
